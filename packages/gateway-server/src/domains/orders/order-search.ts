import { sql } from 'kysely'
import type { Tenant } from '../../database/tenant.ts'
import type { OrderRow } from './orders-store.ts'

/** An order that a search has found. */
export interface FoundOrder
  extends Pick<
    OrderRow,
    'order_no' | 'nft_name' | 'name' | 'recipient' | 'status' | 'expired' | 'created_at'
  > {
  readonly found_by: 'ID' | 'HASH' | 'WALLET' | 'NAME' | 'REFERENCE'
}

/** What orders are searched by. */
export interface OrderSearch {
  /** A number, the hash of a payment, or a reference. */
  readonly text: string
  /** Wallets, and what they were found by. */
  readonly buyers: readonly { readonly address: string; readonly found_by: 'WALLET' | 'NAME' }[]
  /** The wallet whose references are searched. Undefined: all references of the project. */
  readonly referenceOwner: string | undefined
}

/** Finds orders, newest first. Each part reads an index, so that a search takes the same time in a project of any size. */
export async function findOrders(
  tenant: Tenant,
  { text, buyers, referenceOwner }: OrderSearch,
  limit: number,
): Promise<FoundOrder[]> {
  const listed = sql`project_id = ${tenant.project} and not deleted`
  const key = text.toLowerCase()
  const ofOwner = referenceOwner === undefined ? sql`true` : sql`reference_owner = ${referenceOwner}`
  const { rows } = await sql<FoundOrder>`
    with found as (
      (select id, 'ID' as found_by from gateway.orders where ${listed} and order_no = ${key})
      union all
      (select order_id, 'HASH' from gateway.order_payments where project_id = ${tenant.project} and hash = ${key} limit ${limit})
      union all
      (select id, 'REFERENCE' from gateway.orders where ${listed} and reference = ${text} and reference <> '' and ${ofOwner}
      order by created_at desc limit ${limit})
      union all
      (select o.id, b.found_by
      from json_to_recordset(${JSON.stringify(buyers)}::json) as b (address text, found_by text)
      cross join lateral (
        select id from gateway.orders where ${listed} and recipient = b.address order by created_at desc limit ${limit}) o)
    )
    select order_no, nft_name, name, recipient, status, expires_at <= clock_timestamp() as expired, created_at, found_by
    from (select id, min(found_by) as found_by from found group by id) f
    join gateway.orders o on o.project_id = ${tenant.project} and o.id = f.id and not o.deleted
    order by created_at desc limit ${limit}`.execute(tenant)
  return rows
}
