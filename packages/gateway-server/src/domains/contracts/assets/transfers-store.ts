import { assets, type Transfer } from '@mintmark/contracts'
import type { InputOf } from '@mintmark/operation'
import {
  countList,
  MANY_ROWS,
  type PageQuery,
  type PageRow,
  type PageRows,
  PLANNED_EACH_TIME,
  readPage,
  type SelectedRange,
  type SortColumns,
} from '@mintmark/server-kit'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Tenant } from '../../../database/tenant.ts'
import { toRecord } from '../../../http/record-mapping.ts'

/** A transfer that this server made, or that the indexer read from the chain of an indexed contract. */
type TransferRow = Selectable<Tables['gateway.transfer_history']>

export const TRANSFER_ORDERS = { id: 'id', createTime: 'id' } as const satisfies SortColumns

export function toTransfer(row: TransferRow): Transfer {
  return toRecord(assets.Transfer, row, { from: row.from_address, to: row.to_address })
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

/**
 * Lists transfers; `address` is on either side. A filter that is `''` is ignored. A function finds their ids:
 * those of the project, and those of each of its indexed contracts, which no index has together.
 */
export async function list(
  tenant: Tenant,
  { nftAddress, nftId, address }: InputOf<typeof assets.transfers>,
  query: PageQuery,
): Promise<PageRows<TransferRow>> {
  const selectIds = ({ descending, offset, after }: Omit<SelectedRange, 'limit'>, limit: number | null) => {
    const [, id] = after ?? []
    const firstId = id === undefined || descending ? null : id + 1
    const highestId = id === undefined || !descending ? null : id - 1
    return sql`gateway.list_transfer_ids(
      ${nftAddress || null}::text, ${nftId || null}::text, ${address || null}::text, ${firstId}::bigint, ${highestId}::bigint,
      ${descending}::boolean, ${offset}::bigint, ${limit}::bigint)`
  }
  const countIds = (limit: number | null) => sql<number>`
    select count(*)::int from ${selectIds({ descending: true, offset: 0, after: undefined }, limit)}`
  const count = await countList(tenant.db as never, { few: countIds(MANY_ROWS), all: countIds(null) })
  return await readPage(query, count, async (range) => {
    // Ids that were found within the project need no further condition: with one, the planner may compare
    // each transfer with every id.
    const { rows } = await sql<PageRow>`${sql.raw(PLANNED_EACH_TIME)}
      select *, id::text as cursor_value from gateway.transfer_history
      where id = any(array(select id from ${selectIds(range, range.limit)} as id))
      order by id ${sql.raw(range.descending ? 'desc' : 'asc')}`.execute(tenant)
    return rows
  })
}
