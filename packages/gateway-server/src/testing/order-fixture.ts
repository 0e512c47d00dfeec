import type { Listing } from '@mintmark/market'
import { type Order, OrderStatus, orders } from '@mintmark/orders'
import { createLog } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { PaymentChains } from '../chain/payment-chains.ts'
import { DEFAULT_ORDER_SETTINGS, type OrderSettings } from '../domains/inventory/order-settings.ts'
import { closeEndedSales } from '../domains/market/ended-sales.ts'
import { createVerifier } from '../domains/orders/verification/verifier.ts'
import { findInventory, orderPort } from '../main/composition.ts'
import type { TestGateway } from './gateway.ts'
import { newAddress, type SampleProject } from './samples/sample.ts'

const names = Object.keys(OrderStatus) as (keyof typeof OrderStatus)[]

/** The state of an order and of its listing. */
export interface OrderSnapshot {
  readonly status: string
  readonly reason: string
  readonly stock: string
  /** The listing's remaining, reserved and sold quantities. */
  readonly listing: readonly [number, number, number]
}

/** Places, pays and verifies orders of a project. */
export interface OrderFixture {
  order(
    listing: Listing,
    more?: Partial<{ recipient: string; quantity: number; partialPayments: boolean }>,
  ): Promise<Order>
  pay(order: Order, hash: string): Promise<void>
  /** Makes all orders due and runs the verifier. */
  verify(): Promise<void>
  readState(order: Order): Promise<OrderSnapshot>
  /** Lists the events of an order, oldest first. */
  events(order: Order): Promise<string[]>
  /** Moves the end of an order into the past. */
  expire(order: Order): Promise<void>
  /** Moves the times of an order's reports and observations into the past. */
  ageReports(order: Order, seconds: number): Promise<void>
  /** Returns the quantity of the listing's token that a wallet owns. */
  getOwnedQuantity(listing: Listing, owner: string): Promise<number>
  /** The logged alerts. */
  readonly alerts: string[]
}

export function createOrderFixture(
  project: SampleProject,
  {
    chains = project.gateway.chain,
    settings = {},
  }: { chains?: PaymentChains; settings?: Partial<OrderSettings> } = {},
): OrderFixture {
  const { gateway, client } = project
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
  return {
    alerts,
    order: ({ marketType, id: listingId }, more) =>
      orders.preOrder(client, { marketType, listingId, quantity: 1, recipient: newAddress(), ...more }),
    async pay({ orderNo, recipient }, hash) {
      await orders.payOrder(client, { orderNo, recipient, hash })
    },
    async verify() {
      await makeDue(gateway)
      await verifier.run()
      await closeEndedSales({ ...jobOptions, orders: orderPort })
    },
    readState: (order) => readOrderState(project, order),
    events: (order) => listEvents(project, order),
    expire: (order) => expireOrder(project, order),
    ageReports: (order, seconds) => ageReports(project, order, seconds),
    getOwnedQuantity: (listing, owner) => getOwnedQuantity(project, listing, owner),
  }
}

async function getOrderRow({ gateway, projectId }: SampleProject, { orderNo }: Order) {
  return await gateway.owner.system
    .selectFrom('gateway.orders')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('order_no', '=', orderNo)
    .executeTakeFirstOrThrow()
}

async function readOrderState(project: SampleProject, order: Order): Promise<OrderSnapshot> {
  const { status, reason, stock, listing_id: id } = await getOrderRow(project, order)
  const listing = await project.gateway.owner.system
    .selectFrom('gateway.listings')
    .select(['remaining', 'reserved', 'sold'])
    .where('id', '=', id)
    .executeTakeFirst()
  return {
    status: names[status] ?? '',
    reason,
    stock,
    listing: [listing?.remaining ?? 0, listing?.reserved ?? 0, listing?.sold ?? 0],
  }
}

async function listEvents(project: SampleProject, order: Order): Promise<string[]> {
  const { id } = await getOrderRow(project, order)
  const rows = await project.gateway.owner.system
    .selectFrom('gateway.order_events')
    .select('event')
    .where('order_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ event }) => event)
}

async function expireOrder({ gateway }: SampleProject, { orderNo }: Order): Promise<void> {
  await sql`
    with expired as (
      update gateway.orders set expires_at = clock_timestamp() - interval '1 second' where order_no = ${orderNo}
      returning project_id, id, expires_at
    )
    insert into gateway.order_checks (project_id, order_id, due_at) select * from expired
    on conflict (project_id, order_id) do update set due_at = excluded.due_at`.execute(gateway.owner.system)
}

async function ageReports(project: SampleProject, order: Order, seconds: number): Promise<void> {
  const { id } = await getOrderRow(project, order)
  await sql`update gateway.order_payments set
    reported_at = reported_at - make_interval(secs => ${seconds}),
    seen_at = seen_at - make_interval(secs => ${seconds})
    where order_id = ${id}`.execute(project.gateway.owner.system)
}

async function getOwnedQuantity(
  { gateway, projectId }: SampleProject,
  { nftAddress, nftId }: Listing,
  owner: string,
): Promise<number> {
  const asset = await gateway.owner.system
    .selectFrom('gateway.assets')
    .select('quantity')
    .where('project_id', '=', projectId)
    .where('nft_address', '=', nftAddress)
    .where('nft_id', '=', nftId)
    .where('owner', '=', owner)
    .executeTakeFirst()
  return Number(asset?.quantity ?? 0)
}

/**
 * Makes every order due that will be verified again. Leaves out checks that a concurrent transaction has
 * locked: waiting could deadlock.
 */
async function makeDue(gateway: TestGateway): Promise<void> {
  await gateway.owner.system
    .updateTable('gateway.order_checks')
    .set({ due_at: sql<Date>`least(due_at, clock_timestamp())` })
    .where('order_id', 'in', (query) =>
      query.selectFrom('gateway.order_checks').select('order_id').forNoKeyUpdate().skipLocked(),
    )
    .execute()
}

let hashes = 0
/** Creates a unique transaction hash. */
export function newHash(): string {
  hashes += 1
  return `0x${(0xfa_0000_0000 + hashes).toString(16).padStart(64, '0')}`
}
