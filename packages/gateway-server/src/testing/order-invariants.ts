import { OrderStatus } from '@mintmark/orders'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/tables.ts'

/** Rules with the query that selects their violations. */
const ORDER_INVARIANTS: readonly (readonly [rule: string, violations: RawBuilder<unknown>])[] = [
  [
    'remaining + reserved + sold = quantity; reserved and sold are what orders have',
    sql`select l.id from gateway.listings l
      left join lateral (
        select coalesce(sum(quantity) filter (where stock = 'reserved'), 0) as held,
          coalesce(sum(quantity) filter (where stock = 'committed'), 0) as taken
        from gateway.orders o where o.project_id = l.project_id and o.listing_id = l.id
      ) o on true
      where remaining + reserved + sold <> quantity or reserved <> o.held or sold <> o.taken`,
  ],
  [
    'a listing holds what it can still sell',
    sql`select l.id from gateway.listings l
      join gateway.asset_reservations h on h.project_id = l.project_id and h.holder = 'listing' and h.holder_id = l.id
      where h.quantity <> reserved + case when status in ('ON', 'INACTIVE', 'SOLD') then remaining else 0 end`,
  ],
  [
    'assets have the sum of their reservations, and never more than there is',
    sql`select a.id from gateway.assets a where reserved > quantity or reserved <> (
      select coalesce(sum(quantity), 0) from gateway.asset_reservations h where h.project_id = a.project_id and h.asset_id = a.id)`,
  ],
  [
    'there are ten of each token',
    sql`select project_id, nft_address, nft_id from gateway.assets
      group by project_id, nft_address, nft_id having sum(quantity) <> 10`,
  ],
  [
    'a payment counts for one success of a project',
    sql`select project_id, chain_id, hash from gateway.orders where status = ${OrderStatus.SUCCESS} and hash <> ''
      group by project_id, chain_id, hash having count(*) > 1`,
  ],
  [
    'the payment of a success is counted for it',
    sql`select o.order_no from gateway.orders o where status = ${OrderStatus.SUCCESS} and tx_id <> '' and not exists (
      select from gateway.consumed_payments c
      where c.chain_id = o.chain_id and c.hash = o.tx_id and c.project_id = o.project_id and c.order_id = o.id)`,
  ],
  [
    'a refund of an order is due while one of its payments is',
    sql`select o.order_no from gateway.orders o where refund_due <> exists (
      select from gateway.order_payments p where p.project_id = o.project_id and p.order_id = o.id and p.refund = 'due')`,
  ],
  [
    "a wallet's counter is its open orders",
    sql`select c.wallet, c.listing_id from gateway.open_orders c where open <> (
      select count(*) from gateway.orders o where o.project_id = c.project_id and o.listing_id = c.listing_id
        and o.recipient = c.wallet and o.stock = 'reserved')`,
  ],
  [
    'what is sold is noted as sold, and nothing else',
    sql`select o.order_no from gateway.orders o
      where (stock = 'committed') <> exists (select from gateway.sales s where s.project_id = o.project_id and s.order_id = o.id)`,
  ],
  [
    'a transaction in dispute keeps the stock of an unresolved order',
    sql`select d.hash from gateway.disputed_payments d
      join gateway.orders o on o.project_id = d.project_id and o.id = d.order_id where o.status <> ${OrderStatus.UNRESOLVED}`,
  ],
  [
    "a coupon's use is what its order has of the listing",
    sql`select u.order_id from gateway.coupon_uses u
      join gateway.orders o on o.project_id = u.project_id and o.id = u.order_id
      where (o.stock, u.status) not in (('reserved', 'RESERVED'), ('committed', 'REDEEMED'), ('released', 'RELEASED'))`,
  ],
  [
    'a coupon counts its uses',
    sql`select c.id from gateway.coupons c
      left join lateral (
        select count(*) filter (where u.status <> 'RELEASED') as used, count(*) filter (where u.status = 'REDEEMED') as redeemed
        from gateway.coupon_uses u where u.project_id = c.project_id and u.coupon_id = c.id
      ) u on true
      where c.used <> u.used or c.redeemed <> u.redeemed`,
  ],
]

/**
 * Lists the violated invariants of listings, assets, orders, payments and coupons. Every token has ten units.
 * `db` sees all projects.
 */
export async function listOrderViolations(db: Db): Promise<string[]> {
  const found: string[] = []
  for (const [rule, violations] of ORDER_INVARIANTS) {
    const { rows } = await violations.execute(db)
    found.push(...rows.map((row) => `${rule}: ${JSON.stringify(row)}`))
  }
  return found
}
