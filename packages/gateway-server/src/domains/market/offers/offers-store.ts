import type { offers } from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import {
  findPage,
  type PageQuery,
  type PageRows,
  parseTimeRange,
  type SortColumns,
} from '@mintmark/server-kit'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { References } from '../../../database/references.ts'
import type { Tables } from '../../../database/tables.ts'
import type { NewRow, Tenant } from '../../../database/tenant.ts'
import { RESPONSE_ITEMS } from '../../../http/field-limits.ts'

type Offers = Tables['gateway.offers']
export type OfferStatus = Selectable<Offers>['status']
/** An offer; `expired` is by the database's clock. */
export type OfferRow = Selectable<Offers> & { expired: boolean; order_no: string }

/*
 * Lock order for accepting an offer and for ending its order: the owner's asset, the offer, other offers.
 */

export const OFFER_ORDERS = {
  id: 'created_at',
  createTime: 'created_at',
  totalPrice: 'total_key',
} as const satisfies SortColumns

const computedColumns = [
  sql<boolean>`expire_time <= clock_timestamp()`.as('expired'),
  sql<string>`coalesce((
    select o.order_no from gateway.orders o
    where o.project_id = gateway.offers.project_id and o.offer_id = gateway.offers.id), '')`.as('order_no'),
]
const isActive = sql<boolean>`gateway.offers.status = 'ACTIVE' and gateway.offers.expire_time > clock_timestamp()`

function selectOffers(tenant: Tenant) {
  return tenant.selectFrom('gateway.offers').selectAll().select(computedColumns)
}

/**
 * Selects offers by ids that were found within a project. With another indexed condition, the planner may
 * compare each offer with every id.
 */
function selectByIds(tenant: Tenant, ids: RawBuilder<{ id: number }>) {
  return tenant.db
    .selectFrom('gateway.offers')
    .selectAll()
    .select(computedColumns)
    .where(sql<boolean>`gateway.offers.id = any(array(${ids}))`)
}

export async function find(tenant: Tenant, id: number): Promise<OfferRow | undefined> {
  return await selectOffers(tenant).where('id', '=', id).executeTakeFirst()
}

export async function add(tenant: Tenant, offer: NewRow<'gateway.offers'>): Promise<OfferRow> {
  return await tenant
    .insertInto('gateway.offers')
    .values(offer)
    .returningAll()
    .returning(computedColumns)
    .executeTakeFirstOrThrow()
}

