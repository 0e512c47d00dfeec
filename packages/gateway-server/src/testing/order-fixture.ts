import type { Listing } from '@mintmark/market'
import { type Order, OrderStatus, orders } from '@mintmark/orders'
import { createLog } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { PaymentChains } from '../chain/payment-chains.ts'
import { findInventory, orderPort } from '../composition.ts'
import { closeEndedSales } from '../domains/market/listings/ended-sales.ts'
import { createVerifier } from '../domains/orders/verification/verifier.ts'
import { DEFAULT_ORDER_SETTINGS, type OrderSettings } from '../order-settings.ts'
import type { TestGateway } from './gateway.ts'
import { newAddress, type SampleProject } from './samples/sample.ts'

const names = Object.keys(OrderStatus) as (keyof typeof OrderStatus)[]

/** What a test sees of an order and of what it had of its listing. */
export interface OrderSnapshot {
  readonly status: string
  readonly reason: string
  readonly stock: string
  /** Of its listing: remaining, reserved, sold. */
  readonly listing: readonly [number, number, number]
}

/** A seller's and a verifier's work, for tests of orders. */
export interface OrderFixture {
  order(listing: Listing, more?: Partial<{ recipient: string; quantity: number }>): Promise<Order>
  pay(order: Order, hash: string): Promise<void>
  /** Looks at every order that will ever be due, as if its time had come. */
  verify(): Promise<void>
  readState(order: Order): Promise<OrderSnapshot>
  /** The events of an order, in their order. */
  events(order: Order): Promise<string[]>
  /** Puts an order's end into the past. */
  expire(order: Order): Promise<void>
  /** Moves what was reported for an order, and last seen, so many seconds into the past. */
  ageReports(order: Order, seconds: number): Promise<void>
  /** What a wallet owns of the listing's token. */
  getOwnedQuantity(listing: Listing, owner: string): Promise<number>
  /** Alerts that were logged. */
  readonly alerts: string[]
}

export function createOrderFixture(
  project: SampleProject,
  {
    chains = project.gateway.chain,
    settings = {},
  }: { chains?: PaymentChains; settings?: Partial<OrderSettings> } = {},
): OrderFixture {
  const { gateway, client, projectId } = project
  const db = gateway.owner.system
  const alerts: string[] = []
  const write = (line: string) => {
    if (line.includes('"alert"')) alerts.push(line)
  }
  const jobOptions = {
    database: gateway.database,
    chains,
    settings: { ...DEFAULT_ORDER_SETTINGS, ...settings },
    log: createLog('gateway', 'error', { write }),
  }
  const verifier = createVerifier({ ...jobOptions, findInventory })
  const row = (order: Order) =>
    db
      .selectFrom('gateway.orders')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('order_no', '=', order.orderNo)
      .executeTakeFirstOrThrow()
  return {
    alerts,
    order: (listing, { recipient = newAddress(), quantity = 1 } = {}) =>
      orders.preOrder(client, {
        marketType: listing.marketType,
        listingId: listing.id,
        quantity,
        recipient,
      }),
    async pay({ orderNo, recipient }, hash) {
      await orders.payOrder(client, { orderNo, recipient, hash })
    },
    async verify() {
      await makeDue(gateway)
      await verifier.run()
      await closeEndedSales({ ...jobOptions, orders: orderPort })
    },
    async readState(order) {
      const { status, reason, stock, listing_id: id } = await row(order)
      const listing = await db
        .selectFrom('gateway.listings')
        .select(['remaining', 'reserved', 'sold'])
        .where('id', '=', id)
        .executeTakeFirst()
      return {
        ...{ status: names[status] ?? '', reason, stock },
        listing: [listing?.remaining ?? 0, listing?.reserved ?? 0, listing?.sold ?? 0],
      }
    },
    async events(order) {
      const { id } = await row(order)
      const found = await db
        .selectFrom('gateway.order_events')
        .select('event')
        .where('order_id', '=', id)
        .orderBy('id')
        .execute()
      return found.map(({ event }) => event)
    },
    async expire(order) {
      const past = sql<Date>`clock_timestamp() - interval '1 second'`
      await db
        .updateTable('gateway.orders')
        .set({ expires_at: past, due_at: past })
        .where('order_no', '=', order.orderNo)
        .execute()
    },
    async ageReports(order, seconds) {
      const { id } = await row(order)
      await sql`update gateway.order_payments set
        reported_at = reported_at - make_interval(secs => ${seconds}),
        seen_at = seen_at - make_interval(secs => ${seconds}) where order_id = ${id}`.execute(db)
    },
    async getOwnedQuantity({ nftAddress, nftId }, owner) {
      const asset = await db
        .selectFrom('gateway.assets')
        .select('quantity')
        .where('project_id', '=', projectId)
        .where('nft_address', '=', nftAddress)
        .where('nft_id', '=', nftId)
        .where('owner', '=', owner)
        .executeTakeFirst()
      return Number(asset?.quantity ?? 0)
    },
  }
}

/** Brings the time of every order that is to be looked at again; those that are never looked at again stay. */
async function makeDue(gateway: TestGateway): Promise<void> {
  await gateway.owner.system
    .updateTable('gateway.orders')
    .set({ due_at: sql<Date>`least(due_at, clock_timestamp())` })
    .where('due_at', 'is not', null)
    .execute()
}

let hashes = 0
/** A transaction's hash that no other test has. */
export function newHash(): string {
  hashes += 1
  return `0x${(0xfa_0000_0000 + hashes).toString(16).padStart(64, '0')}`
}
