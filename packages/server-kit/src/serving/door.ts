import type { OperationShape } from '@mintmark/operation'
import type { Refusal } from './refusal.ts'

/** How a server words its answers: the gateway in envelopes, the facilitator in plain JSON. */
export interface Door {
  success(data: unknown, operation: OperationShape): unknown
  /** Without an operation where the path is none's. */
  failure(refusal: Refusal, operation?: OperationShape): unknown
}

/** The gateway's envelope (specification, "Response envelope"). */
export const envelopeDoor: Door = {
  success: (data) => ({ code: 200, data, msg: 'success', success: true }),
  failure: (refusal) => ({
    code: refusal.code,
    data: failureData(refusal),
    msg: refusal.message,
    success: false,
  }),
}

function failureData({ issues, rule }: Refusal): object {
  if (issues.length > 0) return { issues }
  return rule === undefined ? {} : { reason: rule.reason }
}

/** The facilitator's plain JSON: the data itself, or `{ error, message }`. */
export const plainDoor: Door = {
  success: (data) => data,
  failure: ({ reason, message, issues }) => ({
    error: reason,
    ...(message !== reason && { message }),
    ...(issues.length > 0 && { issues }),
  }),
}
