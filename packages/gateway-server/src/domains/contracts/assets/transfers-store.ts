import type { assets, Transfer } from '@mintmark/contracts'
import type { InputOf } from '@mintmark/operation'
import {
  findPage,
  type PageQuery,
  type PageRows,
  type SelectedRange,
  type SortColumns,
} from '@mintmark/server-kit'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Tenant } from '../../../database/tenant.ts'
import type { AllFields } from '../../../http/record-mapping.ts'

/** A transfer that this server made, or that the indexer read from the chain of an indexed contract. */
type TransferRow = Selectable<Tables['gateway.transfer_history']>

export const TRANSFER_ORDERS = { id: 'id', createTime: 'id' } as const satisfies SortColumns

export function toTransfer(row: TransferRow): AllFields<Transfer> {
  return {
    chainId: row.chain_id,
    createTime: row.created_at.toISOString(),
    createTimeLong: row.created_at.getTime(),
    from: row.from_address,
    hash: row.hash,
    id: row.id,
    nftAddress: row.nft_address,
    nftId: row.nft_id,
    orderNo: row.order_no,
    projectId: row.project_id,
    quantity: row.quantity,
    to: row.to_address,
  }
}

/**
 * Finds the number of the order that a transfer of an indexed contract delivered. Returns '' if it delivered
 * none.
 */
export async function findOrderNo(tenant: Tenant, transfer: number): Promise<string> {
  const { rows } = await sql<{ orderNo: string }>`
    select o.order_no as "orderNo" from gateway.deliveries d
    join gateway.orders o on o.project_id = d.project_id and o.id = d.order_id
    where d.transfer_id = ${transfer} and d.project_id = ${tenant.project} order by o.id limit 1`.execute(
    tenant,
  )
  return rows[0]?.orderNo ?? ''
}

type TransferFilter = Pick<InputOf<typeof assets.transfers>, 'nftAddress' | 'nftId' | 'address'>

/** Lists transfers; `address` is on either side. A filter that is `''` is ignored. */
export async function list(
  tenant: Tenant,
  filter: InputOf<typeof assets.transfers>,
  query: PageQuery,
): Promise<PageRows<TransferRow>> {
  const { nftAddress, nftId, address } = filter
  const all = tenant.db.selectFrom('gateway.transfer_history').selectAll()
  let rows = all.where('project_id', '=', tenant.project)
  if (nftAddress) rows = rows.where('nft_address', '=', nftAddress)
  if (nftId) rows = rows.where('nft_id', '=', nftId)
  if (address) rows = rows.where(sql<boolean>`${address} in (from_address, to_address)`)
  return await findPage(tenant.db, 'gateway.transfer_history', rows, query, {
    selectCount: (limit) =>
      sql<number>`select count(*)::int from ${selectIds(filter, { descending: true, offset: 0, limit })} as id`,
    // Ids that were found within the project need no further condition: with one, the planner may compare
    // each transfer with every id.
    selectRange: (range) =>
      all.where(
        sql<boolean>`gateway.transfer_history.id = any(array(select id from ${selectIds(filter, range)} as id))`,
      ),
  })
}

interface IdRange {
  readonly descending: boolean
  readonly offset: number
  readonly limit: number | null
  /** The row before the range, in its direction. */
  readonly after?: SelectedRange['after']
}

/**
 * Calls the function that finds the ids of transfers: those of the project, and those of each of its indexed
 * contracts.
 */
function selectIds(
  { nftAddress, nftId, address }: TransferFilter,
  { descending, offset, limit, after }: IdRange,
) {
  const [, id] = after ?? []
  const firstId = id === undefined || descending ? null : id + 1
  const highestId = id === undefined || !descending ? null : id - 1
  return sql<{ id: number }>`gateway.list_transfer_ids(
    ${nftAddress || null}::text, ${nftId || null}::text, ${address || null}::text, ${firstId}::bigint, ${highestId}::bigint,
    ${descending}::boolean, ${offset}::bigint, ${limit}::bigint)`
}
