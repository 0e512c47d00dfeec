import { isMintmarkError } from '@mintmark/envelope'
import { commonSales, type Listing } from '@mintmark/market'
import { type Order, OrderStatus, orders } from '@mintmark/orders'
import { ConfigurationError } from '@mintmark/server-kit'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PaymentObservation, TransactionOutcome } from '../../../chain/payment-observation.ts'
import { findInventory } from '../../../main/composition.ts'
import { createListing } from '../../../testing/create-listing.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { createOrderFixture, newHash, type OrderFixture } from '../../../testing/order-fixture.ts'
import { listOrderViolations } from '../../../testing/order-invariants.ts'
import { sampleProject } from '../../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../../testing/samples/sample.ts'
import { DEFAULT_ORDER_SETTINGS } from '../../inventory/order-settings.ts'
import { type Resolution, resolveOrder } from '../verification/operator.ts'
import { recordRefund } from '../verification/refunds.ts'

let gateway: TestGateway
/** Two projects on one chain: a hash can pay in one of them alone. */
let projects: { project: SampleProject; orderFixture: OrderFixture }[]
beforeAll(async () => {
  gateway = await testGateway()
  projects = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const project = await sampleProject(gateway, name)
      return { project, orderFixture: createOrderFixture(project) }
    }),
  )
})
afterAll(() => gateway.close())

const { unseenSeconds: UNSEEN, reservationSeconds: RESERVATION } = DEFAULT_ORDER_SETTINGS

type Decision = Resolution['event'] | 'refunded'

/** What can happen; numbers choose among what there is by then. */
type Action =
  | { do: 'order'; project: number; buyer: number; quantity: number }
  | { do: 'cancel' | 'outwait'; order: number }
  | { do: 'passTime'; order: number; seconds: number }
  | { do: 'resolve'; order: number; event: Decision; withoutPayment: boolean }
  | { do: 'report'; order: number; hash: number }
  | { do: 'chain'; hash: number; shows: TransactionOutcome | 'unseen' | 'pending' | 'unfit'; block: number }
  | { do: 'reorganize'; block: number }
  | { do: 'takeOff'; project: number }
  | { do: 'verify' }

const small = fc.nat({ max: 20 })
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      project: fc.nat(1),
      buyer: fc.nat(2),
      quantity: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('cancel' as const, 'outwait' as const),
      order: small,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('passTime' as const),
      order: small,
      seconds: fc.constantFrom(UNSEEN + 1, RESERVATION + 1),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('resolve' as const),
      order: small,
      event: fc.constantFrom<Decision>('resolved_success', 'resolved_failed', 'refunded'),
      withoutPayment: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('report' as const), order: small, hash: fc.nat(2) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('chain' as const),
      hash: fc.nat(2),
      block: fc.nat(3),
      shows: fc.constantFrom<TransactionOutcome | 'unseen' | 'pending' | 'unfit'>(
        'paid',
        'paid',
        'reverted',
        'not_enough',
        'unrelated',
        'other_payer',
        'unseen',
        'pending',
        'unfit',
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reorganize' as const), block: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('takeOff' as const), project: fc.nat(1) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('verify' as const) }) },
)

interface World {
  readonly listings: Listing[]
  readonly placed: { order: Order; project: number }[]
  readonly hashes: string[]
  readonly buyers: string[]
}

async function begin(): Promise<World> {
  gateway.chain.block = 100
  gateway.chain.blockHashes.clear()
  const listings = []
  for (const { project } of projects) listings.push(await createListing(project))
  return {
    listings,
    placed: [],
    hashes: Array.from({ length: 6 }, newHash),
    buyers: Array.from({ length: 3 }, newAddress),
  }
}

async function perform(world: World, step: Action): Promise<void> {
  const at = <Item>(items: readonly Item[], index: number) => items[index % Math.max(1, items.length)]
  const chosen = 'order' in step ? at(world.placed, step.order) : undefined
  const mine = 'project' in step ? projects[step.project] : chosen && projects[chosen.project]
  switch (step.do) {
    case 'order': {
      const [listing, recipient] = [world.listings[step.project], at(world.buyers, step.buyer)]
      if (!mine || !listing || recipient === undefined) return
      const order = await mine.orderFixture.order(listing, { recipient, quantity: step.quantity })
      world.placed.push({ order, project: step.project })
      return
    }
    case 'report': {
      const hash = at(world.hashes, step.hash)
      if (mine && chosen && hash !== undefined) await mine.orderFixture.pay(chosen.order, hash)
      return
    }
    case 'cancel':
      if (mine && chosen) await orders.cancel(mine.project.client, { orderNo: chosen.order.orderNo })
      return
    case 'outwait':
      if (mine && chosen && (await mine.orderFixture.readState(chosen.order)).status === 'PRE')
        await mine.orderFixture.expire(chosen.order)
      return
    case 'passTime':
      if (mine && chosen) await mine.orderFixture.ageReports(chosen.order, step.seconds)
      return
    case 'resolve': {
      if (!mine || !chosen) return
      const { event, withoutPayment } = step
      const decision = { orderNo: chosen.order.orderNo, actor: 'op', reason: 'a test' }
      const db = gateway.owner.system
      const decided =
        event === 'refunded'
          ? recordRefund(db, findInventory, decision)
          : resolveOrder(db, findInventory, { ...decision, event, withoutPayment })
      await decided.catch((error: unknown) => {
        if (!(error instanceof ConfigurationError)) throw error
      })
      return
    }
    case 'chain': {
      const hash = at(world.hashes, step.hash)
      if (hash === undefined) return
      const block = 101 + step.block
      gateway.chain.sightings.set(hash, () => sightingOf(step.shows, block))
      gateway.chain.block = Math.max(gateway.chain.block, block) + 1
      return
    }
    case 'reorganize':
      gateway.chain.blockHashes.set(101 + step.block, newHash())
      return
    case 'takeOff': {
      const listing = world.listings[step.project]
      if (mine && listing) await commonSales.takeOffShelf(mine.project.client, { id: listing.id })
      return
    }
    case 'verify':
      await projects[0]?.orderFixture.verify()
  }
}

