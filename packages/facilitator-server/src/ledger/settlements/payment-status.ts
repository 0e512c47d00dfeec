import { type Kysely, sql } from 'kysely'
import { batch } from '../../database/batch.ts'
import type { SettlementState, Tables } from '../../database/tables.ts'
import type { PayerFunds, Payment } from '../../payment/payment.ts'
import type { RevertLimits, Shortage } from './reserve.ts'

/** The settlement of a payment, as far as it decides the outcome of a verify. */
export interface ExistingSettlement {
  readonly accountId: number
  readonly fingerprint: string
  readonly state: SettlementState
  readonly reason: string | undefined
  readonly idempotencyKey: string | undefined
  /** The payer's identifier of the payment. */
  readonly identifier: string | null
  /** Whether its success was delivered. */
  readonly isDelivered: boolean
}

/** What decides whether an account could settle a payment now. */
export interface PaymentStatus {
  readonly shortage: Shortage | undefined
  /** Whether the payer, or the account, has had too many reverted transactions recently. */
  readonly reverted: boolean
  /** Whether another payment has the payer's identifier, and was or may still be executed. */
  readonly identifierUsed: boolean
  /**
   * Upper bound of what the payer has in flight, in base units of the asset. Includes payments that the
   * balance already reflects. Undefined for a payer with many payments in the last minute.
   */
  readonly maxInFlight: bigint | undefined
  readonly existing: ExistingSettlement | undefined
}

export interface StatusRequest {
  readonly payment: Payment
  readonly accountId: number
}

export type ReadPaymentStatus = (request: StatusRequest) => Promise<PaymentStatus>

/** The most payments that one statement reads. */
const MAX_BATCH_SIZE = 200

/** Creates the function that reads the status of a payment. Concurrent requests share a statement. */
export function createReadPaymentStatus(
  db: Kysely<Tables>,
  price: bigint,
  limits: RevertLimits,
): ReadPaymentStatus {
  const read = batch((requests: StatusRequest[]) => readBatch(db, price, limits, requests), {
    maxItems: MAX_BATCH_SIZE,
  })
  return async (request) => {
    const status = await read(request)
    if (status === undefined) throw new Error(`Account ${request.accountId} does not exist`)
    return status
  }
}

interface StatusRow {
  place: number
  frozen: boolean
  funded: boolean
  allowed: boolean
  reverted: boolean
  in_flight: string | null
  account_id: number | null
  fingerprint: string
  state: SettlementState
  reason: string | null
  idempotency_key: string | null
  identifier: string | null
  delivered: boolean
  identifier_used: boolean
}

async function readBatch(
  db: Kysely<Tables>,
  price: bigint,
  { perPayer, perAccount, windowSeconds }: RevertLimits,
  requests: readonly StatusRequest[],
): Promise<(PaymentStatus | undefined)[]> {
  const accounts = requests.map(({ accountId }) => accountId)
  const networks = requests.map(({ payment }) => payment.network)
  const assets = requests.map(({ payment }) => payment.asset)
  const payers = requests.map(({ payment }) => payment.payer)
  const domains = requests.map(({ payment }) => payment.domain)
  const nonces = requests.map(({ payment }) => payment.nonce)
  const identifiers = requests.map(({ payment }) => payment.identifier ?? null)
  const { rows } = await sql<StatusRow>`
    select * from facilitator.read_payment_status(${accounts}::bigint[], ${networks}::text[], ${assets}::text[],
      ${domains}::text[], ${payers}::text[], ${nonces}::text[], ${price.toString()}::numeric,
      make_interval(secs => ${windowSeconds}::float8), ${perPayer}::bigint, ${perAccount}::bigint,
      ${identifiers}::text[])`.execute(db)
  const byPlace = new Map(rows.map((row) => [row.place, row]))
  return requests.map((_, index) => {
    const row = byPlace.get(index + 1)
    return row && toStatus(row)
  })
}

function toStatus(row: StatusRow): PaymentStatus {
  const { account_id: accountId, fingerprint, state, reason, idempotency_key: key, delivered } = row
  return {
    shortage: toShortage(row),
    reverted: row.reverted,
    identifierUsed: row.identifier_used,
    maxInFlight: row.in_flight === null ? undefined : BigInt(row.in_flight),
    existing:
      accountId === null
        ? undefined
        : {
            accountId,
            fingerprint,
            state,
            reason: reason ?? undefined,
            idempotencyKey: key ?? undefined,
            identifier: row.identifier,
            isDelivered: delivered,
          },
  }
}

function toShortage(row: { frozen: boolean; funded: boolean; allowed: boolean }): Shortage | undefined {
  if (row.frozen) return 'frozen'
  if (!row.funded) return 'balance'
  return row.allowed ? undefined : 'quota'
}

/**
 * Reads the base units of the asset that payments in flight may still take from the balance. With `domain`:
 * that those of the domain may still take from the allowance, more than any allowance if one of them replaces
 * it.
 */
export async function readInFlight(
  db: Kysely<Tables>,
  { network, asset, payer }: Payment,
  { block, readAt }: PayerFunds,
  { domain }: { domain?: string } = {},
): Promise<bigint> {
  const ageSeconds = (performance.now() - readAt) / 1000
  const { rows } = await sql<{ in_flight: string }>`
    select facilitator.amount_in_flight(${network}, ${asset}, ${payer}, ${block?.toString() ?? null}::numeric,
      make_interval(secs => ${ageSeconds}::float8), ${domain ?? null}::text) as in_flight`.execute(db)
  return BigInt(rows[0]?.in_flight ?? 0)
}
