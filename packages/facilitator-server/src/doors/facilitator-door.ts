import type { OperationShape } from '@mintmark/operation'
import { type Door, plainDoor, Refusal } from '@mintmark/server-kit'
import { PendingSettlement, UnsentSettlement } from '../groups/settle-answers.ts'

/** Statuses whose body is the label of the specification's table alone. */
const LABELS: Record<number, string> = { 401: 'Unauthorized', 402: 'InsufficientBalance', 429: 'RateLimited' }

/** The root door: plain JSON, and `{ error, message }` (x402.md, "Two doors, one service"). */
export const facilitatorDoor: Door = {
  ...plainDoor,
  failure(refusal, operation) {
    const label = LABELS[refusal.status]
    if (label !== undefined) return { error: label }
    if (refusal instanceof PendingSettlement) {
      return { error: refusal.reason, ...(refusal.transaction && { transaction: refusal.transaction }) }
    }
    if (refusal instanceof UnsentSettlement) return { error: refusal.reason }
    const { message, issues } = refusal
    return plainDoor.failure(
      new Refusal(refusal.status, message, { reason: reasonOf(refusal, operation), issues }),
    )
  },
}

/** A payment that cannot be read at all is, to an x402 client, an invalid payload. */
export function reasonOf(refusal: Refusal, operation: OperationShape | undefined): string {
  const malformed = (refusal.status === 400 || refusal.status === 413) && refusal.reason === 'InvalidInput'
  const payment = operation !== undefined && Object.hasOwn(operation.body ?? {}, 'paymentPayload')
  return malformed && payment ? 'invalid_payload' : refusal.reason
}
