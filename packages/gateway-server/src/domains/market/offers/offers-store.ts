import { type FoundPage, findPage, type Orders, type PageQuery } from '@mintmark/server-kit'
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from '../../../context.ts'
import { ANSWER_ITEMS } from '../../../http/field-limits.ts'
import type { Tables } from '../../../tables.ts'

type Offers = Tables['gateway.offers']
export type OfferStatus = Selectable<Offers>['status']
/** An offer; `expired` by the database's clock. */
export type OfferRow = Selectable<Offers> & { expired: boolean; order_no: string }

/*
 * Whoever accepts an offer, or ends its order, locks the owner's asset first, then the offer, then other offers.
 */

export const OFFER_ORDERS: Orders = { id: 'id', createTime: 'id', totalPrice: 'total_price' }

const shown = [
  sql<boolean>`expire_time <= clock_timestamp()`.as('expired'),
  sql<string>`coalesce((
    select o.order_no from gateway.orders o
    where o.project_id = gateway.offers.project_id and o.offer_id = gateway.offers.id), '')`.as('order_no'),
]
const standing = sql<boolean>`gateway.offers.status = 'ACTIVE' and gateway.offers.expire_time > clock_timestamp()`

function ofProject(db: Db, project: number) {
  return db.selectFrom('gateway.offers').selectAll().select(shown).where('project_id', '=', project)
}

/** Offers by ids that are found within a project. Beside another condition of an index, the planner may compare each offer with every id. */
function withIds(db: Db, ids: RawBuilder<{ id: number }>) {
  return db
    .selectFrom('gateway.offers')
    .selectAll()
    .select(shown)
    .where(sql<boolean>`gateway.offers.id = any(array(${ids}))`)
}

export async function find(db: Db, project: number, id: number): Promise<OfferRow | undefined> {
  return await ofProject(db, project).where('id', '=', id).executeTakeFirst()
}

export async function add(db: Db, offer: Insertable<Offers>): Promise<OfferRow> {
  return await db
    .insertInto('gateway.offers')
    .values(offer)
    .returningAll()
    .returning(shown)
    .executeTakeFirstOrThrow()
}

