import type { FaultRates } from '@mintmark/devkit/simulation/faults'
import type { EventWeights, PaymentPlan } from './plan.ts'
import { JOBS, type Job } from './simulated-facilitator.ts'

/** What a simulation does more often than others, so that sequences occur that are rare among all events. */
export interface Focus {
  /** Added to the events and faults that the seed enables. */
  readonly weights: Partial<EventWeights>
  readonly rates: Partial<FaultRates>
  /** The jobs that run, each as often as it is listed. */
  readonly jobs: readonly Job[]
  /** The number of payments. Default: one to three. */
  readonly payments?: number
  /** What all payments have in common. */
  readonly payment?: Partial<PaymentPlan>
  readonly processes?: number
  /** Added to the usual ones. */
  readonly steps?: number
  /** How long payments can be made, in seconds. */
  readonly validity?: number
}

const focuses = {
  everything: { weights: {}, rates: {}, jobs: JOBS },
  deposits: {
    weights: { settle: 1, deposit: 6, mine: 10, reorganize: 4 },
    rates: { lag: 0.6 },
    jobs: ['deposits', 'deposits', 'deposits', 'heads'],
  },
  // One payment, whose callers lose their processes while they wait.
  leases: {
    weights: { settle: 10, crash: 2, overtake: 6, jump: 3, arrive: 5 },
    rates: { lateResponse: 0.1, lateStatement: 0.06, lostRequest: 0.1 },
    jobs: ['reconcile', 'reconcile', 'sweep'],
    payments: 1,
    processes: 2,
  },
  // Other programs use the nonces of signers.
  nonces: {
    weights: { settle: 8, foreignTransaction: 4, drop: 3, jump: 4, mine: 10 },
    rates: { lag: 0.5 },
    jobs: ['sweep', 'sweep', 'reconcile'],
  },
  // Payments revert, or somebody else submits them.
  reverts: {
    weights: { settle: 10, moveMoney: 3, frontRun: 3, cancel: 1, reorganize: 2 },
    rates: { lag: 0.5 },
    jobs: ['reconcile', 'sweep'],
  },
  // Authorizations expire while nodes that lag do not show that they were used.
  expiries: {
    weights: { settle: 8, frontRun: 2, mine: 12, jump: 3, crash: 2 },
    rates: { lag: 0.6, lateResponse: 0.2 },
    jobs: ['reconcile', 'reconcile', 'reconcile', 'sweep'],
    validity: 40,
  },
  // Transfers of Permit2 that only their nonces distinguish, which no event of Permit2 names.
  twins: {
    weights: { settle: 10, frontRun: 3, cancel: 3, moveMoney: 1, crash: 2, mine: 10 },
    rates: { lag: 0.4, lateResponse: 0.2 },
    jobs: ['reconcile', 'reconcile', 'sweep'],
    payments: 3,
    payment: { method: 'exact by Permit2', payer: 0, amount: 10_000n },
  },
  reorganizations: {
    weights: { settle: 8, mine: 10, reorganize: 8, deposit: 2 },
    rates: { lag: 0.5 },
    jobs: JOBS,
  },
  // Some nodes still have blocks that were replaced long ago.
  branches: {
    weights: { settle: 8, mine: 14, reorganize: 3, drop: 2, moveMoney: 1 },
    rates: { lag: 0.5, replaced: 0.8, sameNode: 0.4 },
    steps: 400,
    jobs: ['reconcile', 'reconcile', 'sweep', 'sweep'],
  },
} satisfies Record<string, Focus>

export type FocusName = keyof typeof focuses

export const FOCUSES: Readonly<Record<FocusName, Focus>> = focuses

// Typed: the keys of an object literal.
export const FOCUS_NAMES = Object.keys(focuses) as FocusName[]
