import { micropaymentOrders } from '@mintmark/facilitator'
import { createFacilitator } from '@mintmark/transport'
import { sql } from 'kysely'
import type { Fixture } from './fixture.ts'

export type SettlementRow = Awaited<ReturnType<typeof listSettlements>>[number]

/** What the books of a fixture contain after a run. */
export interface Facts {
  readonly settlements: readonly SettlementRow[]
  /** The settlements that were reported as unknown after they had been reported as settled. */
  readonly lost: ReadonlySet<number>
  /** The states of all orders, by their numbers. */
  readonly orders: ReadonlyMap<string, string>
}

/** Reads the books. `url` is that of a facilitator that works. */
export async function readFacts(fixture: Fixture, url: string): Promise<Facts> {
  return {
    settlements: await listSettlements(fixture),
    lost: await listLostSettlements(fixture),
    orders: await getOrders(fixture, url),
  }
}

function listSettlements({ db }: Fixture) {
  return db
    .selectFrom('facilitator.settlements as s')
    .leftJoin('facilitator.charges as c', 'c.settlement_id', 's.id')
    .select(['s.nonce', 's.state', 's.transaction', 's.account_id', 's.order_no', 's.upstream_responded'])
    .select(['s.id', 's.block_hash', 's.final_at', 's.scheme', 's.domain', 's.payer', 's.amount'])
    .select('c.settlement_id as charge')
    .execute()
}

async function listLostSettlements({ db }: Fixture): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select s.id from facilitator.settlements s where exists (
      select from facilitator.events settled join facilitator.events unknown on unknown.subject = settled.subject
      where settled.subject = 'settlement:' || s.id and settled.type = 'settlement.settled'
        and unknown.type = 'settlement.unknown' and unknown.sequence > settled.sequence)`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

async function getOrders({ accounts }: Fixture, url: string): Promise<Map<string, string>> {
  const orders = new Map<string, string>()
  for (const { token } of accounts) {
    const client = createFacilitator({ baseUrl: url, credentials: { token } })
    for await (const { orderNo, status } of micropaymentOrders.list.items(client, { pageSize: 100 }))
      orders.set(orderNo, status)
  }
  return orders
}
