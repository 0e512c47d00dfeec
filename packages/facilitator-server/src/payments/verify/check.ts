import { type Kysely, sql } from 'kysely'
import type { PayerFunds, Payment } from '../payment.ts'
import type { Tables } from '../../tables.ts'
import { type EngineSettings, servesNetwork } from '../engine-options.ts'
import { refusedForPayer } from '../settle/outcome.ts'
import type { PayingAccount, RevertLimits, Shortage } from '../../ledger/settlements/reserve.ts'
import { findByPayment, paymentKey } from '../../ledger/settlements/settlement.ts'

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
      if (same && (standing.delivered_at === null || first)) return { kind: 'valid', payer }
      return {
        kind: 'refused',
        reason: 'duplicate_settlement',
        message: 'this payment was presented before',
        payer,
      }
    }
    const means = await readMeans(db, call.account.id, price, payment, settings.revertLimits)
    if (means.shortage !== undefined) return { kind: 'insufficient', shortage: means.shortage }
    if (means.reverted) return refusedForPayer(payment, 'reverts')
    const verdict = await verifier?.verify(payment)
    if (verdict?.isValid === false) {
      const { invalidReason: reason, invalidMessage: message } = verdict
      return { kind: 'refused', reason, payer: verdict.payer ?? payer, ...(message && { message }) }
    }
    const funds = verdict?.funds
    if (funds === undefined || funds.balance >= payment.amount + means.inFlight) {
      return { kind: 'valid', payer }
    }
    const inFlight = await readInFlight(db, payment, funds)
    return funds.balance < payment.amount + inFlight
      ? refusedForPayer(payment, 'funds')
      : { kind: 'valid', payer }
  }
}

interface Means {
  readonly shortage: Shortage | undefined
  /** Whether the payer, or the account, has had too many reverted transactions lately. */
  readonly reverted: boolean
  /** Base units of the asset that the payer has in flight at most: payments that its balance reflects already included. */
  readonly inFlight: bigint
}

/** Reads whether the account can pay for a settle, and what the payer has in flight. */
async function readMeans(
  db: Kysely<Tables>,
  account: number,
  price: bigint,
  { network, asset, payer }: Payment,
  { perPayer, perAccount, windowSeconds }: RevertLimits,
): Promise<Means> {
  const { rows } = await sql<{
    frozen: boolean
    funded: boolean
    allowed: boolean
    reverted: boolean
    in_flight: string
  }>`
    select a.frozen_at is not null as frozen, a.available >= ${price.toString()}::numeric as funded,
      exists (select from facilitator.payer_quotas q
        where q.account_id = a.id and q.ended_at is null and q.limit_amount - q.used >= ${price.toString()}::numeric
          and extract(epoch from clock_timestamp()) >= q.valid_after
          and extract(epoch from clock_timestamp()) < q.valid_before) as allowed,
      (${perPayer}::bigint > 0 and facilitator.payer_reverts(${payer},
          clock_timestamp() - make_interval(secs => ${windowSeconds}::float8)) >= ${perPayer}::bigint)
        or (${perAccount}::bigint > 0 and facilitator.account_reverts(a.id,
          clock_timestamp() - make_interval(secs => ${windowSeconds}::float8)) >= ${perAccount}::bigint) as reverted,
      facilitator.amount_in_flight(${network}, ${asset}, ${payer}, null, interval '1 day') as in_flight
    from facilitator.accounts a where a.id = ${account}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error(`there is no account ${account}`)
  return { shortage: shortageOf(row), reverted: row.reverted, inFlight: BigInt(row.in_flight) }
}

function shortageOf(row: { frozen: boolean; funded: boolean; allowed: boolean }): Shortage | undefined {
  if (row.frozen) return 'frozen'
  if (!row.funded) return 'balance'
  return row.allowed ? undefined : 'quota'
}

/** Base units of the asset that payments in flight may still take from the balance. */
async function readInFlight(
  db: Kysely<Tables>,
  { network, asset, payer }: Payment,
  { block, readAt }: PayerFunds,
): Promise<bigint> {
  const ageSeconds = (performance.now() - readAt) / 1000
  const { rows } = await sql<{ in_flight: string }>`
    select facilitator.amount_in_flight(${network}, ${asset}, ${payer}, ${block?.toString() ?? null}::numeric,
      make_interval(secs => ${ageSeconds}::float8)) as in_flight`.execute(db)
  return BigInt(rows[0]?.in_flight ?? 0)
}
