import { setTimeout as pause } from 'node:timers/promises'
import type { TestAccount } from '../testing.ts'
import type { Facts } from './facts.ts'
import { endLeases, type Fixture } from './fixture.ts'

/** A request to a facilitator, which callers may repeat. */
export interface FixturePayment {
  /** Identifies the request: the nonce of its payment, if the payer signs one. */
  readonly nonce: string
  readonly amount: bigint
  readonly account: TestAccount
  /** The request in each version of x402 that has the payment's method and scheme. */
  readonly bodies: readonly object[]
  /** Default: settle. */
  readonly operation?: 'verify'
  /** Called for each response of success. */
  readonly onSuccess?: () => void
}

/** Where a payment is on the chain. */
export interface PaymentOnChain {
  readonly transaction: string
  /** Undefined if the chain's blocks are not compared. */
  readonly blockHash?: string
}

/** What the facilitators of a fixture settle, and what must hold for it in the end. */
export interface Load {
  /** Signs a new request. Undefined if there is nothing yet for the kind of request that was chosen. */
  sign(fixture: Fixture): Promise<FixturePayment | undefined>
  /** Returns the payments that were executed, by nonce. */
  getPaid(fixture: Fixture): Promise<ReadonlyMap<string, PaymentOnChain>>
  /**
   * Makes the chain misbehave during a round, until the signal. Default: only the fixture's node is faulty.
   */
  disturb?(signal: AbortSignal): Promise<void>
  /** Adds blocks to a chain of its own, so that payments become final. */
  advance?(): void
  /** Adds blocks to a chain of its own, so that payments that were not executed expire. */
  expire?(): void
  /** Settles at a facilitator what is left when all others are dead and the nodes work. Default: nothing. */
  finish?(fixture: Fixture, url: string): Promise<void>
  /** Compares the chain with the settlements. Returns one sentence for each contradiction. */
  findProblems(fixture: Fixture, facts: Facts): Promise<string[]>
}

const RETRY_PAUSE_MS = 500
const MAX_ATTEMPTS = 40

/**
 * Repeats a settle while it fails for a temporary reason.
 *
 * @param passing Matches temporary reasons.
 * @param settle Returns undefined if nothing is left to settle.
 * @returns The last reason. Undefined for a success.
 */
export async function settleUntilEnded(
  { db }: Pick<Fixture, 'db'>,
  passing: RegExp,
  settle: () => Promise<Readonly<Record<string, unknown>> | undefined>,
): Promise<string | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await settle()
    if (response === undefined || response.success === true) return undefined
    const reason = String(response.errorReason)
    if (!passing.test(reason) || attempt === MAX_ATTEMPTS) return reason
    await endLeases(db)
    await pause(RETRY_PAUSE_MS)
  }
}
