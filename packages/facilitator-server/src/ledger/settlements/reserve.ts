import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { batch, batchByKey } from '../../database/batch.ts'
import { type ColumnValue, formatComposite } from '../../database/composite.ts'
import { executeStatement } from '../../database/execute-statement.ts'
import type { PaymentApi, Tables, UpstreamKind } from '../../database/tables.ts'
import { type Enqueue, toEnqueueParameter } from '../../events/record-event.ts'
import type { PayerFunds, Payment } from '../../payment/payment.ts'
import { readResource } from '../../payment/resource.ts'
import { paymentKey } from './settlement.ts'

/** Why an account cannot pay the price. */
export type Shortage = 'balance' | 'quota' | 'frozen'

/**
 * Why a payment is refused for what its payer, or its account, did. `allowance`: payments in flight take what
 * the payer has approved. `identifier`: another payment has the payer's identifier, and was or
 * may still be executed.
 */
export type PayerRefusal = 'funds' | 'allowance' | 'reverts' | 'identifier'

/**
 * The number of reverted transactions from which payments are refused, and how long each counts. 0 means no
 * limit.
 */
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
  /** For how many milliseconds a settle may wait for others of one transaction. Default 0. */
  readonly batchDelayMs?: number
}

export interface ReserveRequest {
  readonly payment: Payment
  readonly account: PayingAccount
  /** Identifies the call, which owns the settlement while its lease lasts. */
  readonly attempt: string
  readonly api: PaymentApi
  readonly idempotencyKey?: string
  /**
   * What the payer has. Without it, the payments in flight are not compared with the balance and the
   * allowance.
   */
  readonly funds?: PayerFunds | undefined
}

export type Reservation =
  | { readonly kind: 'granted'; readonly settlementId: number }
  /** The payment already has a settlement. */
  | { readonly kind: 'existing'; readonly settlementId: number }
  | { readonly kind: 'short'; readonly shortage: Shortage }
  /** The payment is refused for what its payer, or its account, did. Nothing was written. */
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
  /** Called while the statement runs, where a test may end the process. */
  readonly faultPoint: (point: 'hold-in-flight') => void | Promise<void>
}

export type Reserve = (request: ReserveRequest) => Promise<Reservation>

interface ReservedRow {
  attempt: string
  settlement_id: number | null
  granted: boolean
  shortage: Shortage | PayerRefusal | 'busy' | null
}

/** The most settlements that one statement reserves. */
const MAX_BATCH_SIZE = 500

/**
 * Creates the function that holds the price and writes the settlement as `sent`, in one commit. Concurrent
 * requests share one statement, of whichever accounts. The requests of an account whose row is locked wait
 * for it in a statement of their own, so that they delay no other account. A payment that was not sent is
 * reserved again in its own row. Every request that the account can pay is granted.
 */
export function createReserve(db: Kysely<Tables>, options: ReserveOptions): Reserve {
  const limits = { maxItems: MAX_BATCH_SIZE }
  const reserveNow = batch(
    (requests: ReserveRequest[]) => reserveBatch(db, options, requests, { wait: false }),
    limits,
  )
  const reserveWaiting = batchByKey(
    (_: number, requests: ReserveRequest[]) => reserveBatch(db, options, requests, { wait: true }),
    limits,
  )
  return async (request) => {
    const reservation = await reserveNow(request)
    const granted = reservation === 'busy' ? await reserveWaiting(request.account.id, request) : reservation
    if (granted === 'busy') throw new Error('A reservation that waits for its account was not made')
    return granted
  }
}

async function reserveBatch(
  db: Kysely<Tables>,
  {
    price,
    upstream,
    leaseMilliseconds,
    patience,
    lowBalance,
    revertLimits,
    enqueue,
    faultPoint,
  }: ReserveOptions,
  requests: readonly ReserveRequest[],
  { wait }: { wait: boolean },
): Promise<(Reservation | 'busy')[]> {
  const { perPayer, perAccount, windowSeconds } = revertLimits
  const reserve = () => {
    const items = requests.map((request) => formatComposite(ITEM_COLUMNS, toItem(request, upstream)))
    return sql<ReservedRow>`
      select * from facilitator.reserve_settlements(${items}::facilitator.requested_settlement[], ${wait}::boolean, ${price.toString()}::numeric,
        make_interval(secs => ${leaseMilliseconds / 1000}::float8), make_interval(secs => ${windowSeconds}::float8),
        ${perPayer}::bigint, ${perAccount}::bigint, ${lowBalance.toString()}::numeric,
        ${toEnqueueParameter(enqueue)}::jsonb)`.execute(db)
  }
  const { rows } = await executeStatement(reserve, patience, () => faultPoint('hold-in-flight'))
  const byAttempt = new Map(rows.map((row) => [row.attempt, row]))
  return requests.map(({ attempt }) => toReservation(byAttempt.get(attempt)))
}

function toReservation(row: ReservedRow | undefined): Reservation | 'busy' {
  if (row?.settlement_id)
    return { kind: row.granted ? 'granted' : 'existing', settlementId: row.settlement_id }
  switch (row?.shortage) {
    case 'busy':
      return 'busy'
    case 'funds':
    case 'allowance':
    case 'reverts':
    case 'identifier':
      return { kind: 'refused', cause: row.shortage }
    case 'balance':
    case 'quota':
    case 'frozen':
      return { kind: 'short', shortage: row.shortage }
    default:
      throw new Error('reserve_settlements returned neither a settlement nor a shortage')
  }
}

/** The columns of `facilitator.requested_settlement`, in its order. */
export const ITEM_COLUMNS = [
  'account_id',
  'order_no',
  'network',
  'domain',
  'payer',
  'nonce',
  'fingerprint',
  'wire_network',
  'x402_version',
  'scheme',
  'asset',
  'pay_to',
  'amount',
  'valid_before',
  'api',
  'idempotency_key',
  'upstream',
  'attempt',
  'balance',
  'at_block',
  'read_age_ms',
  'allowance',
  'own_allowance',
  'payment_identifier',
  'reverts_count_for',
  'refund_amount',
  'refund_of',
  'resource',
] as const

function toItem(
  { payment, account, attempt, api, idempotencyKey, funds }: ReserveRequest,
  upstream: UpstreamKind,
): Record<(typeof ITEM_COLUMNS)[number], ColumnValue> {
  return {
    account_id: account.id,
    ...paymentKey(payment),
    order_no: createOrderNo(),
    fingerprint: payment.fingerprint,
    wire_network: payment.wireNetwork,
    x402_version: payment.version,
    scheme: payment.scheme.name,
    asset: payment.asset,
    pay_to: payment.payTo,
    amount: payment.amount,
    valid_before: payment.validBefore,
    api,
    idempotency_key: idempotencyKey ?? null,
    upstream,
    attempt,
    balance: funds?.balance ?? null,
    at_block: funds?.block ?? null,
    read_age_ms: funds === undefined ? null : performance.now() - funds.readAt,
    allowance: typeof funds?.allowance === 'bigint' ? funds.allowance : null,
    own_allowance: funds?.allowance === 'own',
    payment_identifier: payment.identifier ?? null,
    reverts_count_for: payment.scheme.revertsCountFor ?? 'payer',
    refund_amount: payment.refund?.amount ?? null,
    refund_of: payment.refund?.of ?? null,
    resource: readResource(payment),
  }
}

/** Creates an unguessable order number. It begins with the time, so that the index grows at one end. */
function createOrderNo(): string {
  return `MP${Date.now().toString(36).toUpperCase().padStart(9, '0')}${randomBytes(8).toString('hex').toUpperCase()}`
}
