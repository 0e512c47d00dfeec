import type { Transfer } from '@mintmark/contracts'
import { type FoundPage, findPage, type Orders, type PageQuery } from '@mintmark/server-kit'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../context.ts'
import type { Tables } from '../../../tables.ts'

/** A transfer that this server wrote itself, or, of an indexed contract, that the indexer read from the chain. */
type TransferRow = Selectable<Tables['gateway.transfer_history']>

export const TRANSFER_ORDERS: Orders = { id: 'id', createTime: 'id' }

export function transferOf(row: TransferRow): Transfer {
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

/** What transfers are filtered by; addresses in lower case. `''` filters nothing. */
export interface TransferFilter {
  nftAddress?: string | undefined
  nftId?: string | undefined
  /** On either side. */
  address?: string | undefined
}

export async function page(
  db: Db,
  project: number,
  { nftAddress, nftId, address }: TransferFilter,
  query: PageQuery,
): Promise<FoundPage<TransferRow>> {
  let transfers = db.selectFrom('gateway.transfer_history').selectAll().where('project_id', '=', project)
  if (nftAddress) transfers = transfers.where('nft_address', '=', nftAddress)
  if (nftId) transfers = transfers.where('nft_id', '=', nftId)
  if (address) {
    // Each side by its index: an `or` over both would scan all transfers. As an array, the ids are found once.
    transfers = transfers.where(
      sql<boolean>`gateway.transfer_history.id = any(array(
        select id from gateway.transfer_history where project_id = ${project} and from_address = ${address}
        union all
        select id from gateway.transfer_history where project_id = ${project} and to_address = ${address}))`,
    )
  }
  return await findPage(db, 'gateway.transfer_history', transfers, query)
}
