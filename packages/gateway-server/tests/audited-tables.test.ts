import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../src/testing/gateway.ts'

/** The tables whose changes are not in the audit log, and why. */
const NOT_AUDITED: Readonly<Record<string, string>> = {
  audit_entries: 'It is the log',
  audit_heads: 'It is the log',
  event_counts: 'Made from audited changes',
  events: 'Made from audited changes',
  people_challenges: 'Signing in and out changes no record',
  people_rate_limits: 'Signing in and out changes no record',
  people_secret: 'It is created once, and encrypted again without a change',
  people_sessions: 'Signing in and out changes no record',
  row_changes: 'Made from audited changes',
  webhook_deliveries: 'Attempts to deliver events: they change no record',

  asset_reservations: 'What listings, auctions, awards and mints reserve: follows from these',
  assets: 'Balances: follow from transfers, NFTs and the chain',
  card_counts: 'Counts of verifications',
  card_stores: 'The stores of a card, as rows',
  card_visits: 'Follow from verifications',
  consumed_payments: 'Payments that orders count: follow from orders',
  conversations: 'The last messages, and what was read',
  coupon_codes: 'The codes of a coupon: created with it and never changed',
  coupon_uses: 'Follow from orders',
  coupon_wallets: 'Counts of the orders of a wallet',
  deliveries: 'Transfers that delivered orders: follow from both',
  disputed_payments: 'Payments of several orders: follow from orders',
  message_views: 'Who sees a message: follows from messages',
  media: 'Pictures: the records that name them are audited',
  mint_wallets: 'Counts of the mints of a wallet',
  nft_traits: 'The properties of an NFT, as rows',
  open_orders: 'Counts of open orders',
  order_events: 'The history of an order, which has its own actor and reason',
  order_checks: 'When orders are checked',
  order_payments: 'Payments of orders: follow from orders and the chain',
  sales: 'Paid orders, as rows',
  totals: 'Sums of events',
  token_data: 'Follows from token_data_changes',

  chain_balances: 'Data of chains',
  chain_blocks: 'Data of chains',
  chain_cursors: 'Data of chains',
  indexed_contracts: 'Follows from contracts',

  idempotency_keys: 'Stored responses of calls',
  migrations: 'The schema',
  sql_functions: 'The schema',
  used_signatures: 'Signatures of calls',
}

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

it('every table is audited when rows are inserted, updated and deleted, or has a reason why not', async () => {
  const { rows } = await sql<{ name: string; events: string[] | null }>`
    select c.relname as name, (
      select array_agg(distinct event.name order by event.name) from pg_trigger t
      join pg_proc p on p.oid = t.tgfoid and p.proname like 'capture\_%'
      cross join lateral (values ('insert', 4), ('delete', 8), ('update', 16)) event (name, bit)
      where t.tgrelid = c.oid and t.tgtype::int & event.bit <> 0 and t.tgenabled = 'O') as events
    from pg_class c
    where c.relnamespace = 'gateway'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by 1`.execute(gateway.owner.system)
  const unaudited = rows.filter(({ events }) => events === null).map(({ name }) => name)
  expect(unaudited).toEqual(Object.keys(NOT_AUDITED).sort())
  const partly = rows.filter(({ events }) => events !== null && events.length < 3)
  // Transfers on chains are inserted, or deleted after a reorganization.
  expect(partly.map(({ name }) => name)).toEqual(['chain_transfers'])
})

it('has no captured table with more columns than the largest response allows for', async () => {
  const { rows } = await sql<{ name: string; columns: number }>`
    select c.relname as name, count(*)::int as columns from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'gateway'::regnamespace and c.relkind = 'r'
    group by 1 order by 2 desc limit 1`.execute(gateway.owner.system)
  expect(rows[0]?.columns).toBeLessThanOrEqual(60)
})
