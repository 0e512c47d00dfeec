import { drain, endFaults, mineFinal, startJob } from '@mintmark/devkit/simulation/world'
import { sql } from 'kysely'
import type { Job, SimulatedFacilitator } from './simulated-facilitator.ts'
import { addFacilitator, crashFacilitator, type World } from './world.ts'

/** The most rounds of jobs until nothing changes. */
const MAX_ROUNDS = 10
/** Later than all authorizations, leases and limits. */
const EXPIRY_MS = 1_000_000
/** Longer than the delay of the latest check of a settlement. */
const ROUND_MS = 61_000
const REPEATED_ROUND_CHANCE = 0.1
const ROUND_JOBS: readonly Job[] = ['heads', 'sweep', 'reconcile', 'deposits']

/**
 * Ends all faults, lets every call end, moves the clock beyond all authorizations and leases, and runs the
 * jobs until nothing is open.
 *
 * @returns The facilitator that works at the end. Undefined if a call does not end.
 */
export async function quiesce(world: World): Promise<SimulatedFacilitator | undefined> {
  const { simulation, faults } = world
  await endFaults(world, faults, world.facilitators, (facilitator) => crashFacilitator(world, facilitator))
  const survivor = world.facilitators[0] ?? addFacilitator(world)
  if (!(await drain(world))) return undefined
  world.isQuiet = true
  mineFinal(world)
  await runRound(world, survivor)
  simulation.advance(EXPIRY_MS)
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    mineFinal(world)
    if (!(await runRound(world, survivor))) return undefined
    if ((await countOpen(world)) === 0) break
    simulation.advance(ROUND_MS)
  }
  // Another round must not change anything.
  const isRepeated = simulation.random.chance(REPEATED_ROUND_CHANCE)
  return !isRepeated || (await runRound(world, survivor)) ? survivor : undefined
}

async function runRound(world: World, facilitator: SimulatedFacilitator): Promise<boolean> {
  for (const job of ROUND_JOBS) {
    startJob(world, facilitator, job)
    if (!(await drain(world))) return false
  }
  return true
}

/** Counts settlements and transactions whose outcome is open, and blocks whose deposits were not read. */
async function countOpen(world: World): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select ((select count(*) from facilitator.settlements
        where state in ('sent', 'unknown') or (state = 'settled' and final_at is null))
      + (select count(*) from facilitator.transactions where state in ('sent', 'mined')))::int as open`.execute(
    world.database.owner,
  )
  return rows[0]?.open ?? 0
}
