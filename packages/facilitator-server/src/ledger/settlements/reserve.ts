import { randomBytes } from 'node:crypto'
import { transaction } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import { coalesceBy } from '../../database/batch.ts'
import { throughLostConnections } from '../../database/lost-connection.ts'
import { type Enqueue, type NewEvent, payerSubject, recordEvents } from '../../events/record-event.ts'
import type { PayerFunds, Payment } from '../../payments/payment.ts'
import type { PaymentApi, Tables, UpstreamKind } from '../../tables.ts'
import type { InTransaction } from '../../payments/fault-points.ts'
import { paymentKey } from './settlement.ts'

/** Why a price could not be taken. */
export type Shortage = 'balance' | 'quota' | 'frozen'

/** Why a payment is refused for what its payer, or its account, has done lately. */
export type PayerRefusal = 'funds' | 'reverts'

/** How many reverted transactions make payments be refused, and how long each counts. 0 means no limit. */
export interface RevertLimits {
  readonly perPayer: number
  readonly perAccount: number
  readonly windowSeconds: number
}

/** The account behind a call. */
export interface PayingAccount {
  readonly id: number
  /** Its wallet. */
  readonly payer: string
}

export interface ReserveRequest {
  readonly payment: Payment
  readonly account: PayingAccount
  /** Names the call; whoever has it owns the settlement while its lease lasts. */
  readonly attempt: string
  readonly api: PaymentApi
  readonly idempotencyKey?: string
  /** The payer's balance. Without it, what the payer has in flight is not compared. */
  readonly funds?: PayerFunds | undefined
}

export type Reservation =
  | { readonly kind: 'granted'; readonly settlementId: number }
  /** The payment has a settlement already. */
  | { readonly kind: 'standing'; readonly settlementId: number }
  | { readonly kind: 'short'; readonly shortage: Shortage }
  /** The payer cannot pay beside what is in flight, or too many transactions reverted; nothing was written. */
  | { readonly kind: 'refused'; readonly cause: PayerRefusal }

export interface ReserveOptions {
  readonly price: bigint
  /** Who will execute the payments. */
  readonly upstream: UpstreamKind
  readonly leaseMilliseconds: number
  /** Milliseconds to go on trying while the database cannot be reached. */
  readonly patience: number
  /** A balance that falls below it is told of once (`payer_balance.low`). */
  readonly lowBalance: bigint
  readonly revertLimits: RevertLimits
  readonly enqueue?: Enqueue
  readonly inTransaction: InTransaction
}

interface ReservedRow {
  attempt: string
  settlement_id: number | null
  granted: boolean
  newly_reserved: boolean | null
  shortage: Shortage | PayerRefusal | null
  available: string | null
  remaining: string | null
  quota_limit: string | null
  quota_nonce: string | null
}

/**
 * Takes the price and writes the settlement as `sent`, in one commit; requests for one account that arrive together share
 * one statement. A payment that was not sent before is reserved again in its own row. What the account can pay is
 * granted, to the last request.
 */
export function createReserve(
  db: Kysely<Tables>,
  options: ReserveOptions,
): (request: ReserveRequest) => Promise<Reservation> {
  const { price, leaseMilliseconds, patience, lowBalance, revertLimits, enqueue, inTransaction } = options

  async function reserveTogether(accountId: number, requests: ReserveRequest[]): Promise<Reservation[]> {
    const rows = await throughLostConnections(
      () =>
        transaction(db, async (trx) => {
          const items = JSON.stringify(
            requests.map((request) => ({ ...settlementItem(request), upstream: options.upstream })),
          )
          const { rows } = await sql<ReservedRow>`
            select * from facilitator.reserve_covered_settlements(${accountId}::bigint, ${price.toString()}::numeric,
              make_interval(secs => ${leaseMilliseconds / 1000}::float8), ${items}::jsonb,
              make_interval(secs => ${revertLimits.windowSeconds}::float8), ${revertLimits.perPayer}::bigint,
              ${revertLimits.perAccount}::bigint)`.execute(trx)
          await recordEvents(trx, crossings(rows, requests), enqueue)
          await inTransaction('in-hold-transaction')
          return rows
        }),
      patience,
    )
    const byAttempt = new Map(rows.map((row) => [row.attempt, row]))
    return requests.map(({ attempt }) => reservationOf(byAttempt.get(attempt)))
  }

  /** Events for thresholds that this reservation went below; later ones stay silent until a credit or a new quota. */
  function crossings(rows: ReservedRow[], requests: ReserveRequest[]): NewEvent[] {
    // Payments refused for their payer tell nothing of the account.
    const row = rows.find(({ available }) => available !== null)
    const account = requests[0]?.account
    if (row === undefined || account === undefined) return []
    const taken = price * BigInt(rows.filter(({ newly_reserved }) => newly_reserved).length)
    const available = BigInt(row.available ?? 0)
    const remaining = BigInt(row.remaining ?? 0)
    const subject = payerSubject(account.payer)
    const events: NewEvent[] = []
    if (available < lowBalance && available + taken >= lowBalance) {
      events.push({
        subject,
        type: 'payer_balance.low',
        account: account.id,
        data: { payer: account.payer, balance: row.available, threshold: lowBalance.toString() },
      })
    }
    if (remaining < price && remaining + taken >= price) {
      events.push({
        subject,
        type: 'payer_quota.exhausted',
        account: account.id,
        data: {
          payer: account.payer,
          nonce: row.quota_nonce,
          limit: row.quota_limit,
          remaining: row.remaining,
        },
      })
    }
    return events
  }

  const reserve = coalesceBy(reserveTogether, { most: 250 })
  return (request) => reserve(request.account.id, request)
}

function reservationOf(row: ReservedRow | undefined): Reservation {
  if (row?.settlement_id)
    return { kind: row.granted ? 'granted' : 'standing', settlementId: row.settlement_id }
  if (row?.shortage === 'funds' || row?.shortage === 'reverts')
    return { kind: 'refused', cause: row.shortage }
  if (row?.shortage) return { kind: 'short', shortage: row.shortage }
  throw new Error('reserve_settlements answered neither a settlement nor a shortage')
}

function settlementItem({ payment, attempt, api, idempotencyKey, funds }: ReserveRequest) {
  return {
    ...paymentKey(payment),
    order_no: newOrderNo(),
    fingerprint: payment.fingerprint,
    wire_network: payment.wireNetwork,
    x402_version: payment.version,
    scheme: payment.scheme,
    asset: payment.asset,
    pay_to: payment.payTo,
    // As texts: JSON numbers would lose digits.
    amount: payment.amount.toString(),
    valid_before: payment.validBefore.toString(),
    api,
    idempotency_key: idempotencyKey ?? null,
    attempt,
    balance: funds?.balance.toString() ?? null,
    at_block: funds?.block?.toString() ?? null,
    read_age_ms: funds === undefined ? null : performance.now() - funds.readAt,
  }
}

/** Unguessable, and begins with the time, so that the index grows at one end. */
function newOrderNo(): string {
  return `MP${Date.now().toString(36).toUpperCase().padStart(9, '0')}${randomBytes(8).toString('hex').toUpperCase()}`
}