/** Closes an active offer. Returns undefined if it is not active. */
export async function close(
  trx: Tenant,
  id: number,
  status: 'ACCEPTED' | 'REJECTED' | 'CANCELLED',
  by = '',
): Promise<OfferRow | undefined> {
  return await trx
    .updateTable('gateway.offers')
    .set({ status, answered_by: by, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where(isActive)
    .returningAll()
    .returning(computedColumns)
    .executeTakeFirst()
}

/** Records that an offer has expired. */
export async function expire(tenant: Tenant, id: number): Promise<void> {
  await tenant
    .updateTable('gateway.offers')
    .set({ status: 'EXPIRED', updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('status', '=', 'ACTIVE')
    .where(sql<boolean>`expire_time <= clock_timestamp()`)
    .execute()
}

/** Records the outcome of an accepted offer's order. */
export async function settle(
  trx: Tenant,
  id: number,
  status: 'ACCEPTED' | 'CANCELLED' | 'EXPIRED',
): Promise<void> {
  await trx
    .updateTable('gateway.offers')
    .set({ status, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}

/**
 * Rejects the other offers for a unique token that was sold by an offer: they were made to its previous
 * owner.
 */
export async function rejectOthers(
  trx: Tenant,
  token: { chain_id: string; nft_address: string; nft_id: string },
): Promise<void> {
  // In the order of their ids, as always when several offers are locked.
  const others = await trx
    .selectFrom('gateway.offers')
    .select('id')
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
    .where(sql<boolean>`id = any(${others.map(({ id }) => id)}::bigint[])`)
    .where('status', '=', 'ACTIVE')
    .execute()
}

/**
 * Lists the offers that can be accepted with a token: those for it, and those for any token of its
 * collection.
 */
export async function listForNft(
  tenant: Tenant,
  input: InputOf<typeof offers.forNft>,
  query: PageQuery,
): Promise<PageRows<OfferRow>> {
  const rows = selectOffers(tenant)
    .where('nft_address', '=', input.nftAddress)
    .where('nft_id', 'in', [input.nftId, ''])
    .where(isActive)
  return await findPage(tenant.db, 'gateway.offers', rows, query)
}

/**
 * Whether an offer is the highest active one for its token in its pay token; among equals, the earliest.
 * Offers of the wallet `except` do not count. The index `offers_best` has this order.
 */
const isHighest = (project: number, except = '') => sql<boolean>`gateway.offers.id = (
  select b.id from gateway.offers b
  where b.project_id = ${project} and b.nft_address = gateway.offers.nft_address and b.nft_id = gateway.offers.nft_id
    and b.chain_id = gateway.offers.chain_id and b.pay_token_address = gateway.offers.pay_token_address
    and b.status = 'ACTIVE' and b.expire_time > clock_timestamp() and b.offerer <> ${except}
  order by b.unit_price desc, b.id limit 1)`

/** Lists the highest offers for a collection and for each of its tokens, one in each pay token. */
export async function listHighest(
  tenant: Tenant,
  nftAddress: string,
  query: PageQuery,
): Promise<PageRows<OfferRow>> {
  const rows = selectOffers(tenant).where(isActive).where(isHighest(tenant.project))
  // The index of a collection's offers is in the order of creation.
  if (query.column === 'created_at') {
    const index = { columns: { nft_address: nftAddress } }
    return await findPage(tenant.db, 'gateway.offers', rows, query, { index })
  }
  const ofCollection = rows.where('nft_address', '=', nftAddress)
  return await findPage(tenant.db, 'gateway.offers', ofCollection, query)
}

/**
 * Selects the ids of the offers for the tokens of a wallet. The fence `offset 0` makes the planner look up
 * each token's offers by index, whatever the statistics say: a plain join may compare every token with every
 * offer.
 */
const idsForTokensOf = (project: number, owner: string) => sql<{ id: number }>`
  select o.id from gateway.assets a
  cross join lateral (
    select id from gateway.offers
    where project_id = ${project} and nft_address = a.nft_address and nft_id in (a.nft_id, '') and chain_id = a.chain_id
    offset 0) o
  where a.project_id = ${project} and a.owner = ${owner} and a.quantity > 0`

/** Lists the highest offers of other wallets for the tokens of a wallet. */
export async function listHighestByOwner(
  tenant: Tenant,
  owner: string,
  query: PageQuery,
): Promise<PageRows<OfferRow>> {
  const rows = selectByIds(tenant, idsForTokensOf(tenant.project, owner))
    .where('nft_id', '<>', '')
    .where('offerer', '<>', owner)
    .where(isActive)
    .where(isHighest(tenant.project, owner))
  return await findPage(tenant.db, 'gateway.offers', rows, query)
}

/** Lists the highest offer in each pay token that can be accepted with a token. */
export async function listHighestByPayToken(
  tenant: Tenant,
  { nftAddress, nftId }: InputOf<typeof offers.maxByTokenType>,
): Promise<OfferRow[]> {
  return await selectOffers(tenant)
    .where('nft_address', '=', nftAddress)
    .where('nft_id', 'in', [nftId, ''])
    .where(isActive)
    .distinctOn('pay_token_address')
    .orderBy('pay_token_address')
    .orderBy('unit_price', 'desc')
    .orderBy('id')
    .limit(RESPONSE_ITEMS.offersByToken)
    .execute()
}

/**
 * Whether an offer has a status at present. An offer whose time has passed is EXPIRED before the job writes
 * it.
 */
function hasStatus(status: OfferStatus): RawBuilder<boolean> {
  if (status === 'ACTIVE') return isActive
  const isStored = sql<boolean>`gateway.offers.status = ${status}`
  if (status !== 'EXPIRED') return isStored
  return sql<boolean>`(${isStored} or gateway.offers.status = 'ACTIVE' and gateway.offers.expire_time <= clock_timestamp())`
}

export interface MadeFilter extends Omit<InputOf<typeof offers.mine>, 'reference'> {
  /** The caller's own reference. Empty for every offer. */
  readonly references: Partial<References>
}

/** Lists the offers that a wallet made. */
export async function listMade(
  tenant: Tenant,
  { address, status, references, ...input }: MadeFilter,
  query: PageQuery,
): Promise<PageRows<OfferRow>> {
  let rows = selectOffers(tenant)
  for (const [column, value] of Object.entries(references))
    rows = rows.where(sql<boolean>`${sql.ref(`gateway.offers.${column}`)} = ${value}`)
  if (status !== undefined) rows = rows.where(hasStatus(status))
  return await findPage(tenant.db, 'gateway.offers', rows, query, {
    index: { columns: { offerer: address } },
    created: parseTimeRange(input),
  })
}

/** Lists the offers of other wallets for a wallet's tokens, and those that it has accepted or rejected. */
export async function listReceived(
  tenant: Tenant,
  { address, status, ...input }: InputOf<typeof offers.received>,
  query: PageQuery,
): Promise<PageRows<OfferRow>> {
  const ids = sql<{ id: number }>`
    ${idsForTokensOf(tenant.project, address)}
    union all
    select id from gateway.offers where project_id = ${tenant.project} and answered_by = ${address}`
  const rows = selectByIds(tenant, ids).where('offerer', '<>', address)
  const ofStatus = status === undefined ? rows : rows.where(hasStatus(status))
  return await findPage(tenant.db, 'gateway.offers', ofStatus, query, { created: parseTimeRange(input) })
}

/** Finds whether a wallet owns some of a token, and whether other wallets do. */
export async function findOwnership(
  tenant: Tenant,
  token: { chain_id: string; nft_address: string; nft_id: string },
  wallet: string,
): Promise<{ owns: boolean; others: boolean }> {
  const { rows } = await sql<{ owns: boolean; others: boolean }>`
    select coalesce(bool_or(owner = ${wallet}), false) as owns, coalesce(bool_or(owner <> ${wallet}), false) as others
    from gateway.assets
    where project_id = ${tenant.project} and chain_id = ${token.chain_id} and nft_address = ${token.nft_address}
      and (nft_id = ${token.nft_id} or ${token.nft_id} = '') and quantity > 0`.execute(tenant)
  return rows[0] ?? { owns: false, others: false }
}
