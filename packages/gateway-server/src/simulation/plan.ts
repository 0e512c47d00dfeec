import { randomFrom } from '@mintmark/devkit/random'
import { enable, type FaultRates, USUAL_RATES } from '@mintmark/devkit/simulation/faults'
import { OFFERED_LISTINGS } from './catalog.ts'

/** Events of the world that no process causes, each with its weight. */
export interface EventWeights {
  readonly order: number
  readonly transfer: number
  readonly report: number
  readonly job: number
  readonly mine: number
  readonly mineEmpty: number
  readonly reportOther: number
  /** Several calls about one order at the same time. */
  readonly rush: number
  readonly replace: number
  readonly moveMoney: number
  readonly cancel: number
  readonly takeOff: number
  readonly reorganize: number
  readonly drop: number
  readonly jump: number
  /** A late statement arrives. */
  readonly arrive: number
  readonly crash: number
  readonly pause: number
  /** A process is paused beyond its leases, and another one takes over. */
  readonly overtake: number
  readonly skew: number
}

export type EventName = keyof EventWeights

/** Everything that a seed decides before its simulation begins. */
export interface Plan {
  readonly seed: number
  readonly steps: number
  readonly eventChance: number
  readonly processes: number
  /** The indexes of the listings that buyers order from, among the offered ones. */
  readonly listings: readonly number[]
  readonly finality: 'finalized' | 'depth'
  readonly finalityDepth: number
  readonly rates: FaultRates
  readonly weights: EventWeights
}

const USUAL_EVENTS = { order: 4, transfer: 5, report: 7, job: 10, mine: 8, mineEmpty: 1 }
const RARE_EVENTS = {
  reportOther: 2,
  rush: 1,
  replace: 1,
  moveMoney: 0.7,
  cancel: 1,
  takeOff: 0.3,
  reorganize: 2,
  drop: 1,
  jump: 2,
  arrive: 2,
  crash: 2,
  pause: 1,
  overtake: 1,
  skew: 0.5,
}

/** What a simulation does more often than others, so that sequences occur that are rare among all events. */
interface Focus {
  /** Added to the events and faults that the seed enables. */
  readonly weights: Partial<EventWeights>
  readonly rates: Partial<FaultRates>
  readonly processes?: number
  /** Added to the usual ones, so that successes are watched for long enough. */
  readonly steps?: number
}

const FOCUSES: readonly Focus[] = [
  // Payments are mined, and lost again.
  {
    weights: { order: 2, transfer: 5, report: 10, job: 20, mine: 10, reorganize: 6, drop: 3 },
    rates: { lag: 0.5 },
  },
  // Payments arrive when their orders have ended.
  { weights: { transfer: 8, report: 10, jump: 5, mine: 4, cancel: 2 }, rates: { lateResponse: 0.2 } },
  // Buyers report each other's payments, and their own several times.
  { weights: { transfer: 10, report: 10, reportOther: 8, replace: 3 }, rates: {} },
  // Several calls change one order at the same time, also when it has expired.
  {
    weights: { order: 3, transfer: 4, report: 4, job: 8, rush: 8, jump: 2, arrive: 3, pause: 2 },
    rates: { lateResponse: 0.2, lateStatement: 0.04 },
  },
  // Verifiers are slower than their leases, so that others check their orders too.
  {
    weights: { order: 3, transfer: 6, report: 6, job: 20, mine: 12, overtake: 10 },
    rates: {},
    processes: 2,
  },
  // Nodes that lag do not know payments that others have in final blocks.
  {
    weights: { order: 3, transfer: 6, report: 8, job: 24, mine: 14, jump: 3 },
    rates: { lag: 0.6, forget: 0.8, sameNode: 0.6 },
    steps: 400,
  },
  // Payments of replaced blocks are lost, and some nodes still have those blocks.
  {
    weights: { order: 3, transfer: 6, report: 8, job: 20, mine: 12, reorganize: 4, drop: 4, replace: 3 },
    rates: { lag: 0.5, replaced: 0.8, sameNode: 0.4 },
    steps: 400,
  },
  // Gateways crash while they verify.
  { weights: { transfer: 6, report: 8, job: 12, crash: 5, pause: 4, jump: 3 }, rates: { lateResponse: 0.3 } },
]

/** Creates the plan of a seed. `isCalm`: no faults and no rare events. */
export function createPlan(seed: number, { isCalm = false } = {}): Plan {
  const random = randomFrom(seed * 7_919 + 13)
  const probability = isCalm ? 0 : random.pick([0.2, 0.5, 0.8])
  const focus = isCalm || random.chance(0.3) ? undefined : random.pick(FOCUSES)
  const listings = OFFERED_LISTINGS.map((_, index) => index).filter(() => random.chance(0.5))
  return {
    seed,
    steps: 80 + random.integer(220) + (focus?.steps ?? 0),
    eventChance: random.pick([0.06, 0.12, 0.25]),
    processes: focus?.processes ?? 1 + random.integer(2),
    listings: listings.length > 0 ? listings : [random.integer(OFFERED_LISTINGS.length)],
    finality: random.pick(['finalized', 'depth']),
    finalityDepth: 2 + random.integer(2),
    rates: { ...enable(random, USUAL_RATES, probability), ...focus?.rates },
    weights: { ...USUAL_EVENTS, ...enable(random, RARE_EVENTS, probability), ...focus?.weights },
  }
}
