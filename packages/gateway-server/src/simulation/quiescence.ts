import { drain, endFaults, mineBlock, mineFinal, startJob } from '@mintmark/devkit/simulation/world'
import { JOBS, SETTINGS, type SimulatedGateway } from './simulated-gateway.ts'
import { addGateway, crashGateway, type World } from './world.ts'

/** The most rounds of jobs until nothing changes. */
const MAX_ROUNDS = 30
/** Later than expiry, reservations and leases. */
const EXPIRY_MS = 200_000
/** Later than the last check of an order that ended unpaid. */
const LATE_MS = (SETTINGS.lateDays + 1) * 86_400_000
/** Longer than the longest pause between two checks of an order. */
const ROUND_MS = 4_000_000

/**
 * Ends all faults, lets every call end, moves the clock beyond all expiries, and runs the jobs until no order
 * is checked any more.
 *
 * @returns Whether that happened.
 */
export async function quiesce(world: World): Promise<boolean> {
  const { simulation, faults } = world
  await endFaults(world, faults, world.gateways, (gateway) => crashGateway(world, gateway))
  const survivor = world.gateways[0] ?? addGateway(world)
  if (!(await drain(world))) return false
  world.isQuiet = true
  for (const pause of [0, EXPIRY_MS, LATE_MS]) {
    simulation.advance(pause)
    if (!(await runRound(world, survivor))) return false
    // A transaction after a lost nonce is never mined. Nodes forget it within hours, and an order is checked
    // until then.
    for (const transaction of [...world.chain.pool]) world.chain.drop(transaction)
  }
  for (let round = 0; round < MAX_ROUNDS && (await countOpen(world)) > 0; round += 1) {
    simulation.advance(ROUND_MS)
    if (!(await runRound(world, survivor))) return false
  }
  return true
}

async function runRound(world: World, gateway: SimulatedGateway): Promise<boolean> {
  mineFinal(world)
  for (let count = 0; count <= SETTINGS.watchBlocks; count += 1) mineBlock(world)
  for (const job of JOBS) {
    startJob(world, gateway, job)
    if (!(await drain(world))) return false
  }
  return true
}

/** Counts the orders that are still checked. */
async function countOpen({ database }: World): Promise<number> {
  const open = database.owner
    .selectFrom('gateway.order_checks')
    .select(({ fn }) => fn.countAll<number>().as('open'))
  return (await open.executeTakeFirstOrThrow()).open
}
