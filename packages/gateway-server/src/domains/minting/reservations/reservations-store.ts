import {
  findPage,
  type PageQuery,
  type PageRows,
  type SortColumns,
  type TimeRange,
} from '@mintmark/server-kit'
import { type Selectable, sql, type Updateable } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { NewRow, Tenant } from '../../../database/tenant.ts'

export type ReservationRow = Selectable<Tables['gateway.mint_reservations']>
/** A reservation with the number of its order; empty for none. */
export type MintRow = ReservationRow & { order_no: string }

/** How long a reservation without a signature and an order lasts. */
export const HOLD_SECONDS = 600

export const MINT_ORDERS = { id: 'created_at', createTime: 'created_at' } as const satisfies SortColumns

export async function add(
  trx: Tenant,
  row: Omit<NewRow<'gateway.mint_reservations'>, 'expires_at'>,
): Promise<ReservationRow> {
  return await trx
    .insertInto('gateway.mint_reservations')
    .values({ ...row, expires_at: sql`clock_timestamp() + make_interval(secs => ${HOLD_SECONDS})` })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function change(
  trx: Tenant,
  { id }: Pick<ReservationRow, 'id'>,
  values: Updateable<Tables['gateway.mint_reservations']>,
): Promise<ReservationRow> {
  return await trx
    .updateTable('gateway.mint_reservations')
    .set({ ...values, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Moves a reservation from one status to another. Returns false if another process has changed the status.
 */
export async function move(
  trx: Tenant,
  { id }: Pick<ReservationRow, 'id'>,
  from: ReservationRow['status'],
  values: Updateable<Tables['gateway.mint_reservations']>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('gateway.mint_reservations')
    .set({ ...values, due_at: null, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('status', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Counts the draws of a collection that are neither signed nor ordered and have not expired, and those of one
 * wallet among them.
 */
export async function countDraws(
  trx: Tenant,
  of: { readonly collection: number; readonly recipient: string },
): Promise<{ readonly all: number; readonly own: number }> {
  return await trx
    .selectFrom('gateway.mint_reservations')
    .select([
      sql<number>`count(*)::float8`.as('all'),
      sql<number>`(count(*) filter (where recipient = ${of.recipient}))::float8`.as('own'),
    ])
    .where('collection_id', '=', of.collection)
    .where('status', '=', sql.lit('RESERVED'))
    .where('order_id', 'is', null)
    .where(sql<boolean>`expires_at > clock_timestamp()`)
    .executeTakeFirstOrThrow()
}

const OPEN = ['RESERVED', 'SIGNED'] as const

/** Whose reservation, and of what; without `nft` of any NFT. */
export interface ReservationKey {
  readonly collection: number
  readonly nft?: number | undefined
  readonly recipient: string
  readonly quantity: number
}

/**
 * Finds the undecided reservation of a wallet for an NFT, or for units of the collection's own token (`nft`
 * 0), and locks it until the transaction ends. An expired reservation without a signature does not count.
 */
export async function lockOpen(trx: Tenant, of: ReservationKey): Promise<ReservationRow | undefined> {
  return await open(trx, of).forUpdate().executeTakeFirst()
}

/** Finds the same reservation without locking it. */
export async function findOpen(tenant: Tenant, of: ReservationKey): Promise<ReservationRow | undefined> {
  return await open(tenant, of).executeTakeFirst()
}

function open(tenant: Tenant, of: ReservationKey) {
  let reservations = tenant
    .selectFrom('gateway.mint_reservations')
    .selectAll()
    .where('collection_id', '=', of.collection)
    .where('recipient', '=', of.recipient)
    .where('quantity', '=', of.quantity)
  if (of.nft !== undefined) reservations = reservations.where('nft', '=', of.nft)
  return (
    reservations
      .where('status', 'in', OPEN)
      // Reservations of orders belong to their orders.
      .where('needs_order', '=', false)
      .where(sql<boolean>`(status = 'SIGNED' or expires_at > clock_timestamp())`)
      // The chain has shown a use of the signature, though not in a final block yet.
      .where('hash', '=', '')
      .orderBy('id', 'desc')
      .limit(1)
  )
}

/**
 * Releases expired reservations of a collection without a signature, except those that another transaction
 * has locked.
 */
export async function releaseExpired(trx: Tenant, collection: number): Promise<ReservationRow[]> {
  const expired = trx
    .selectFrom('gateway.mint_reservations')
    .select('id')
    .where('collection_id', '=', collection)
    .where('status', '=', sql.lit('RESERVED'))
    .where('order_id', 'is', null)
    .where(sql<boolean>`expires_at <= clock_timestamp()`)
    .orderBy('expires_at')
    .limit(1000)
    .forUpdate()
    .skipLocked()
  return await trx
    .updateTable('gateway.mint_reservations')
    .set({ status: 'RELEASED', updated_at: sql`clock_timestamp()` })
    .where('id', 'in', expired)
    .where('status', '=', 'RESERVED')
    .where('order_id', 'is', null)
    .returningAll()
    .execute()
}

/** Schedules the next check of a signature, and records how far the chain was searched. */
export async function scheduleCheck(
  tenant: Tenant,
  { id }: Pick<ReservationRow, 'id'>,
  seconds: number,
  searchedTo: number,
): Promise<void> {
  await updateSigned(tenant, id)
    .set({
      due_at: sql`clock_timestamp() + make_interval(secs => ${seconds})`,
      searched_to: sql`greatest(searched_to, ${searchedTo})`,
    })
    .execute()
}

/** Another status than SIGNED was decided by final blocks. */
function updateSigned(tenant: Tenant, id: number) {
  return tenant.updateTable('gateway.mint_reservations').where('id', '=', id).where('status', '=', 'SIGNED')
}

/** Records where a signature was used, as the chain's newest blocks show. It is not final yet. */
export async function recordUse(
  tenant: Tenant,
  { id }: Pick<ReservationRow, 'id'>,
  mint: { readonly hash: string; readonly tokenId: string },
): Promise<void> {
  await updateSigned(tenant, id)
    .set({ hash: mint.hash, token_id: mint.tokenId, updated_at: sql`clock_timestamp()` })
    .execute()
}

/** The longest pause between two attempts to decide an expired signature. */
const MAX_PAUSE_SECONDS = 60

/**
 * Keeps a reservation whose expired signature the chain neither shows as used nor proves unused. Each pause
 * doubles.
 */
export async function keepUndecided(
  tenant: Tenant,
  { id }: Pick<ReservationRow, 'id'>,
  provenTo: number,
): Promise<void> {
  await updateSigned(tenant, id)
    .set({
      proven_to: sql`greatest(proven_to, ${provenTo})`,
      undecided_attempts: sql`undecided_attempts + 1`,
      due_at: sql`clock_timestamp()
        + make_interval(secs => least(${MAX_PAUSE_SECONDS}, 5 * 2 ^ least(undecided_attempts, 10)))`,
    })
    .execute()
}

/** A reservation with the names of its phase and its contract. */
export type NamedReservation = ReservationRow & {
  contract_id: number
  phase_name: string
  nft_address: string
  chain_id: string
}

function named(tenant: Tenant) {
  return tenant.db
    .selectFrom('gateway.mint_reservations')
    .innerJoin('gateway.mint_collections as c', (join) =>
      join
        .onRef('c.project_id', '=', 'gateway.mint_reservations.project_id')
        .onRef('c.id', '=', 'gateway.mint_reservations.collection_id'),
    )
    .innerJoin('gateway.contracts as k', (join) =>
      join.onRef('k.project_id', '=', 'c.project_id').onRef('k.id', '=', 'c.contract_id'),
    )
    .innerJoin('gateway.mint_phases as p', (join) =>
      join
        .onRef('p.project_id', '=', 'gateway.mint_reservations.project_id')
        .onRef('p.id', '=', 'gateway.mint_reservations.phase_id'),
    )
    .selectAll('gateway.mint_reservations')
    .select(['c.contract_id', 'p.name as phase_name', 'k.nft_address', 'k.chain_id'])
}

export async function find(tenant: Tenant, id: number): Promise<NamedReservation | undefined> {
  return await named(tenant)
    .where('gateway.mint_reservations.project_id', '=', tenant.project)
    .where('gateway.mint_reservations.id', '=', id)
    .executeTakeFirst()
}

/** Lists signed mints of all wallets, or of one. */
export async function page(
  tenant: Tenant,
  { collection, wallet, ...range }: { collection: number; wallet: string | undefined } & TimeRange,
  query: PageQuery,
): Promise<PageRows<MintRow>> {
  const mints = tenant
    .selectFrom('gateway.mint_reservations')
    .selectAll()
    .select(
      sql<string>`coalesce((
        select o.order_no from gateway.orders o
        where o.project_id = gateway.mint_reservations.project_id and o.id = gateway.mint_reservations.order_id), '')`.as(
        'order_no',
      ),
    )
    .where('uid', '<>', sql.lit(''))
  const ofWallet = wallet ? mints.where('recipient', '=', wallet) : mints
  return await findPage(tenant.db, 'gateway.mint_reservations', ofWallet, query, {
    index: { columns: { collection_id: collection } },
    created: range,
  })
}

/** Counts the tokens that were minted of a collection. */
export async function countMintedTokens(tenant: Tenant, collection: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(quantity), 0)::bigint as count from gateway.mint_reservations
    where project_id = ${tenant.project} and collection_id = ${collection} and uid <> '' and status = 'MINTED'`.execute(
    tenant,
  )
  return rows[0]?.count ?? 0
}
