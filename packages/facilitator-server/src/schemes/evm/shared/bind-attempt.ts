import { fingerprint } from '../../../payment/fingerprint.ts'
import type { Payment } from '../../../payment/payment.ts'
import type { ServedScheme, SettleContext, SettlingCall } from '../../scheme.ts'

/** Gives a payment another nonce. */
export function withNonce<Details>(
  payment: Payment<Details, ServedScheme>,
  nonce: string,
): Payment<Details, ServedScheme> {
  const bound = { ...payment, nonce }
  return { ...bound, fingerprint: fingerprint(bound) }
}

/**
 * Gives a request that exists in our books only a nonce of the number of its earlier executions that failed: one whose
 * transaction reverted has no other signatures with which it could be repeated.
 */
export async function bindAttempt<Details>(
  { findSettlement }: SettleContext,
  payment: Payment<Details, ServedScheme>,
  { idempotencyKey }: SettlingCall,
  toNonce: (failures: bigint) => string,
): Promise<Payment<Details, ServedScheme>> {
  for (let failures = 0n; ; failures += 1n) {
    const bound = withNonce(payment, toNonce(failures))
    const settlement = await findSettlement(bound)
    if (settlement?.state !== 'failed') return bound
    // A repeated request has the response of the first one.
    if (idempotencyKey !== undefined && settlement.idempotency_key === idempotencyKey) return bound
  }
}
