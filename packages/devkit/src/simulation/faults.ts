import type { Random } from '../random.ts'
import type { StatementFault } from './simulated-database.ts'
import type { Simulation } from './simulation.ts'

/**
 * Rates of faults, from 0 to 1. A seed enables some of them, so that others cannot hide what one of them
 * causes.
 */
export interface FaultRates {
  /** A node that is behind responds. */
  readonly lag: number
  /** A node that is behind has not noticed the latest reorganization. */
  readonly replaced: number
  /** A node that is behind does not know the transactions that it has in no block. */
  readonly forget: number
  /** The next request reaches the same node again, as with a connection that is kept. */
  readonly sameNode: number
  /** A node without receipts, or whose range of logs misses its newest block, responds. */
  readonly lie: number
  /** A request or its response is lost. */
  readonly lostRequest: number
  /** A response arrives later. */
  readonly lateResponse: number
  /** A database connection breaks before or after a statement. */
  readonly lostConnection: number
  /** A statement arrives at the database much later, perhaps after its lease. */
  readonly lateStatement: number
}

/** The faults of a simulation. Without rates, everything works. */
export interface Faults {
  rates: FaultRates | undefined
  /** How many responses came from nodes that lacked something of their own blocks. */
  lies: number
}

/** The rates that a seed enables. */
export const USUAL_RATES: FaultRates = {
  lag: 0.4,
  replaced: 0.3,
  forget: 0.5,
  sameNode: 0.5,
  lie: 0.05,
  lostRequest: 0.06,
  lateResponse: 0.15,
  lostConnection: 0.03,
  lateStatement: 0.02,
}

/** Chooses what happens to the next statement. */
export function chooseStatementFault({ random }: Simulation, { rates }: Faults): StatementFault {
  if (rates === undefined) return undefined
  if (random.chance(rates.lostConnection)) return random.pick(['lost-before', 'lost-after'])
  if (random.chance(rates.lateStatement)) return 'late-arrival'
  return random.chance(rates.lateResponse) ? 'late-response' : undefined
}

/** Enables each entry with a probability. Others become 0. */
export function enable<Entries extends object>(
  random: Random,
  entries: Entries,
  probability: number,
): Entries {
  const enabled = Object.entries(entries).map(([name, value]) => [
    name,
    random.chance(probability) ? value : 0,
  ])
  // The keys are those of the entries.
  return Object.fromEntries(enabled) as Entries
}

/** Picks a name by the weights of all names. */
export function pickWeighted<Name extends string>(
  random: Random,
  weights: Readonly<Record<Name, number>>,
): Name | undefined {
  // The keys are those of the type.
  const entries = Object.entries(weights) as [Name, number][]
  const total = entries.reduce((sum, [, weight]) => sum + weight, 0)
  let left = (random.integer(1_000_000) / 1_000_000) * total
  for (const [name, weight] of entries) {
    left -= weight
    if (left < 0) return name
  }
  return undefined
}
