import { OrderStatus } from '@mintmark/orders'
import { createSeedRunner } from '@mintmark/server-kit/simulation/seed-runner'
import { gatewaySchema } from '../server.ts'
import type { Tables } from '../tables.ts'
import { listOrderViolations } from '../testing/order-invariants.ts'
import { createOffers, type Offer } from './catalog.ts'
import { type Facts, readFacts } from './facts.ts'
import { checkInvariants } from './invariants.ts'
import { createPlan } from './plan.ts'
import { quiesce } from './quiescence.ts'
import { createWorld, type World } from './world.ts'
import { runEvent } from './world-events.ts'

/** Runs simulations of gateways with their orders. */
export const createGatewayRunner = () =>
  createSeedRunner<Tables, Offer[]>({
    schema: gatewaySchema,
    prepare: createOffers,
    async run(seed, { isCalm, log, database, rows: offers }) {
      const plan = createPlan(seed, { isCalm })
      log?.(JSON.stringify(plan))
      const world = createWorld(plan, { database, offers, ...(log && { log }) })
      const problems = await runWorld(world)
      return { problems, simulation: world.simulation, counts: countEnds(await readFacts(world)) }
    },
  })

/** Time that passes without an event. */
const MAX_IDLE_MS = 3_000

async function runWorld(world: World): Promise<string[]> {
  const { simulation, plan } = world
  for (let step = 0; step < plan.steps; step += 1) {
    await simulation.settle()
    if (simulation.random.chance(plan.eventChance)) await runEvent(world)
    // Without anything to do, an event happens.
    else if (!(await simulation.step(MAX_IDLE_MS))) await runEvent(world)
  }
  const hasEnded = await quiesce(world)
  for (const { process } of world.gateways) await simulation.crash(process)
  if (!hasEnded) return ['every call ends: a call or a job did not end']
  const violations = await listOrderViolations(world.database.owner)
  return [...checkInvariants(world, await readFacts(world)), ...violations]
}

function countEnds({ orders, consumed }: Facts) {
  const count = (status: number) => orders.filter((order) => order.status === status).length
  return {
    orders: orders.length,
    paid: count(OrderStatus.SUCCESS),
    failed: count(OrderStatus.FAILED),
    expired: count(OrderStatus.EXPIRED),
    unresolved: count(OrderStatus.UNRESOLVED),
    refunds: orders.filter((order) => order.refund_due).length,
    payments: consumed.length,
  }
}
