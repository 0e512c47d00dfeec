import type { OperationShape } from '@mintmark/operation'
import { HttpError, plainFormat, type ResponseFormat } from '@mintmark/server-kit'
import { readPayer } from '../../schemes/read-payer.ts'
import { PendingSettlement, UnsentSettlement } from '../payments/settle-responses.ts'

/** Statuses whose body is only the label of the specification's table. */
const LABELS: Record<number, string> = { 401: 'Unauthorized', 402: 'InsufficientBalance', 429: 'RateLimited' }

/** The responses of the native API: plain JSON, and `{ error, message }` for errors. */
export const nativeResponses: ResponseFormat = {
  ...plainFormat,
  failure(refusal, operation, body) {
    const label = LABELS[refusal.status]
    if (label !== undefined) return { error: label }
    if (refusal instanceof PendingSettlement) {
      return { error: refusal.reason, ...(refusal.transaction && { transaction: refusal.transaction }) }
    }
    if (refusal instanceof UnsentSettlement)
      return { error: refusal.reason, ...(refusal.problem && { message: refusal.problem }) }
    const { message, issues } = refusal
    const reason = toX402Reason(refusal, operation)
    const payer = isPayment(operation) ? readPayer(parseBody(body)) : undefined
    return {
      ...(plainFormat.failure(new HttpError(refusal.status, message, { reason, issues })) as object),
      ...(payer !== undefined && { payer }),
    }
  },
}

/** Parses the body of a refused request. Undefined if it is not JSON, or was not read. */
export function parseBody(body: Uint8Array | undefined): unknown {
  try {
    return body && JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

const isPayment = (operation: OperationShape | undefined): boolean =>
  operation !== undefined && Object.hasOwn(operation.body ?? {}, 'paymentPayload')

/** Returns the x402 reason of a refusal. A payment that cannot be parsed is an invalid payload. */
export function toX402Reason(refusal: HttpError, operation: OperationShape | undefined): string {
  const malformed = (refusal.status === 400 || refusal.status === 413) && refusal.reason === 'InvalidInput'
  return malformed && isPayment(operation) ? 'invalid_payload' : refusal.reason
}
