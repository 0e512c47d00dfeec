import type { assets, Transfer } from '@mintmark/contracts'
import type { InputOf } from '@mintmark/operation'
import { findPage, type PageQuery, type PageRows, type SortColumns } from '@mintmark/server-kit'
import { type Selectable, sql } from 'kysely'
import type { AllFields } from '../../../http/record-mapping.ts'
import type { Tables } from '../../../tables.ts'
import type { Tenant } from '../../../tenant.ts'

/** A transfer that this server made, or that the indexer read from the chain of an indexed contract. */
type TransferRow = Selectable<Tables['gateway.transfer_history']>

export const TRANSFER_ORDERS: SortColumns = { id: 'id', createTime: 'id' }

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

/** Finds the number of the order that a transfer of an indexed contract delivered. Returns '' if there is none. */
export async function findOrderNo(tenant: Tenant, transfer: number): Promise<string> {
  const { rows } = await sql<{ orderNo: string }>`
    select o.order_no as "orderNo" from gateway.deliveries d
    join gateway.orders o on o.project_id = d.project_id and o.id = d.order_id
    where d.transfer_id = ${transfer} and d.project_id = ${tenant.project} order by o.id limit 1`.execute(
    tenant,
  )
  return rows[0]?.orderNo ?? ''
}

/** Lists transfers; `address` is on either side. A filter that is `''` is ignored. */
export async function list(
  tenant: Tenant,
  { nftAddress, nftId, address }: InputOf<typeof assets.transfers>,
  query: PageQuery,
): Promise<PageRows<TransferRow>> {
  let rows = tenant.selectFrom('gateway.transfer_history').selectAll()
  if (nftAddress) rows = rows.where('nft_address', '=', nftAddress)
  if (nftId) rows = rows.where('nft_id', '=', nftId)
  if (address) {
    // Each side uses its index: an `or` over both would scan all transfers. The array makes the planner find the ids once.
    rows = rows.where(
      sql<boolean>`gateway.transfer_history.id = any(array(
        select id from gateway.transfer_history where project_id = ${tenant.project} and from_address = ${address}
        union all
        select id from gateway.transfer_history where project_id = ${tenant.project} and to_address = ${address}))`,
    )
  }
  return await findPage(tenant.db, 'gateway.transfer_history', rows, query)
}
