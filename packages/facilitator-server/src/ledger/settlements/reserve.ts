import { randomBytes } from 'node:crypto'
import { transaction } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import { batchByKey } from '../../database/batch.ts'
import { retryLostConnection } from '../../database/lost-connection.ts'
import { type Enqueue, type NewEvent, payerSubject, recordEvents } from '../../events/record-event.ts'
import type { PayerFunds, Payment } from '../../payments/payment.ts'
import type { PaymentApi, Tables, UpstreamKind } from '../../tables.ts'
import { paymentKey } from './settlement.ts'

/** Why an account cannot pay the price. */
export type Shortage = 'balance' | 'quota' | 'frozen'

/** Why a payment is refused for what its payer, or its account, did recently. */
export type PayerRefusal = 'funds' | 'reverts'

/** The number of reverted transactions from which payments are refused, and how long each counts. 0 means no limit. */
export interface RevertLimits {
  readonly perPayer: number
  readonly perAccount: number
  readonly windowSeconds: number
}

/** The account of a call. */
export interface PayingAccount {
  readonly id: number
  /** The account's wallet. */
  readonly payer: string
}

export interface ReserveRequest {
  readonly payment: Payment
  readonly account: PayingAccount
  /** Identifies the call, which owns the settlement while its lease lasts. */
  readonly attempt: string
  readonly api: PaymentApi
  readonly idempotencyKey?: string
  /** The payer's balance. Without it, the payments in flight are not compared with the balance. */
  readonly funds?: PayerFunds | undefined
}

export type Reservation =
  | { readonly kind: 'granted'; readonly settlementId: number }
  /** The payment already has a settlement. */
  | { readonly kind: 'existing'; readonly settlementId: number }
  | { readonly kind: 'short'; readonly shortage: Shortage }
  /** The payer's balance does not cover the payments in flight, or too many transactions reverted. Nothing was written. */
  | { readonly kind: 'refused'; readonly cause: PayerRefusal }

export interface ReserveOptions {
  readonly price: bigint
  /** Who will execute the payments. */
  readonly upstream: UpstreamKind
  readonly leaseMilliseconds: number
  /** Milliseconds to retry while the database cannot be reached. */
  readonly patience: number
  /** A balance that falls below this is reported once (`payer_balance.low`). */
  readonly lowBalance: bigint
  readonly revertLimits: RevertLimits
  readonly enqueue?: Enqueue
  /** Called before the COMMIT, where a test may end the process. */
  readonly inTransaction: (point: 'in-hold-transaction') => void | Promise<void>
}

export type Reserve = (request: ReserveRequest) => Promise<Reservation>

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

/** The most settlements that one statement reserves. */
const MAX_BATCH_SIZE = 250

/**
 * Creates the function that holds the price and writes the settlement as `sent`, in one commit. Concurrent requests for one account share
 * one statement. A payment that was not sent is reserved again in its own row. Every request that the account can pay is granted.
 */
export function createReserve(db: Kysely<Tables>, options: ReserveOptions): Reserve {
  const reserve = batchByKey(
    (accountId: number, requests: ReserveRequest[]) => reserveBatch(db, options, accountId, requests),
    { maxItems: MAX_BATCH_SIZE },
  )
  return (request) => reserve(request.account.id, request)
}

async function reserveBatch(
  db: Kysely<Tables>,
  options: ReserveOptions,
  accountId: number,
  requests: readonly ReserveRequest[],
): Promise<Reservation[]> {
  const { price, leaseMilliseconds, revertLimits } = options
  const rows = await retryLostConnection(
    () =>
      transaction(db, async (trx) => {
        const items = JSON.stringify(
          requests.map((request) => ({ ...toReservationItem(request), upstream: options.upstream })),
        )
        const { rows } = await sql<ReservedRow>`
          select * from facilitator.reserve_covered_settlements(${accountId}::bigint, ${price.toString()}::numeric,
            make_interval(secs => ${leaseMilliseconds / 1000}::float8), ${items}::jsonb,
            make_interval(secs => ${revertLimits.windowSeconds}::float8), ${revertLimits.perPayer}::bigint,
            ${revertLimits.perAccount}::bigint)`.execute(trx)
        await recordEvents(trx, listThresholdEvents(rows, requests[0]?.account, options), options.enqueue)
        await options.inTransaction('in-hold-transaction')
        return rows
      }),
    options.patience,
  )
  const byAttempt = new Map(rows.map((row) => [row.attempt, row]))
  return requests.map(({ attempt }) => toReservation(byAttempt.get(attempt)))
}

/** Lists events for the thresholds that this reservation crossed. The next ones follow only after a credit or a new quota. */
function listThresholdEvents(
  rows: readonly ReservedRow[],
  account: PayingAccount | undefined,
  { price, lowBalance }: ReserveOptions,
): NewEvent[] {
  // The rows of payments that were refused for their payer have no values of the account.
  const row = rows.find(({ available }) => available !== null)
  if (row === undefined || account === undefined) return []
  const reserved = price * BigInt(rows.filter(({ newly_reserved }) => newly_reserved).length)
  const available = BigInt(row.available ?? 0)
  const remaining = BigInt(row.remaining ?? 0)
  const subject = payerSubject(account.payer)
  const events: NewEvent[] = []
  if (available < lowBalance && available + reserved >= lowBalance) {
    events.push({
      subject,
      type: 'payer_balance.low',
      account: account.id,
      data: { payer: account.payer, balance: row.available, threshold: lowBalance.toString() },
    })
  }
  if (remaining < price && remaining + reserved >= price) {
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

function toReservation(row: ReservedRow | undefined): Reservation {
  if (row?.settlement_id)
    return { kind: row.granted ? 'granted' : 'existing', settlementId: row.settlement_id }
  if (row?.shortage === 'funds' || row?.shortage === 'reverts')
    return { kind: 'refused', cause: row.shortage }
  if (row?.shortage) return { kind: 'short', shortage: row.shortage }
  throw new Error('reserve_settlements returned neither a settlement nor a shortage')
}

function toReservationItem({ payment, attempt, api, idempotencyKey, funds }: ReserveRequest) {
  return {
    ...paymentKey(payment),
    order_no: createOrderNo(),
    fingerprint: payment.fingerprint,
    wire_network: payment.wireNetwork,
    x402_version: payment.version,
    scheme: payment.scheme,
    asset: payment.asset,
    pay_to: payment.payTo,
    // As strings, because JSON numbers would lose digits.
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

/** Creates an unguessable order number. It begins with the time, so that the index grows at one end. */
function createOrderNo(): string {
  return `MP${Date.now().toString(36).toUpperCase().padStart(9, '0')}${randomBytes(8).toString('hex').toUpperCase()}`
}
