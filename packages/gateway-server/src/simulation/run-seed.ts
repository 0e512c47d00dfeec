import { createSeedRunner } from '@mintmark/devkit/simulation/seed-runner'
import { runSteps } from '@mintmark/devkit/simulation/world'
import { OrderStatus } from '@mintmark/orders'
import type { Tables } from '../database/tables.ts'
import { gatewaySchema } from '../main/server.ts'
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

async function runWorld(world: World): Promise<string[]> {
  const { simulation, plan } = world
  await runSteps(world, plan, () => runEvent(world))
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
