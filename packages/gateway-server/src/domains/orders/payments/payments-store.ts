import { OrderStatus, PAYMENT_HASH_TAKEN, TOO_MANY_PAYMENTS } from '@mintmark/orders'
import { refusal } from '@mintmark/server-kit'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { maxUint256 } from 'viem'
import type { Tables } from '../../../database/tables.ts'
import type { Tenant } from '../../../database/tenant.ts'
import type { OrderRow } from '../orders-store.ts'

/** Outcomes that replace what the chain shows of a mined transaction. */
export const LASTING_OUTCOMES = ['payment_used', 'part', 'refunded'] as const
export type LastingOutcome =
  /** It counts for, or is in dispute with, another order of the project. */
  | 'payment_used'
  /** It counts for this order as a part of the price. */
  | 'part'
  /** An operator decided that it goes back. */
  | 'refunded'

/** A transaction that an order claims as its payment, with times in seconds by the database's clock. */
export type Claim = Selectable<Tables['gateway.order_payments']> & {
  /** Since it was first reported. */
  age: number
  /** Since it was reported, or a node last knew it. */
  unknown_for: number
}

/**
 * Records a transaction that an order claims as its payment. Other orders may claim it as well: the chain
 * decides for each. Reporting it again changes nothing, so repeated reports prolong nothing. Refuses a
 * transaction that counts for another order of the project, and one beyond the `limit` of an order.
 */
export async function recordClaim(trx: Tenant, order: OrderRow, hash: string, limit: number): Promise<void> {
  const { id } = order
  const claims = await listClaims(trx, order)
  if (claims.length >= limit && !claims.some((claim) => claim.hash === hash)) throw refusal(TOO_MANY_PAYMENTS)
  if (await counts(trx, order, hash, '<>')) throw refusal(PAYMENT_HASH_TAKEN)
  await trx
    .insertInto('gateway.order_payments')
    .values({ hash, order_id: id })
    .onConflict((conflict) => conflict.columns(['project_id', 'order_id', 'hash']).doNothing())
    .execute()
}

/** Whether a transaction counts for the order (`=`), or for another one of the project (`<>`). */
async function counts(trx: Tenant, order: OrderRow, hash: string, whose: '=' | '<>'): Promise<boolean> {
  const row = await trx
    .selectFrom('gateway.consumed_payments')
    .select('order_id')
    .where('chain_id', '=', order.chain_id)
    .where('hash', '=', hash)
    .where('order_id', whose, order.id)
    .executeTakeFirst()
  return row !== undefined
}

/** Lists the transactions that an order claims, sorted by their hashes. */
export async function listClaims(tenant: Tenant, order: { id: number }): Promise<Claim[]> {
  return await tenant
    .selectFrom('gateway.order_payments')
    .selectAll()
    .select([
      sql<number>`extract(epoch from clock_timestamp() - reported_at)::float8`.as('age'),
      sql<number>`extract(epoch from clock_timestamp() - greatest(reported_at, seen_at))::float8`.as(
        'unknown_for',
      ),
    ])
    .where('order_id', '=', order.id)
    .orderBy('hash')
    .execute()
}

/** Saves what a chain shows of a transaction to the claim of an order. */
export async function saveObservation(
  trx: Tenant,
  order: { id: number },
  hash: string,
  observation: { minedBlock: number; seen: boolean; outcome: string; paid?: bigint | undefined },
): Promise<void> {
  await trx
    .updateTable('gateway.order_payments')
    .set({
      mined_block: observation.minedBlock,
      outcome: observation.outcome,
      ...(observation.seen && { seen_at: sql<Date>`clock_timestamp()` }),
      ...(observation.paid !== undefined && { paid_amount: observation.paid.toString() }),
    })
    .where('order_id', '=', order.id)
    .where('hash', '=', hash)
    .execute()
}

/** A final payment of an order. */
export interface FinalPayment {
  readonly hash: string
  readonly block: number
  readonly paid: bigint
}

/**
 * Whether another order of the project that waits for its payment claims the same transaction and fits it
 * better. The most expensive order that the amount covers comes first, then one that has not ended, then the
 * oldest: an attacker cannot divert a buyer's payment with a cheap order in the buyer's name.
 */
