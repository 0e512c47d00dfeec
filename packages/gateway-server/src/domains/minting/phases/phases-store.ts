import { OrderStatus } from '@mintmark/orders'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Tenant } from '../../../database/tenant.ts'
import type { NewPhase } from './phase-rules.ts'

export type PhaseRow = Selectable<Tables['gateway.mint_phases']>

/** Lists the phases of a presale by their starts. `open` and `upcoming` are by the database's clock. */
export async function list(
  tenant: Tenant,
  collection: number,
): Promise<(PhaseRow & { open: boolean; upcoming: boolean })[]> {
  return await tenant
    .selectFrom('gateway.mint_phases')
    .selectAll()
    .select([
      sql<boolean>`start_time <= clock_timestamp() and end_time > clock_timestamp()`.as('open'),
      sql<boolean>`start_time > clock_timestamp()`.as('upcoming'),
    ])
    .where('collection_id', '=', collection)
    .where('deleted', '=', sql.lit(false))
    .orderBy('start_time')
    .execute()
}

export async function findByName(
  tenant: Tenant,
  collection: number,
  name: string,
): Promise<PhaseRow | undefined> {
  return await tenant
    .selectFrom('gateway.mint_phases')
    .selectAll()
    .where('collection_id', '=', collection)
    .where('name', '=', name)
    .where('deleted', '=', sql.lit(false))
    .executeTakeFirst()
}

/**
 * Replaces the phases of a presale, whose collection the caller has locked. A phase whose name stays keeps
 * its counts and its whitelist.
 */
export async function replace(trx: Tenant, collection: number, phases: readonly NewPhase[]): Promise<void> {
  await trx
    .updateTable('gateway.mint_phases')
    .set({ deleted: true, updated_at: sql`clock_timestamp()` })
    .where('collection_id', '=', collection)
    .where('deleted', '=', false)
    .where(sql<boolean>`name <> all(${phases.map(({ name }) => name)}::text[])`)
    .execute()
  for (const phase of phases) {
    await trx
      .insertInto('gateway.mint_phases')
      .values({ ...phase, collection_id: collection })
      .onConflict((conflict) =>
        conflict
          .constraint('mint_phases_name')
          .doUpdateSet({ ...phase, deleted: false, updated_at: sql`clock_timestamp()` }),
      )
      .execute()
  }
}

/**
 * Counts a mint in a phase, and locks it until the transaction ends. Returns undefined if it is closed or has
 * fewer units left.
 */
export async function claim(trx: Tenant, phase: number, quantity: number): Promise<PhaseRow | undefined> {
  return await addClaimed(trx, phase, quantity)
    .where(sql<boolean>`start_time <= clock_timestamp() and end_time > clock_timestamp()`)
    .returningAll()
    .executeTakeFirst()
}

function addClaimed(trx: Tenant, phase: number, quantity: number) {
  return trx
    .updateTable('gateway.mint_phases')
    .set({ claimed: sql`claimed + ${quantity}` })
    .where('id', '=', phase)
    .where('deleted', '=', false)
    .where(sql<boolean>`(max_claimable = 0 or claimed + ${quantity} <= max_claimable)`)
}

/**
 * Counts a released mint again, even after the phase's end. Returns false if the phase is removed or has
 * fewer units left.
 */
