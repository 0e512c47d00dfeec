import { type Kysely, sql } from 'kysely'
import type { Payment } from '../payment/payment.ts'
import type { Tables } from '../tables.ts'
import { type EngineSettings, servesNetwork } from './engine-options.ts'
import type { PayingAccount, Shortage } from './reserve.ts'
import { findByPayment, paymentKey } from './settlement.ts'

/** What verify comes to. */
export type CheckOutcome =
  | { readonly kind: 'valid'; readonly payer: string }
  | { readonly kind: 'refused'; readonly reason: string; readonly message?: string; readonly payer?: string }
  | { readonly kind: 'insufficient'; readonly shortage: Shortage }

export type AffordabilityCheck = (
  payment: Payment,
  call: { readonly account: PayingAccount; readonly idempotencyKey?: string },
) => Promise<CheckOutcome>

/**
 * Verify, for a seller who does the work before he settles: the payment is sound, its success was not delivered before,
 * and the account can pay for the settle.
 */
export function createCheck(settings: EngineSettings): AffordabilityCheck {
  const { db, verifier, price } = settings
  return async (payment, call) => {
    const { network, payer } = payment
    if (!servesNetwork(settings, network)) {
      return { kind: 'refused', reason: 'invalid_network', message: `${network} is not served here`, payer }
    }
    const standing = await findByPayment(db, paymentKey(payment))
    const same = standing?.account_id === call.account.id && standing.fingerprint === payment.fingerprint
    const payable = standing === undefined || (same && standing.state === 'not_sent')
    if (!payable) {
      const first = call.idempotencyKey !== undefined && standing.idempotency_key === call.idempotencyKey
      if (same && standing.state === 'failed') {
        return { kind: 'refused', reason: standing.reason ?? 'unexpected_settle_error', payer }
      }
      // Held or charged already, and its answer still to be had: the chain would now call the nonce used.
      if (same && (standing.answered_at === null || first)) return { kind: 'valid', payer }
      return {
        kind: 'refused',
        reason: 'duplicate_settlement',
        message: 'this payment was presented before',
        payer,
      }
    }
    const shortage = await findShortage(db, call.account.id, price)
    if (shortage !== undefined) return { kind: 'insufficient', shortage }
    const verdict = await verifier?.verify(payment)
    if (verdict?.isValid !== false) return { kind: 'valid', payer }
    const { invalidReason: reason, invalidMessage: message } = verdict
    return { kind: 'refused', reason, payer: verdict.payer ?? payer, ...(message && { message }) }
  }
}

async function findShortage(
  db: Kysely<Tables>,
  account: number,
  price: bigint,
): Promise<Shortage | undefined> {
  const { rows } = await sql<{ frozen: boolean; funded: boolean; allowed: boolean }>`
    select a.frozen_at is not null as frozen, a.available >= ${price.toString()}::numeric as funded,
      exists (select from facilitator.payer_quotas q
        where q.account_id = a.id and q.ended_at is null and q.limit_amount - q.used >= ${price.toString()}::numeric
          and extract(epoch from clock_timestamp()) >= q.valid_after
          and extract(epoch from clock_timestamp()) < q.valid_before) as allowed
    from facilitator.accounts a where a.id = ${account}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error(`there is no account ${account}`)
  if (row.frozen) return 'frozen'
  if (!row.funded) return 'balance'
  return row.allowed ? undefined : 'quota'
}
