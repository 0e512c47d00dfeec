import { OrderStatus } from '@mintmark/orders'
import { type RawBuilder, sql } from 'kysely'
import { expect } from 'vitest'
import type { TestGateway } from './gateway.ts'

/** Rules with the query that selects their violations. */
const MINT_INVARIANTS: readonly (readonly [rule: string, violations: RawBuilder<unknown>])[] = [
  [
    'a phase and a wallet count what is reserved and minted, and nothing else',
    sql`select p.id, p.claimed, w.wallet, w.used, w.open from gateway.mint_phases p
      left join gateway.mint_wallets w on w.project_id = p.project_id and w.phase_id = p.id
      left join lateral (
        select coalesce(sum(quantity), 0) as live,
          coalesce(sum(quantity) filter (where recipient = w.wallet), 0) as own
        from gateway.mint_reservations r
        where r.project_id = p.project_id and r.phase_id = p.id and r.status <> 'RELEASED') r on true
      left join lateral (
        select count(*) as held from gateway.orders o
        where o.project_id = p.project_id and o.phase_id = p.id and o.recipient = w.wallet and o.stock = 'reserved') o on true
      where p.claimed <> r.live or (p.max_claimable > 0 and p.claimed > p.max_claimable) or w.used <> r.own
        or (p.limit_per_wallet > 0 and w.used > p.limit_per_wallet) or w.open <> o.held`,
  ],
  [
    'an NFT is reserved as often as somebody has reserved it, and never more often than there is of it',
    sql`select n.id, n.reserved, n.minted, r.reserved as theirs from gateway.mintable_nfts n
      left join lateral (
        select coalesce(sum(r.quantity) filter (where r.status in ('RESERVED', 'SIGNED')), 0) as reserved,
          coalesce(sum(r.quantity) filter (where r.status = 'MINTED'), 0) as minted
        from gateway.mint_reservations r
        join gateway.mint_collections c on c.project_id = r.project_id and c.id = r.collection_id
        where r.project_id = n.project_id and r.nft = n.id and c.program = n.program) r on true
      where n.reserved <> r.reserved or n.minted <> r.minted or n.reserved + n.minted > n.limited`,
  ],
  [
    'an order has one reservation exactly as long as it has its stock',
    sql`select o.order_no, o.status, o.stock, r.live from gateway.orders o
      left join lateral (
        select count(*) as live from gateway.mint_reservations r
        where r.project_id = o.project_id and r.order_id = o.id and r.status <> 'RELEASED') r on true
      where o.phase_id is not null and r.live <> case when o.stock in ('reserved', 'committed') then 1 else 0 end`,
  ],
  [
    'what was paid stays reserved and is sold once',
    sql`select o.order_no, o.status, o.stock, o.delivery from gateway.orders o
      left join lateral (
        select count(*) as sales from gateway.sales s where s.project_id = o.project_id and s.order_id = o.id) s on true
      where o.phase_id is not null and (
        (o.status = ${OrderStatus.SUCCESS} and o.stock <> 'committed')
        or s.sales <> case when o.stock = 'committed' then 1 else 0 end)`,
  ],
  [
    'nothing that costs something is signed unless it was paid, and what was is signed at no price',
    sql`select r.id, r.status, o.status as "order" from gateway.mint_reservations r
      left join gateway.orders o on o.project_id = r.project_id and o.id = r.order_id
      where r.needs_order and r.uid <> '' and (
        o.id is null or r.payload ->> 'pricePerToken' <> '0' or not exists (
          select from gateway.order_events e
          where e.project_id = o.project_id and e.order_id = o.id and e.to_status = ${OrderStatus.SUCCESS}
            and e.created_at <= r.updated_at))`,
  ],
  [
    'an order is delivered once its signature was used',
    sql`select o.order_no, o.delivery, r.status from gateway.orders o
      join gateway.mint_reservations r on r.project_id = o.project_id and r.order_id = o.id and r.status <> 'RELEASED'
      where o.stock = 'committed' and (o.delivery = 'done') <> (r.status = 'MINTED')`,
  ],
]

/** Checks the invariants of presales, their orders and reservations. */
export async function expectMintInvariants(gateway: TestGateway): Promise<void> {
  for (const [rule, violations] of MINT_INVARIANTS) {
    const { rows } = await violations.execute(gateway.owner.system)
    expect(rows, rule).toEqual([])
  }
}
