import { randomFrom } from '@mintmark/devkit/random'
import { enable, type FaultRates, USUAL_RATES } from '@mintmark/devkit/simulation/faults'
import { FOCUS_NAMES, FOCUSES, type FocusName } from './focus.ts'
import type { Job } from './simulated-facilitator.ts'

/** Events of the world that no process causes, each with its weight. */
export interface EventWeights {
  readonly settle: number
  readonly job: number
  readonly mine: number
  readonly mineEmpty: number
  readonly reorganize: number
  readonly drop: number
  readonly frontRun: number
  readonly cancel: number
  readonly moveMoney: number
  readonly deposit: number
  readonly foreignTransaction: number
  readonly feeSpike: number
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
  readonly focus: FocusName
  readonly steps: number
  readonly eventChance: number
  readonly processes: number
  readonly signers: number
  readonly payments: readonly PaymentPlan[]
  readonly finality: 'finalized' | 'depth'
  readonly finalityDepth: number
  readonly chargeOn: 'upstream-2xx' | 'settled'
  /** Whether the token reverts with reasons. */
  readonly hasReasons: boolean
  readonly rates: FaultRates
  readonly weights: EventWeights
  /** The jobs that run, each as often as it is listed. */
  readonly jobs: readonly Job[]
}

export interface PaymentPlan {
  readonly method: PaymentMethod
  /** The index of the payer among the payers. */
  readonly payer: number
  readonly amount: bigint
  /** What a payer signs beyond the amount in the scheme upto. */
  readonly unused: bigint
  /** Seconds. */
  readonly validity: number
  /** Hex. */
  readonly nonce: string
  /** The payer's identifier of what the payment is for. Several payments may have the same one. */
  readonly identifier?: string
}

/** The scheme and the method of transfer of a payment. */
export const PAYMENT_METHODS = ['exact by EIP-3009', 'exact by Permit2', 'upto'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

const USUAL_EVENTS = { settle: 6, job: 6, mine: 8, mineEmpty: 1 }
const RARE_EVENTS = {
  reorganize: 2,
  drop: 1,
  frontRun: 1,
  cancel: 0.5,
  moveMoney: 0.7,
  deposit: 1.5,
  foreignTransaction: 0.7,
  feeSpike: 0.5,
  jump: 2,
  arrive: 2,
  crash: 2,
  pause: 1,
  overtake: 1,
  skew: 0.5,
}

const IDENTIFIER = 'identifier_of_a_simulation'

/** Creates the plan of a seed. `isCalm`: no faults and no rare events. */
export function createPlan(seed: number, { isCalm = false } = {}): Plan {
  const random = randomFrom(seed * 7_919 + 13)
  const probability = isCalm ? 0 : random.pick([0.2, 0.5, 0.8])
  const focusName = isCalm || random.chance(0.4) ? 'everything' : random.pick(FOCUS_NAMES)
  const focus = FOCUSES[focusName]
  // Numbers of their own, so that a seed has the same events with and without identifiers.
  const identifiers = randomFrom(seed * 6_151 + 29)
  const identifierChance = identifiers.pick([0, 0.9])
  const payments = Array.from({ length: focus.payments ?? 1 + random.integer(3) }, (_, index) => ({
    method: random.pick(PAYMENT_METHODS),
    payer: random.integer(2),
    amount: random.pick([10_000n, 10_000n, 4_000n]),
    unused: random.pick([0n, 5_000n]),
    validity: focus.validity ?? random.pick([90, 300, 900]),
    nonce: `0x${(index + 1).toString(16).padStart(64, 'a')}`,
    ...(identifiers.chance(identifierChance) && { identifier: IDENTIFIER }),
    ...focus.payment,
  }))
  return {
    seed,
    focus: focusName,
    payments,
    steps: 60 + random.integer(180) + (focus.steps ?? 0),
    eventChance: random.pick([0.06, 0.12, 0.25]),
    processes: focus.processes ?? 1 + random.integer(2),
    signers: 1 + random.integer(2),
    finality: random.pick(['finalized', 'depth']),
    finalityDepth: 2 + random.integer(2),
    chargeOn: random.chance(0.75) ? 'upstream-2xx' : 'settled',
    hasReasons: random.chance(0.6),
    rates: { ...enable(random, USUAL_RATES, probability), ...focus.rates },
    weights: { ...USUAL_EVENTS, ...enable(random, RARE_EVENTS, probability), ...focus.weights },
    jobs: focus.jobs,
  }
}
