import { Hash, Id, Integer, record, type Schema, Text, Timestamp } from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import { DECISION_REFUSED } from './rules.ts'

const stuckMint = record({
  /** The project's id. */
  projectId: Integer,
  /** The id of the mint signature. */
  reservation: Integer,
  /** The chain's id. */
  chainId: v.string(),
  /** The contract's address. */
  nftAddress: v.string(),
  /** What identifies the signature on the chain. */
  uid: v.string(),
  /** The wallet that may mint. */
  recipient: v.string(),
  /** The number of units. */
  quantity: Integer,
  /** When the signature ended, by the chain's clock. */
  validUntil: Timestamp,
  /** All blocks before this one show no use. */
  provenTo: Integer,
  /** How often the server could not decide. */
  attempts: Integer,
})
/**
 * An expired mint signature that the chain neither shows as used nor proves unused. What it reserved stays
 * reserved.
 */
export interface StuckMint extends v.InferOutput<typeof stuckMint> {}
export const StuckMint: Schema<StuckMint> = stuckMint

const resolvedMint = record({
  /** The project's id. */
  projectId: Integer,
  /** The id of the mint signature. */
  reservation: Integer,
  /** Its status after the decision. */
  status: v.string(),
})
/** A mint signature after an operator's decision. */
export interface ResolvedMint extends v.InferOutput<typeof resolvedMint> {}
export const ResolvedMint: Schema<ResolvedMint> = resolvedMint

/**
 * Lists the undecided mint signatures of all projects, oldest first, at most 1,000.
 *
 * @example
 * for (const { projectId, uid } of await stuckMints.list(gateway)) console.log(projectId, uid)
 */
export const list = gatewayOperation({
  id: 'stuckMints.list',
  method: 'GET',
  path: '/admin/v1/operator/stuckMints',
  source: 'own',
  scope: 'operator:read',
  data: v.array(StuckMint),
})

/**
 * Decides an undecided mint signature: with `hash` and `tokenId` it was used by that mint, without them it
 * was not used and its units are released. Look the uid up in an explorer first: a used signature that is
 * released can be minted above its limit. `DECISION_REFUSED` if the server has decided meanwhile.
 *
 * @example
 * await stuckMints.resolve(gateway, { projectId: 1, reservation: 7, reason: 'No use in the explorer' })
 */
export const resolve = gatewayOperation({
  id: 'stuckMints.resolve',
  method: 'POST',
  path: '/admin/v1/operator/stuckMints/resolve',
  source: 'own',
  scope: 'operator:write',
  body: {
    /** The project's id. */
    projectId: Id,
    /** The id of the mint signature. */
    reservation: Id,
    /** Why, for those who read the history. */
    reason: Text,
    /** The transaction that used the signature. Default: it was not used. */
    hash: v.optional(Hash),
    /** The id of the minted token: decimal digits. Required with `hash`. */
    tokenId: v.optional(Text),
  },
  data: ResolvedMint,
  errors: [DECISION_REFUSED],
})
export type ResolveStuckMintInput = InputOf<typeof resolve>
