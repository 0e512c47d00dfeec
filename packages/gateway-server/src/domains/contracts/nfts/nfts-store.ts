import { type Nft, type NftProperty, nfts } from '@mintmark/contracts'
import type { InputOf } from '@mintmark/operation'
import {
  findPage,
  type ListSearch,
  type PageQuery,
  type PageRows,
  parseTimeRange,
  type SortColumns,
} from '@mintmark/server-kit'
import { type Selectable, sql } from 'kysely'
import { inRange, type KeywordIndex, searchColumns, searchKeyword } from '../../../database/searches.ts'
import type { Tables } from '../../../database/tables.ts'
import type { NewRow, Tenant } from '../../../database/tenant.ts'
import { toColumns, toRecord } from '../../../http/record-mapping.ts'
import type { Property } from './nft-rules.ts'

export type NftRow = Selectable<Tables['gateway.nfts']>
/** The wallet that owns most of an NFT, by the NFT's id. An NFT without an owner is missing. */
export type Owners = ReadonlyMap<number, string>

export const NFT_ORDERS = {
  id: 'created_at',
  createTime: 'created_at',
  name: 'name',
} as const satisfies SortColumns

export function toNft(row: NftRow, owners: Owners): Nft {
  const owner = owners.get(row.id) ?? ''
  return toRecord(nfts.Nft, row, { owner, royaltyPercentage: Number(row.royalty_percentage) })
}

/** Returns the columns that `add` writes, without those of the contract. */
export function toNewColumns({ owner, properties = [], ...input }: InputOf<typeof nfts.add>) {
  return {
    ...toColumns(input),
    first_owner: owner,
    properties: JSON.stringify(properties),
    quantity: input.quantity ?? 1,
    royalty_percentage: input.royaltyPercentage ?? 0,
  }
}

/** Adds an NFT with its properties. Returns undefined if its token already exists. */
export async function add(
  trx: Tenant,
  nft: NewRow<'gateway.nfts'>,
  traits: readonly Property[],
): Promise<NftRow | undefined> {
  const row = await trx
    .insertInto('gateway.nfts')
    .values(nft)
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'nft_address', 'nft_id', 'chain_id'])
        .where('deleted', '=', sql.lit(false))
        .doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
  if (row !== undefined && traits.length > 0) {
    const key = { project_id: row.project_id, contract_id: row.contract_id, nft: row.id }
    await trx
      .insertInto('gateway.nft_traits')
      .values(traits.map((trait) => ({ ...key, ...trait })))
      .execute()
  }
  return row
}

export async function find(tenant: Tenant, nftAddress: string, nftId: string): Promise<NftRow | undefined> {
  return await tenant
    .selectFrom('gateway.nfts')
    .selectAll()
    .where('nft_address', '=', nftAddress)
    .where('nft_id', '=', nftId)
    .where('deleted', '=', sql.lit(false))
    .orderBy('contract_id')
    .limit(1)
    .executeTakeFirst()
}