function sightingOf(
  shows: TransactionOutcome | 'unseen' | 'pending' | 'unfit',
  block: number,
): PaymentObservation {
  if (shows === 'unseen') return { kind: shows }
  if (shows === 'pending' || shows === 'unfit') return { kind: 'pending', fits: shows === 'pending' }
  const blockHash = gateway.chain.blockHashes.get(block) ?? `0x${block.toString(16).padStart(64, '0')}`
  return { kind: 'mined', block, blockHash, final: block < gateway.chain.block, outcome: shows }
}

/**
 * Stock is reserved past the end of its reservation only for a transaction that a block holds, or held when
 * the chain was read before.
 */
async function expectReservationsEnd(): Promise<void> {
  const { rows } = await sql`select o.order_no from gateway.orders o
    join gateway.order_payments p on p.project_id = o.project_id and p.order_id = o.id
    where o.status = ${OrderStatus.IN_PROGRESS}
    group by o.order_no
    having min(p.reported_at) < clock_timestamp() - make_interval(secs => ${RESERVATION})
      and max(p.mined_block) = 0 and bool_and(coalesce(p.seen_at, p.reported_at) < clock_timestamp() - make_interval(secs => ${UNSEEN}))
  `.execute(gateway.owner.system)
  expect(rows, 'reservations past their end').toEqual([])
}

/** Refusals are part of the game; anything else is not. */
async function tryTo(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isMintmarkError(error) || (error.status ?? 500) >= 500) throw error
  })
}

/** Sequences that chance need not come upon. */
const order = { do: 'order', project: 0, buyer: 0, quantity: 2 } as const
const verify = { do: 'verify' } as const
const report = (index: number, hash: number) => ({ do: 'report', order: index, hash }) as const
const show = (hash: number, shows: Extract<Action, { do: 'chain' }>['shows']): Action => ({
  do: 'chain',
  hash,
  shows,
  block: 0,
})
const resolve = (event: Decision, withoutPayment = false): Action => ({
  do: 'resolve',
  order: 0,
  event,
  withoutPayment,
})
const underpaid = [order, report(0, 0), show(0, 'not_enough'), verify]
const paid = [order, report(0, 0), show(0, 'paid'), verify]
const certain: Action[][] = [
  [...underpaid, resolve('resolved_failed'), verify],
  [...underpaid, resolve('resolved_success'), verify],
  [...underpaid, resolve('resolved_success', true), verify],
  [order, order, report(0, 0), report(1, 0), show(0, 'not_enough'), verify, verify],
  [order, order, report(0, 0), report(1, 0), show(0, 'paid'), verify, verify],
  [...paid, { ...order, project: 1 }, report(1, 0), verify, resolve('resolved_failed'), verify],
  [...paid, report(0, 1), show(1, 'paid'), verify, resolve('refunded'), verify],
  [
    ...[order, report(0, 0), show(0, 'pending')],
    ...[{ do: 'passTime', order: 0, seconds: RESERVATION + 1 } as const, verify, show(0, 'paid'), verify],
  ],
]

const runs = Number(process.env.PROPERTY_RUNS ?? 6)

it('stock, ownership, payments and counters hold under any sequence of events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 40 }), async (steps) => {
      const world = await begin()
      for (const step of steps) {
        await tryTo(perform(world, step))
        if (step.do === 'verify') {
          expect(await listOrderViolations(gateway.owner.system)).toEqual([])
          await expectReservationsEnd()
        }
      }
      expect(await listOrderViolations(gateway.owner.system)).toEqual([])
    }),
    {
      numRuns: runs + certain.length,
      seed: 20260115,
      examples: certain.map((steps) => [steps] as [Action[]]),
    },
  )
})

it('stock, ownership, payments and counters hold under concurrent events', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(action, { minLength: 2, maxLength: 6 }), { minLength: 4, maxLength: 8 }),
      async (rounds) => {
        const world = await begin()
        for (const steps of rounds) await Promise.all(steps.map((step) => tryTo(perform(world, step))))
        expect(await listOrderViolations(gateway.owner.system)).toEqual([])
      },
    ),
    { numRuns: runs, seed: 20260116 },
  )
})

it('the generated sequences have reached every status and every event', async () => {
  const { rows } = await sql<{ status: number }>`
    select distinct to_status as status from gateway.order_events order by 1`.execute(gateway.owner.system)
  const reached = Object.values(OrderStatus).filter((status) => status !== OrderStatus.PRE)
  expect(rows.map(({ status }) => status)).toEqual(reached)
  const events = await sql<{ event: string }>`
    select distinct event from gateway.order_events`.execute(gateway.owner.system)
  expect(events.rows.map(({ event }) => event)).toEqual(
    expect.arrayContaining([
      ...['paid_again', 'mismatched', 'not_paid', 'unseen'],
      ...['resolved_success', 'resolved_failed', 'refunded'],
    ]),
  )
})
