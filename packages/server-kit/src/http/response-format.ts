import type { OperationShape } from '@mintmark/operation'
import type { HttpError } from './http-error.ts'

/** The shape of a server's responses: envelopes for the gateway, plain JSON for the facilitator. */
export interface ResponseFormat {
  success(data: unknown, operation: OperationShape): unknown
  /**
   * @param operation Undefined when no operation has the requested path.
   * @param body The body of the request. Undefined if it was not read.
   */
  failure(refusal: HttpError, operation?: OperationShape, body?: Uint8Array): unknown
}

/** The gateway's envelope (specification, "Response envelope"). */
export const envelopeFormat: ResponseFormat = {
  success: (data) => ({ code: 200, data, msg: 'success', success: true }),
  failure: (refusal) => ({
    code: refusal.code,
    data: failureData(refusal),
    msg: refusal.message,
    success: false,
  }),
}

function failureData({ issues, rule, detail }: HttpError): object {
  if (issues.length > 0) return { issues }
  return rule === undefined ? {} : { reason: rule.reason, detail }
}

/** The facilitator's plain JSON: the data itself, or `{ error, message }`. */
export const plainFormat: ResponseFormat = {
  success: (data) => data,
  failure: ({ reason, message, issues }) => ({
    error: reason,
    ...(message !== reason && { message }),
    ...(issues.length > 0 && { issues }),
  }),
}