/** Marks an NFT as removed and deletes its properties. Returns false if it was already removed. */
export async function remove(trx: Tenant, id: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('gateway.nfts')
    .set({ deleted: true, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('deleted', '=', sql.lit(false))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await trx.deleteFrom('gateway.nft_traits').where('nft', '=', id).execute()
  return true
}

/** Finds the wallet that owns most of each NFT; among equals, the first. */
export async function findOwners(tenant: Tenant, ids: readonly number[]): Promise<Owners> {
  const { rows } = await sql<{ id: number; owner: string }>`
    select n.id, a.owner
    from gateway.nfts n
    cross join lateral (
      select owner from gateway.assets
      where project_id = n.project_id and nft_address = n.nft_address and nft_id = n.nft_id and chain_id = n.chain_id
        and quantity > 0
      order by quantity desc, id limit 1) a
    where n.project_id = ${tenant.project} and n.id = any(${[...ids]}::bigint[])`.execute(tenant)
  return new Map(rows.map(({ id, owner }) => [id, owner]))
}

const KEYWORD_INDEX: KeywordIndex<'gateway.nfts'> = {
  table: 'gateway.nfts',
  columns: ['name', 'description', 'nft_id'],
  selectIds: (pattern, limit) => sql`select gateway.search_nfts(${pattern}, ${limit}) as id`,
}

/** Lists NFTs. A filter that is `''` is ignored. */
export async function list(
  tenant: Tenant,
  { nftAddress, owner, creator, keyword, trait_type, value, ...input }: InputOf<typeof nfts.list>,
  query: PageQuery,
): Promise<PageRows<NftRow>> {
  const { project } = tenant
  const table = 'gateway.nfts'
  const rows = tenant.selectFrom(table).selectAll().where('deleted', '=', sql.lit(false))
  const isListed = sql<boolean>`project_id = ${project} and not deleted`
  const ofContract = nftAddress ? { nft_address: nftAddress } : undefined
  const ofCreator = creator ? { creator } : undefined
  // An index has the NFTs of a contract, or of a creator, in the order of creation.
  const columns = query.column === 'created_at' ? (ofContract ?? ofCreator) : undefined
  return await findPage(tenant.db, table, rows, query, {
    index: { columns },
    created: { ...parseTimeRange(input), listed: isListed },
    searches: [
      ...[ofContract, ofCreator].flatMap((each) =>
        each === undefined || each === columns ? [] : [searchColumns(table, isListed, each)],
      ),
      ...searchKeyword(KEYWORD_INDEX, keyword),
      ...(trait_type || value ? [searchTraits(project, trait_type, value)] : []),
      ...(owner ? [searchOwner(project, owner)] : []),
    ],
  })
}

/** Searches for the NFTs of which a wallet owns some. */
function searchOwner(project: number, owner: string): ListSearch {
  return {
    matches: sql<boolean>`exists (
      select from gateway.assets a
      where a.project_id = ${project} and a.quantity > 0
        and ${inRange('a', 'gateway.nfts', ['chain_id', 'nft_address', 'nft_id', 'owner'], { owner })})`,
    selectIds: (limit) => sql`
      select n.id from (
        select o.chain_id, o.nft_address, o.nft_id from gateway.assets o
        where o.project_id = ${project} and o.quantity > 0 and ${inRange('o', undefined, ['owner'], { owner })}) a
      cross join lateral (
        select t.id from gateway.nfts t
        where t.project_id = ${project} and not t.deleted
          and ${inRange('t', 'a', ['nft_address', 'nft_id', 'chain_id'])}) n
      limit ${limit}`,
  }
}

/** Searches for the NFTs with a property. */
function searchTraits(project: number, type = '', value = ''): ListSearch {
  const columns = {
    ...(type !== '' && { trait_type: type }),
    ...(value !== '' && { value }),
  }
  const isEqual = Object.entries(columns).map(([name, text]) => sql`${sql.ref(`t.${name}`)} = ${text}`)
  return {
    matches: sql<boolean>`exists (
      select from gateway.nft_traits t
      where t.project_id = ${project} and ${sql.join(isEqual, sql` and `)}
        and ${inRange('t', 'gateway.nfts', ['nft'], { nft: sql.ref('gateway.nfts.id') })})`,
    // No index has values without their types.
    selectIds:
      type === ''
        ? undefined
        : (limit) => sql`
      select t.nft as id from gateway.nft_traits t
      where t.project_id = ${project} and ${inRange('t', undefined, Object.keys(columns), columns)} limit ${limit}`,
  }
}

/**
 * Lists the properties of a collection, or of one of its NFTs, each with its count and its share in the
 * collection.
 */
export async function listRarities(
  tenant: Tenant,
  contract: number,
  nft: number | undefined,
  limit: number,
): Promise<NftProperty[]> {
  const { rows } = await sql<NftProperty>`
    select t.trait_type, t.value, count(*) as count, count(*)::double precision / (
      select count(*) from gateway.contracts c
      join gateway.nfts n on n.project_id = c.project_id and n.nft_address = c.nft_address and n.contract_id = c.id
        and not n.deleted
      where c.project_id = ${tenant.project} and c.id = ${contract}) as rarity
    from gateway.nft_traits t
    where t.project_id = ${tenant.project} and t.contract_id = ${contract}
      and (${nft}::bigint is null or exists (
        select from gateway.nft_traits own
        where own.project_id = t.project_id and own.nft = ${nft}::bigint
          and own.trait_type = t.trait_type and own.value = t.value))
    group by t.trait_type, t.value
    order by t.trait_type, count(*) desc, t.value
    limit ${limit}`.execute(tenant)
  return rows
}