export async function fitsAnotherBetter(
  trx: Tenant,
  order: OrderRow,
  payment: FinalPayment,
): Promise<boolean> {
  const hasEnded = order.status !== OrderStatus.IN_PROGRESS
  const isBetter = sql<boolean>`(o.pay_amount > ${order.pay_amount}::numeric
    or (o.pay_amount = ${order.pay_amount}::numeric and (${hasEnded} or o.id < ${order.id})))`
  return await fitsAnother(trx, order, payment, isBetter)
}

/**
 * Whether another order of the project waits for its payment and claims the same transaction, which covers it.
 * A payment that this order cannot use belongs to that order.
 */
export async function fitsAnyOther(trx: Tenant, order: OrderRow, payment: FinalPayment): Promise<boolean> {
  return await fitsAnother(trx, order, payment, sql<boolean>`true`)
}

async function fitsAnother(
  trx: Tenant,
  order: OrderRow,
  payment: FinalPayment,
  condition: RawBuilder<boolean>,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from gateway.order_payments p
    join gateway.orders o on o.project_id = p.project_id and o.id = p.order_id
    where p.project_id = ${trx.project} and p.hash = ${payment.hash} and p.order_id <> ${order.id}
      and p.outcome <> all(${LASTING_OUTCOMES}::text[])
      and o.status = ${OrderStatus.IN_PROGRESS} and o.chain_id = ${order.chain_id}
      and o.recipient = ${order.recipient} and o.sender = ${order.sender}
      and o.pay_token_address = ${order.pay_token_address} and o.placed_at_block < ${payment.block}
      and o.pay_amount <= ${payment.paid.toString()}::numeric and ${condition}
    limit 1`.execute(trx)
  return rows.length > 0
}

/**
 * Sums what the final payments of an order have paid, without those that count for another order, up to the
 * largest amount of a token.
 */
export async function sumPaid(tenant: Tenant, order: OrderRow): Promise<string> {
  const { rows } = await sql<{ paid: string }>`
    select least(coalesce(sum(p.paid_amount), 0), ${maxUint256.toString()}::numeric)::text as paid from gateway.order_payments p
    where p.project_id = ${tenant.project} and p.order_id = ${order.id}
      and p.outcome in ('paid', 'part', 'not_enough', 'refunded') and not exists (
        select from gateway.consumed_payments c
        where c.project_id = p.project_id and c.chain_id = ${order.chain_id} and c.hash = p.hash
          and c.order_id <> p.order_id)`.execute(tenant)
  return rows[0]?.paid ?? '0'
}

/**
 * Counts a payment for an order, once in the project. Returns false if it counts for another order of the
 * project. Orders of other projects do not matter: nobody can use up a payment by an order in a project of
 * their own.
 */
export async function consume(trx: Tenant, order: OrderRow, hash: string): Promise<boolean> {
  const { id, chain_id: chain } = order
  await trx
    .insertInto('gateway.consumed_payments')
    .values({ chain_id: chain, hash, order_id: id })
    .onConflict((conflict) => conflict.columns(['project_id', 'chain_id', 'hash']).doNothing())
    .execute()
  return !(await counts(trx, order, hash, '<>'))
}

/**
 * Keeps the inventory of an UNRESOLVED order reserved because of a transaction. Returns false if the
 * transaction counts for another order of the project, or keeps that order's inventory reserved. One that
 * counts for this order does so by itself.
 */
export async function dispute(trx: Tenant, order: OrderRow, hash: string): Promise<boolean> {
  const { id, chain_id: chain } = order
  if (await counts(trx, order, hash, '=')) return true
  const { rows } = await sql`
    insert into gateway.disputed_payments (project_id, hash, order_id)
    select ${trx.project}::bigint, ${hash}, ${id}::bigint where not exists (
      select 1 from gateway.consumed_payments
      where project_id = ${trx.project} and chain_id = ${chain} and hash = ${hash} and order_id <> ${id})
    on conflict (project_id, hash) do nothing
    returning hash`.execute(trx)
  return rows.length > 0
}

/**
 * Ends the dispute of an order that is resolved: its transaction may keep another order's inventory reserved.
 */
export async function endDispute(trx: Tenant, order: OrderRow): Promise<void> {
  await trx.deleteFrom('gateway.disputed_payments').where('order_id', '=', order.id).execute()
}
