import type { assets, Transfer } from '@mintmark/contracts'
import type { InputOf } from '@mintmark/operation'
import {
  type FirstRows,
  findPage,
  limitToFirst,
  type PageQuery,
  type PageRows,
  type SortColumns,
} from '@mintmark/server-kit'
import { type Selectable, sql } from 'kysely'
import type { AllFields } from '../../../http/record-mapping.ts'
import type { Tables } from '../../../tables.ts'
import type { Tenant } from '../../../tenant.ts'

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

/** Finds the number of the order that a transfer of an indexed contract delivered. Returns '' if it delivered none. */
export async function findOrderNo(tenant: Tenant, transfer: number): Promise<string> {
  const { rows } = await sql<{ orderNo: string }>`
    select o.order_no as "orderNo" from gateway.deliveries d
    join gateway.orders o on o.project_id = d.project_id and o.id = d.order_id
    where d.transfer_id = ${transfer} and d.project_id = ${tenant.project} order by o.id limit 1`.execute(
    tenant,
  )
  return rows[0]?.orderNo ?? ''
}

/** The first rows of each contract, up to a page this far from the nearer end. More are read in their order, among those of other projects. */
const MAX_REDUCED_ROWS = 10_000

type TransferFilter = Pick<InputOf<typeof assets.transfers>, 'nftAddress' | 'nftId' | 'address'>

/** Lists transfers; `address` is on either side. A filter that is `''` is ignored. */
export async function list(
  tenant: Tenant,
  filter: InputOf<typeof assets.transfers>,
  query: PageQuery,
): Promise<PageRows<TransferRow>> {
  const { nftAddress, nftId, address } = filter
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
  return await findPage(tenant.db, 'gateway.transfer_history', rows, query, {
    reduceTo: (first) => {
      if (first.count > MAX_REDUCED_ROWS) return rows
      const ids = sql.join(selectFirstIds(tenant.project, filter, first), sql` union all `)
      // Ids that were found within the project need no further condition: with one, the planner may compare each transfer with every id.
      return tenant.db
        .selectFrom('gateway.transfer_history')
        .selectAll()
        .where(sql<boolean>`gateway.transfer_history.id = any(array(${ids}))`)
    },
  })
}

/**
 * Selects the ids of the first transfers that this server recorded, and of the first of each indexed contract. Only the contracts say which transfers of
 * a chain a project sees, so reading the chain's transfers in their order may read those of all other projects.
 */
function selectFirstIds(project: number, { nftAddress, nftId, address }: TransferFilter, first: FirstRows) {
  const ofContract = nftAddress ? sql`and c.nft_address = ${nftAddress}` : sql``
  // An index has the transfers of one token, or of one side. The other filter is compared.
  const ofToken = (isIndexed: boolean) => (nftId && !isIndexed ? sql`and t.nft_id = ${nftId}` : sql``)
  const sides = address ? ['from_address', 'to_address'] : [undefined]
  return sides.flatMap((side) => {
    const hasTokenIndex = side === undefined && Boolean(nftAddress)
    const ofSide = side === undefined ? {} : { [side]: address }
    const recorded = {
      ...(nftAddress && side === undefined && { nft_address: nftAddress }),
      ...(hasTokenIndex && nftId && { nft_id: nftId }),
      ...ofSide,
    }
    const read = {
      nft_address: sql.ref('c.nft_address'),
      ...(side === undefined && nftId && { nft_id: nftId }),
      ...ofSide,
    }
    const compared = nftAddress && side !== undefined ? sql`and t.nft_address = ${nftAddress}` : sql``
    return [
      sql`(select t.id from gateway.transfers t
        where t.project_id = ${project} ${compared} ${ofToken(hasTokenIndex)} ${limitToFirst('t', first, recorded)})`,
      sql`select t.id from gateway.contracts c
        cross join lateral (
          select t.id from gateway.chain_transfers t
          where t.chain_id = c.chain_id ${ofToken(side === undefined)} ${limitToFirst('t', first, read)}) t
        where c.project_id = ${project} and c.indexed and not c.deleted ${ofContract}`,
    ]
  })
}