/** Ends an offer that stands; undefined where it does not. */
export async function answer(
  trx: Db,
  project: number,
  id: number,
  status: 'ACCEPTED' | 'REJECTED' | 'CANCELLED',
  by = '',
): Promise<OfferRow | undefined> {
  return await trx
    .updateTable('gateway.offers')
    .set({ status, answered_by: by, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project)
    .where('id', '=', id)
    .where(standing)
    .returningAll()
    .returning(shown)
    .executeTakeFirst()
}

/** Notes that an offer has expired. */
export async function expire(db: Db, project: number, id: number): Promise<void> {
  await db
    .updateTable('gateway.offers')
    .set({ status: 'EXPIRED', updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project)
    .where('id', '=', id)
    .where('status', '=', 'ACTIVE')
    .where(sql<boolean>`expire_time <= clock_timestamp()`)
    .execute()
}

/** Notes what became of an accepted offer's order. */
export async function settle(
  trx: Db,
  project: number,
  id: number,
  status: 'ACCEPTED' | 'CANCELLED' | 'EXPIRED',
): Promise<void> {
  await trx
    .updateTable('gateway.offers')
    .set({ status, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project)
    .where('id', '=', id)
    .execute()
}

/** A token of which there is one was sold by an offer: the others for it were made to its owner of before. */
export async function rejectOthers(
  trx: Db,
  project: number,
  token: { chain_id: string; nft_address: string; nft_id: string },
): Promise<void> {
  // In the order of their ids, as everybody who locks several.
  const others = await trx
    .selectFrom('gateway.offers')
    .select('id')
    .where('project_id', '=', project)
    .where('chain_id', '=', token.chain_id)
    .where('nft_address', '=', token.nft_address)
    .where('nft_id', '=', token.nft_id)
    .where('status', '=', 'ACTIVE')
    .orderBy('id')
    .forUpdate()
    .execute()
  if (others.length === 0) return
  await trx
    .updateTable('gateway.offers')
    .set({ status: 'REJECTED', updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project)
    .where(sql<boolean>`id = any(${others.map(({ id }) => id)}::bigint[])`)
    .where('status', '=', 'ACTIVE')
    .execute()
}

export interface Token {
  readonly nftAddress: string
  readonly nftId: string
}

/** Offers that can be accepted with a token: for it, and for any of its collection. */
export async function pageForNft(
  db: Db,
  project: number,
  { nftAddress, nftId }: Token,
  query: PageQuery,
): Promise<FoundPage<OfferRow>> {
  const rows = ofProject(db, project)
    .where('nft_address', '=', nftAddress)
    .where('nft_id', 'in', [nftId, ''])
    .where(standing)
  return await findPage(db, 'gateway.offers', rows, query)
}

/**
 * That it is the highest standing offer for its token in its pay token, of those that are as high the earliest; those of one wallet left
 * out. The index `offers_best` holds them in this order.
 */
const highest = (project: number, but = '') => sql<boolean>`gateway.offers.id = (
  select b.id from gateway.offers b
  where b.project_id = ${project} and b.nft_address = gateway.offers.nft_address and b.nft_id = gateway.offers.nft_id
    and b.chain_id = gateway.offers.chain_id and b.pay_token_address = gateway.offers.pay_token_address
    and b.status = 'ACTIVE' and b.expire_time > clock_timestamp() and b.offerer <> ${but}
  order by b.unit_price desc, b.id limit 1)`

/** The highest offers for a collection and for each of its tokens, one in each pay token. */
export async function pageOfHighest(
  db: Db,
  project: number,
  nftAddress: string,
  query: PageQuery,
): Promise<FoundPage<OfferRow>> {
  const rows = ofProject(db, project)
    .where('nft_address', '=', nftAddress)
    .where(standing)
    .where(highest(project))
  return await findPage(db, 'gateway.offers', rows, query)
}

/**
 * Ids of the offers for what a wallet owns. The lateral join, fenced by `offset 0`, looks up each token's offers by an index whatever the
 * planner knows of the tables; a plain join may compare every token with every offer.
 */
const forTokensOf = (project: number, owner: string) => sql<{ id: number }>`
  select o.id from gateway.assets a
  cross join lateral (
    select id from gateway.offers
    where project_id = ${project} and nft_address = a.nft_address and nft_id in (a.nft_id, '') and chain_id = a.chain_id
    offset 0) o
  where a.project_id = ${project} and a.owner = ${owner} and a.quantity > 0`

/** The highest offers of others for the tokens that a wallet owns. */
export async function pageOfHighestByOwner(
  db: Db,
  project: number,
  owner: string,
  query: PageQuery,
): Promise<FoundPage<OfferRow>> {
  const rows = withIds(db, forTokensOf(project, owner))
    .where('nft_id', '<>', '')
    .where('offerer', '<>', owner)
    .where(standing)
    .where(highest(project, owner))
  return await findPage(db, 'gateway.offers', rows, query)
}

/** The highest offer in each pay token that can be accepted with a token. */
export async function maxByPayToken(
  db: Db,
  project: number,
  { nftAddress, nftId }: Token,
): Promise<OfferRow[]> {
  return await ofProject(db, project)
    .where('nft_address', '=', nftAddress)
    .where('nft_id', 'in', [nftId, ''])
    .where(standing)
    .distinctOn('pay_token_address')
    .orderBy('pay_token_address')
    .orderBy('unit_price', 'desc')
    .orderBy('id')
    .limit(ANSWER_ITEMS.offersByToken)
    .execute()
}

/** One that stands past its time is EXPIRED for whoever reads, before the job says so. */
function withStatus(rows: ReturnType<typeof ofProject>, status: OfferStatus | undefined) {
  if (status === undefined) return rows
  if (status === 'ACTIVE') return rows.where(standing)
  if (status !== 'EXPIRED') return rows.where('status', '=', status)
  const past = sql<boolean>`gateway.offers.status = 'ACTIVE' and gateway.offers.expire_time <= clock_timestamp()`
  return rows.where((or) => or.or([or('status', '=', status), past]))
}

/** What a wallet offers. */
export async function pageOfMine(
  db: Db,
  project: number,
  { address, status }: { address: string; status: OfferStatus | undefined },
  query: PageQuery,
): Promise<FoundPage<OfferRow>> {
  const rows = withStatus(ofProject(db, project).where('offerer', '=', address), status)
  return await findPage(db, 'gateway.offers', rows, query)
}

/** What others offer for a wallet's tokens, and what it has answered. */
export async function pageOfReceived(
  db: Db,
  project: number,
  { address, status }: { address: string; status: OfferStatus | undefined },
  query: PageQuery,
): Promise<FoundPage<OfferRow>> {
  const ids = sql<{ id: number }>`
    ${forTokensOf(project, address)}
    union all
    select id from gateway.offers where project_id = ${project} and answered_by = ${address}`
  const rows = withIds(db, ids).where('offerer', '<>', address)
  return await findPage(db, 'gateway.offers', withStatus(rows, status), query)
}

/** Whether a wallet owns some of a token, and whether anybody else does. */
export async function ownersOf(
  db: Db,
  project: number,
  token: { chain_id: string; nft_address: string; nft_id: string },
  wallet: string,
): Promise<{ owns: boolean; others: boolean }> {
  const { rows } = await sql<{ owns: boolean; others: boolean }>`
    select coalesce(bool_or(owner = ${wallet}), false) as owns, coalesce(bool_or(owner <> ${wallet}), false) as others
    from gateway.assets
    where project_id = ${project} and chain_id = ${token.chain_id} and nft_address = ${token.nft_address}
      and (nft_id = ${token.nft_id} or ${token.nft_id} = '') and quantity > 0`.execute(db)
  return rows[0] ?? { owns: false, others: false }
}
