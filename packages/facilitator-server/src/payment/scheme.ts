import type { Problem } from './problem.ts'

/**
 * One way to pay. A payment carries the scheme that its decoding has found, and what differs between schemes is
 * behind this interface. A scheme has no state.
 */
export interface Scheme<Details = unknown> {
  /** The name in x402, which is stored with a settlement, such as `exact`. */
  readonly name: string
  /** The CAIP-2 namespace of its networks, such as `eip155`. */
  readonly namespace: string
  /**
   * The contract whose nonces its payments use, lower-case. Undefined: the asset. Of the schemes that have a
   * name in common, no two have the same domain.
   */
  readonly domain?: string
  /** How the tokens are transferred, as operators see it. */
  readonly method: string
  /** Lists the scheme's own terms, which are part of a payment's fingerprint. */
  listTerms(details: Details): readonly string[]
  /** Lists the payers of earlier payments that a payment collects. */
  listPayers?(details: Details): readonly string[]
  /**
   * Whether the seller settles what was used of a signed maximum, so that the amount may differ between verify
   * and settle, and may be 0.
   */
  readonly isMetered?: boolean
  /** Whether payments are verified, for free, and never settled. */
  readonly isVerifiedOnly?: boolean
  /** The refusal of a verify. Set if payments are only settled. */
  readonly settleOnly?: Problem
  /** Whether a seller requests it for itself, so that no repeated success releases a resource. */
  readonly isRepeatable?: boolean
  /** Whether the account of a payment can claim something of it, which is stored before the payment is sent. */
  readonly isClaimable?: boolean
  /** Set if the payer has signed nothing, so that reverts of a payment do not count for the payer. */
  readonly revertsCountFor?: 'account'
  /** The refusal of a payment if those in flight take what the payer has approved. */
  readonly allowanceProblem?: Problem
}

/** What a settlement stores of the scheme of its payment. */
export interface StoredScheme {
  readonly scheme: string
  readonly network: string
  readonly domain: string
}

/** Finds the scheme of a stored settlement. @throws Error if the registry does not have it. */
export type FindScheme = (stored: StoredScheme) => Scheme

/** Returns the CAIP-2 namespace of a network. */
export const namespaceOf = (network: string): string => network.slice(0, Math.max(0, network.indexOf(':')))
