import { type FoundPage, findPage, type Orders, type PageQuery } from '@mintmark/server-kit'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../../../context.ts'
import type { Tables } from '../../../tables.ts'

export type ReservationRow = Selectable<Tables['gateway.mint_reservations']>
/** A reservation with the number of the order that has paid; '' for none. */
export type MintRow = ReservationRow & { order_no: string }

/** How long something stays reserved that is neither signed nor ordered. */
export const HOLD_SECONDS = 600

export const MINT_ORDERS: Orders = { id: 'id', createTime: 'id' }

export async function add(
  trx: Db,
  row: Omit<Insertable<Tables['gateway.mint_reservations']>, 'expires_at'>,
): Promise<ReservationRow> {
  return await trx
    .insertInto('gateway.mint_reservations')
    .values({ ...row, expires_at: sql`clock_timestamp() + make_interval(secs => ${HOLD_SECONDS})` })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function change(
  trx: Db,
  { project_id, id }: Pick<ReservationRow, 'project_id' | 'id'>,
  values: Updateable<Tables['gateway.mint_reservations']>,
): Promise<ReservationRow> {
  return await trx
    .updateTable('gateway.mint_reservations')
    .set({ ...values, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Moves a reservation from one status to another; false where another process was first. */
export async function move(
  trx: Db,
  { project_id, id }: Pick<ReservationRow, 'project_id' | 'id'>,
  from: ReservationRow['status'],
  values: Updateable<Tables['gateway.mint_reservations']>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('gateway.mint_reservations')
    .set({ ...values, due_at: null, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('status', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const OPEN = ['RESERVED', 'SIGNED'] as const

/** Whose reservation, and of what; without an NFT of whichever it is. */
interface OpenOf {
  readonly project: number
  readonly collection: number
  readonly nft?: number
  readonly recipient: string
  readonly quantity: number
}

/**
 * The reservation that a wallet has of an NFT, or of so many of the collection's own token (`nft` 0), and that is not decided: locked until
 * the transaction ends. One without a signature is none past its time.
 */
export async function lockOpen(trx: Db, of: OpenOf): Promise<ReservationRow | undefined> {
  return await open(trx, of).forUpdate().executeTakeFirst()
}

/** The same, not locked. */
export async function findOpen(db: Db, of: OpenOf): Promise<ReservationRow | undefined> {
  return await open(db, of).executeTakeFirst()
}

function open(db: Db, of: OpenOf) {
  let reservations = db
    .selectFrom('gateway.mint_reservations')
    .selectAll()
    .where('project_id', '=', of.project)
    .where('collection_id', '=', of.collection)
    .where('recipient', '=', of.recipient)
    .where('quantity', '=', of.quantity)
  if (of.nft !== undefined) reservations = reservations.where('nft', '=', of.nft)
  return (
    reservations
      .where('status', 'in', OPEN)
      // What orders pay for is theirs.
      .where('needs_order', '=', false)
      .where(sql<boolean>`(status = 'SIGNED' or expires_at > clock_timestamp())`)
      // One that the chain has shown to be used is decided, though not for good yet.
      .where('hash', '=', '')
      .orderBy('id', 'desc')
      .limit(1)
  )
}

/** Ends reservations of a collection without a signature that are past their time; those that somebody is at are left to them. */
export async function releaseExpired(
  trx: Db,
  project: number,
  collection: number,
): Promise<ReservationRow[]> {
  const expired = trx
    .selectFrom('gateway.mint_reservations')
    .select('id')
    .where('project_id', '=', project)
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
    .where('project_id', '=', project)
    .where('id', 'in', expired)
    .where('status', '=', 'RESERVED')
    .where('order_id', 'is', null)
    .returningAll()
    .execute()
}

/** Looks at a reservation again after so many seconds. */
export async function lookAgain(
  db: Db,
  { project_id, id }: Pick<ReservationRow, 'project_id' | 'id'>,
  seconds: number,
  searchedTo: number,
): Promise<void> {
  await db
    .updateTable('gateway.mint_reservations')
    .set({
      due_at: sql`clock_timestamp() + make_interval(secs => ${seconds})`,
      searched_to: sql`greatest(searched_to, ${searchedTo})`,
    })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('status', '=', 'SIGNED')
    .execute()
}

/** Notes where a signature was used, as far as the chain's newest blocks show; it is not final yet. */
export async function noteUse(
  db: Db,
  { project_id, id }: Pick<ReservationRow, 'project_id' | 'id'>,
  mint: { readonly hash: string; readonly tokenId: string },
): Promise<void> {
  await db
    .updateTable('gateway.mint_reservations')
    .set({ hash: mint.hash, token_id: mint.tokenId, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    // What is final was decided by final blocks.
    .where('status', '=', 'SIGNED')
    .execute()
}

/** The longest pause between two attempts to decide an expired signature. */
const MAX_PAUSE_SECONDS = 60

/** Keeps a reservation whose signature has expired and of which the chain left open whether it was used; each pause doubles. */
export async function keepUndecided(
  db: Db,
  { project_id, id }: Pick<ReservationRow, 'project_id' | 'id'>,
  provenTo: number,
): Promise<void> {
  await db
    .updateTable('gateway.mint_reservations')
    .set({
      proven_to: sql`greatest(proven_to, ${provenTo})`,
      undecided_attempts: sql`undecided_attempts + 1`,
      due_at: sql`clock_timestamp()
        + make_interval(secs => least(${MAX_PAUSE_SECONDS}, 5 * 2 ^ least(undecided_attempts, 10)))`,
    })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('status', '=', 'SIGNED')
    .execute()
}

/** A reservation with the names of what it is of. */
export type NamedReservation = ReservationRow & {
  program: 'lazy' | 'product'
  contract_id: number
  phase_name: string
  nft_address: string
  chain_id: string
}

function named(db: Db) {
  return db
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
    .select(['c.program', 'c.contract_id', 'p.name as phase_name', 'k.nft_address', 'k.chain_id'])
}

export async function find(db: Db, project: number, id: number): Promise<NamedReservation | undefined> {
  return await named(db)
    .where('gateway.mint_reservations.project_id', '=', project)
    .where('gateway.mint_reservations.id', '=', id)
    .executeTakeFirst()
}

/** Mints that were signed, of all wallets or of one. */
export async function page(
  db: Db,
  project: number,
  collection: number,
  wallet: string | undefined,
  query: PageQuery,
): Promise<FoundPage<MintRow>> {
  let mints = db
    .selectFrom('gateway.mint_reservations')
    .selectAll()
    .select(
      sql<string>`coalesce((
        select o.order_no from gateway.orders o
        where o.project_id = gateway.mint_reservations.project_id and o.id = gateway.mint_reservations.order_id), '')`.as(
        'order_no',
      ),
    )
    .where('project_id', '=', project)
    .where('collection_id', '=', collection)
    .where('uid', '<>', sql.lit(''))
  if (wallet) mints = mints.where('recipient', '=', wallet)
  return await findPage(db, 'gateway.mint_reservations', mints, query)
}

/** How many tokens were minted of a collection. */
export async function mintedTokens(db: Db, project: number, collection: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(quantity), 0)::bigint as count from gateway.mint_reservations
    where project_id = ${project} and collection_id = ${collection} and uid <> '' and status = 'MINTED'`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
