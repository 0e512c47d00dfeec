import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { SettlementsTable, Tables } from '../../database/tables.ts'
import type { Payment } from '../../payment/payment.ts'

/** A row of `facilitator.settlements`. Amounts are decimal texts. */
export type Settlement = Selectable<SettlementsTable>

/**
 * The identity of a payment: a nonce is unique within the network, the contract that keeps it and the payer.
 */
export interface PaymentKey {
  readonly network: string
  readonly domain: string
  readonly payer: string
  readonly nonce: string
}

export const paymentKey = ({ network, domain, payer, nonce }: Payment): PaymentKey => ({
  network,
  domain,
  payer,
  nonce,
})

export async function findByPayment(db: Kysely<Tables>, key: PaymentKey): Promise<Settlement | undefined> {
  return db
    .selectFrom('facilitator.settlements')
    .selectAll()
    .where('network', '=', key.network)
    .where('domain', '=', key.domain)
    .where('payer', '=', key.payer)
    .where('nonce', '=', key.nonce)
    .executeTakeFirst()
}

export async function findById(db: Kysely<Tables>, id: number): Promise<Settlement | undefined> {
  return db.selectFrom('facilitator.settlements').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Finds settlements, in the order of their ids in the list. */
export async function findByIds(
  db: Kysely<Tables>,
  ids: readonly number[],
): Promise<(Settlement | undefined)[]> {
  const { rows } = await sql<Settlement>`
    select * from facilitator.settlements where id = any (${[...ids]}::bigint[])`.execute(db)
  const byId = new Map(rows.map((settlement) => [settlement.id, settlement]))
  return ids.map((id) => byId.get(id))
}

/** Lists those of the settlements that have an outcome. */
export async function listEnded(db: Kysely<Tables>, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from facilitator.settlements where id = any (${[...ids]}::bigint[]) and state not in ('sent', 'unknown')`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/**
 * Makes unknown settlements due, because their transactions were mined: reconciliation checks them at once,
 * and soon again if its node lags. One that is being changed is left to that change.
 */
export async function makeUnknownDue(db: Kysely<Tables>, ids: readonly (number | string)[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update facilitator.settlements set lease_until = clock_timestamp(), check_count = 0
    where id in (
      select id from facilitator.settlements
      where id = any (${[...ids]}::bigint[]) and state = 'unknown' and lease_until > clock_timestamp()
      order by id for no key update skip locked)`.execute(db)
}

/** Finds a settlement, and locks it until the transaction ends. */
export async function lockById(trx: Transaction<Tables>, id: number): Promise<Settlement | undefined> {
  return trx
    .selectFrom('facilitator.settlements')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Changes the amount of a locked settlement that was not sent, and with it the fingerprint of its payment. */
export async function changeAmount(
  trx: Transaction<Tables>,
  id: number,
  { amount, fingerprint }: Pick<Payment, 'amount' | 'fingerprint'>,
): Promise<void> {
  await trx.updateTable('facilitator.settlements').set({ amount, fingerprint }).where('id', '=', id).execute()
}

/**
 * Claims the single delivery of a success for a call, unless another call has claimed it and not released it.
 * Returns whether the call owns the delivery. Idempotent: repeating the call returns the same result.
 */
export async function claimDelivery(db: Kysely<Tables>, id: number, call: string): Promise<boolean> {
  const { rows } = await sql`
    update facilitator.settlements set delivered_to = ${call},
      delivered_at = case when delivered_to = ${call} then delivered_at else clock_timestamp() end
    where id = ${id} and state = 'settled'
      and (delivered_at is null or delivered_to = ${call} or delivered_to = any (undelivered_to))
    returning id`.execute(db)
  return rows.length === 1
}

/**
 * Releases the delivery that a call may have claimed, so that another call can claim it. The call must not
 * deliver the success afterwards. A claim that is committed later is released too: a statement whose
 * connection was lost may still be running. Idempotent.
 */
export async function releaseDelivery(db: Kysely<Tables>, id: number, call: string): Promise<void> {
  await sql`
    update facilitator.settlements set undelivered_to = array_append(undelivered_to, ${call}::uuid)
    where id = ${id} and (${call}::uuid = any (undelivered_to)) is not true`.execute(db)
}

export const toSettlementSubject = (id: number): string => `settlement:${id}`