export async function reclaim(trx: Tenant, phase: number, quantity: number): Promise<boolean> {
  const { numUpdatedRows } = await addClaimed(trx, phase, quantity).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A mint that counts in a phase and for a wallet. */
export interface PhaseMint {
  readonly phase: number
  readonly wallet: string
  readonly quantity: number
}

/** Subtracts mints from the counts of their phases and their wallets. */
export async function unclaim(trx: Tenant, mints: readonly PhaseMint[]): Promise<void> {
  const column = <Key extends keyof PhaseMint>(key: Key) => mints.map((mint) => mint[key])
  const given = sql`
    select * from unnest(${column('phase')}::bigint[], ${column('wallet')}::text[], ${column('quantity')}::bigint[])
      as g (phase, wallet, quantity)`
  // Rows are locked in the order of their keys, as everywhere, so that no two transactions deadlock.
  await sql`
    with given as (select phase, sum(quantity) as quantity from (${given}) g group by phase),
    locked as (
      select k.id from gateway.mint_phases k where k.project_id = ${trx.project} and k.id in (select phase from given)
      order by k.id for update)
    update gateway.mint_phases p set claimed = p.claimed - g.quantity
    from locked l join given g on g.phase = l.id
    where p.project_id = ${trx.project} and p.id = l.id`.execute(trx)
  await sql`
    with given as (select phase, wallet, sum(quantity) as quantity from (${given}) g group by phase, wallet),
    locked as (
      select k.phase_id, k.wallet from gateway.mint_wallets k
      where k.project_id = ${trx.project} and (k.phase_id, k.wallet) in (select phase, wallet from given)
      order by k.phase_id, k.wallet for update)
    update gateway.mint_wallets w set used = w.used - g.quantity
    from locked l join given g on g.phase = l.phase_id and g.wallet = l.wallet
    where w.project_id = ${trx.project} and w.phase_id = l.phase_id and w.wallet = l.wallet`.execute(trx)
}

/** Counts a mint of a wallet. Returns false if that exceeds the limit; a limit of 0 means none. */
export async function countWallet(
  trx: Tenant,
  of: { phase: number; wallet: string; quantity: number },
  limit: number,
): Promise<boolean> {
  const { rows } = await sql<{ used: number }>`
    insert into gateway.mint_wallets as w (project_id, phase_id, wallet, used)
    select ${trx.project}::bigint, ${of.phase}::bigint, ${of.wallet}::text, ${of.quantity}::bigint
    where ${limit}::bigint = 0 or ${of.quantity}::bigint <= ${limit}::bigint
    on conflict (project_id, phase_id, wallet) do update set used = w.used + excluded.used
      where ${limit}::bigint = 0 or w.used + excluded.used <= ${limit}::bigint
    returning w.used`.execute(trx)
  return rows.length > 0
}

/**
 * Counts one more open order of a wallet that has mints of the phase. Returns false if the wallet has `limit`
 * open orders already.
 */
export async function countOpen(trx: Tenant, of: PhaseWallet, limit: number): Promise<boolean> {
  const { numUpdatedRows } = await updateWallet(trx, of)
    .set({ open: sql`open + 1` })
    .where('open', '<', limit)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Subtracts an ended order from a wallet's open orders. */
export async function uncountOpen(trx: Tenant, of: PhaseWallet): Promise<void> {
  await updateWallet(trx, of).set({ open: sql`open - 1` }).execute()
}

type PhaseWallet = Pick<PhaseMint, 'phase' | 'wallet'>

const updateWallet = (trx: Tenant, { phase, wallet }: PhaseWallet) =>
  trx.updateTable('gateway.mint_wallets').where('phase_id', '=', phase).where('wallet', '=', wallet)

/**
 * Counts what is reserved and minted in a phase, and by a wallet of it. Expired reservations and overdue
 * orders do not count.
 */
export async function countsOf(
  tenant: Tenant,
  phase: Pick<PhaseRow, 'project_id' | 'collection_id' | 'id'>,
  wallet: string,
): Promise<{ claimed: number; used: number }> {
  const { project_id: project, collection_id: collection, id } = phase
  const { rows } = await sql<{ claimed: number; used: number }>`
    with expired as (
      select recipient, quantity from gateway.mint_reservations
      where project_id = ${project} and collection_id = ${collection} and phase_id = ${id} and status = 'RESERVED'
        and order_id is null and expires_at <= clock_timestamp()
      union all
      select recipient, quantity from gateway.orders
      where project_id = ${project} and phase_id = ${id} and status = ${sql.lit(OrderStatus.PRE)}
        and expires_at <= clock_timestamp())
    select
      p.claimed - (select coalesce(sum(quantity), 0) from expired)::bigint as claimed,
      coalesce((
        select w.used from gateway.mint_wallets w
        where w.project_id = p.project_id and w.phase_id = p.id and w.wallet = ${wallet}), 0)
        - (select coalesce(sum(quantity), 0) from expired where recipient = ${wallet})::bigint as used
    from gateway.mint_phases p where p.project_id = ${project} and p.id = ${id}`.execute(tenant)
  return rows[0] ?? { claimed: 0, used: 0 }
}

/** Returns the names of a presale's phases by their ids, removed phases included. */
export async function namesOf(tenant: Tenant, collection: number): Promise<Map<number, string>> {
  const rows = await tenant
    .selectFrom('gateway.mint_phases')
    .select(['id', 'name'])
    .where('collection_id', '=', collection)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/**
 * Gives the whitelist of a phase a new revision, and locks the phase: a whitelist does not change during a
 * mint.
 */
export async function reviseWhitelist(trx: Tenant, phase: number): Promise<void> {
  await trx
    .updateTable('gateway.mint_phases')
    .set({ whitelist_revision: sql`gen_random_uuid()` })
    .where('id', '=', phase)
    .execute()
}
