import type { OperationShape } from '@mintmark/operation'
import { HttpError, plainFormat, type ResponseFormat } from '@mintmark/server-kit'
import { PendingSettlement, UnsentSettlement } from '../settle-responses.ts'

/** Statuses whose body is only the label of the specification's table. */
const LABELS: Record<number, string> = { 401: 'Unauthorized', 402: 'InsufficientBalance', 429: 'RateLimited' }

/** The responses of the native API: plain JSON, and `{ error, message }` for errors. */
export const nativeResponses: ResponseFormat = {
  ...plainFormat,
  failure(refusal, operation) {
    const label = LABELS[refusal.status]
    if (label !== undefined) return { error: label }
    if (refusal instanceof PendingSettlement) {
      return { error: refusal.reason, ...(refusal.transaction && { transaction: refusal.transaction }) }
    }
    if (refusal instanceof UnsentSettlement) return { error: refusal.reason }
    const { message, issues } = refusal
    return plainFormat.failure(
      new HttpError(refusal.status, message, { reason: toX402Reason(refusal, operation), issues }),
    )
  },
}

/** Returns the x402 reason of a refusal. A payment that cannot be parsed is an invalid payload. */
export function toX402Reason(refusal: HttpError, operation: OperationShape | undefined): string {
  const malformed = (refusal.status === 400 || refusal.status === 413) && refusal.reason === 'InvalidInput'
  const payment = operation !== undefined && Object.hasOwn(operation.body ?? {}, 'paymentPayload')
  return malformed && payment ? 'invalid_payload' : refusal.reason
}
