import { LazyNft } from '@mintmark/contracts'
import {
  findPage,
  type PageQuery,
  type PageRows,
  type SortColumns,
  type TimeRange,
} from '@mintmark/server-kit'
import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { NewRow, Tenant } from '../../../database/tenant.ts'
import { toRecord } from '../../../http/record-mapping.ts'

export type LazyNftRow = Selectable<Tables['gateway.mintable_nfts']>

export const LAZY_NFT_ORDERS = {
  id: 'created_at',
  createTime: 'created_at',
  name: 'name',
} as const satisfies SortColumns

/** The present status: an expired reservation no longer reserves its NFT. */
const PRESENT_STATUS = sql<string>`case when status = 'RESERVED' and reserved_until <= clock_timestamp() then 'DISPLAY' else status end`
const IS_AVAILABLE = sql<boolean>`(status in ('HIDDEN', 'DISPLAY') or (status = 'RESERVED' and reserved_until <= clock_timestamp()))`

/** A row with its present status and the collection's royalty. */
export type LazyNftView = LazyNftRow & { present_status: string; collection_royalty: string }

export function toLazyNft(row: LazyNftView): LazyNft {
  return toRecord(LazyNft, row, {
    nftId: String(row.id),
    price: row.price ?? '',
    royaltyPercentage: Number(row.royalty_percentage ?? row.collection_royalty),
    status: row.present_status,
  })
}

export async function add(
  tenant: Tenant,
  nft: Omit<NewRow<'gateway.mintable_nfts'>, 'program' | 'limited'>,
): Promise<number> {
  const row = await tenant
    .insertInto('gateway.mintable_nfts')
    .values({ ...nft, program: 'lazy', limited: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

function selectNfts(tenant: Tenant) {
  return tenant
    .selectFrom('gateway.mintable_nfts')
    .selectAll()
    .select(PRESENT_STATUS.as('present_status'))
    .select(
      sql<string>`coalesce((
        select c.royalty_percentage from gateway.mint_collections c
        where c.project_id = gateway.mintable_nfts.project_id and c.contract_id = gateway.mintable_nfts.contract_id and c.program = 'lazy'), 0)`.as(
        'collection_royalty',
      ),
    )
    .where('program', '=', sql.lit('lazy'))
    .where('deleted', '=', sql.lit(false))
}

/** Finds the collection of a contract: its id, and the royalty percentage that its NFTs have by default. */
export async function findCollection(
  tenant: Tenant,
  contract: number | null,
): Promise<{ id: number; royalty_percentage: string } | undefined> {
  return await tenant
    .selectFrom('gateway.mint_collections')
    .select(['id', 'royalty_percentage'])
    .where(sql<boolean>`contract_id = ${contract}`)
    .where('program', '=', sql.lit('lazy'))
    .executeTakeFirst()
}

export async function find(tenant: Tenant, id: number): Promise<LazyNftView | undefined> {
  return await selectNfts(tenant).where('id', '=', id).executeTakeFirst()
}

/** Changes an NFT. Returns false if it is reserved, minted, or does not exist. */
export async function update(
  tenant: Tenant,
  id: number,
  change: Updateable<Tables['gateway.mintable_nfts']>,
): Promise<boolean> {
  const { numUpdatedRows } = await tenant
    .updateTable('gateway.mintable_nfts')
    .set({ ...change, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('program', '=', sql.lit('lazy'))
    .where('deleted', '=', false)
    .where('status', 'in', ['HIDDEN', 'DISPLAY'])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether an NFT has a status at present. */
function hasStatus(status: ListedStatus): RawBuilder<boolean> {
  if (status === 'SHOWN') return sql<boolean>`status <> 'HIDDEN'`
  if (status === 'DISPLAY') return sql<boolean>`${IS_AVAILABLE} and status <> 'HIDDEN'`
  if (status !== 'RESERVED') return sql<boolean>`status = ${status}`
  return sql<boolean>`status = 'RESERVED' and (reserved_until is null or reserved_until > clock_timestamp())`
}

/** The status of the NFTs to list: their present one, or `SHOWN` for all that are not hidden. */
export type ListedStatus = LazyNft['status'] | 'SHOWN'

/** Lists the NFTs of a contract. */
export async function list(
  tenant: Tenant,
  { contract, status, from, to }: { contract: number; status: ListedStatus | undefined } & TimeRange,
  query: PageQuery,
): Promise<PageRows<LazyNftView>> {
  const all = selectNfts(tenant)
  const rows = status === undefined ? all : all.where(hasStatus(status))
  return await findPage(tenant.db, 'gateway.mintable_nfts', rows, query, {
    index: { columns: { contract_id: contract } },
    created: { from, to },
  })
}
