import type { WhitelistMode } from '@mintmark/minting'
import type { Hex } from 'viem'
import { leafOf, rootOf } from './merkle.ts'

const EMPTY = 'The whitelist of the phase is empty'
const NOT_LISTED = 'The wallet is not on the whitelist of the phase'
const WRONG_PROOF = "The proof does not lead from the wallet and the limit to the whitelist's root"

/** What a whitelist contains for a wallet. */
export interface WhitelistView {
  readonly mode: WhitelistMode
  /** The phase's limit per wallet; 0 for none. */
  readonly phaseLimit: number
  /** Of a MERKLE whitelist: the root of its tree; empty for an empty tree. */
  readonly root: string
  /** Whether the whitelist has no wallets. */
  readonly empty: boolean
  /** The wallet's own entry. */
  readonly entry: { readonly limit: string; readonly proof: readonly Hex[] } | undefined
}

/** A wallet that wants to mint, with its proof for the whitelist. */
export interface WalletClaim {
  readonly wallet: string
  readonly proof: readonly string[] | undefined
  readonly limit: string | undefined
}

export interface WhitelistEvaluation {
  /** The message of the refusal; undefined if the whitelist admits the wallet. */
  readonly problem: string | undefined
  /** How many the wallet may mint in the phase; 0 for any number. */
  readonly limit: number
  /** The limit in the wallet's entry or leaf. */
  readonly ownLimit: string
  readonly proof: readonly Hex[]
}

/**
 * Evaluates whether a whitelist admits a wallet, and how many it may mint. An empty whitelist admits no
 * wallet.
 */
export function evaluateWhitelist(
  view: WhitelistView,
  { wallet, proof, limit }: WalletClaim,
): WhitelistEvaluation {
  const refused = (problem: string): WhitelistEvaluation => ({
    problem,
    limit: 0,
    ownLimit: '0',
    proof: [],
  })
  const listed = (ownLimit: string, own: readonly Hex[]): WhitelistEvaluation => ({
    problem: undefined,
    limit: limitOf(ownLimit, view.phaseLimit),
    ownLimit,
    proof: own,
  })
  if (view.mode === 'NONE') return listed('0', [])
  if (view.mode === 'LIST') {
    if (view.entry !== undefined) return listed(view.entry.limit, [])
    return refused(view.empty ? EMPTY : NOT_LISTED)
  }
  if (view.root === '') return refused(EMPTY)
  const given = proof?.map(lowerHex)
  const ownLimit = given === undefined ? (view.entry?.limit ?? limit) : (limit ?? '0')
  // The proof of a tree's only leaf is empty, and a query cannot express that. A limit without a proof means
  // an empty proof.
  const own = given ?? view.entry?.proof ?? (limit === undefined ? undefined : [])
  if (ownLimit === undefined || own === undefined) return refused(NOT_LISTED)
  if (rootOf(leafOf(wallet, BigInt(ownLimit)), own) !== view.root) return refused(WRONG_PROOF)
  return listed(ownLimit, own)
}

const lowerHex = (text: string): Hex => `0x${text.slice(2).toLowerCase()}`

/** The limit of a leaf overrides the phase's limit. A limit that no counter can reach means no limit. */
function limitOf(ownLimit: string, phaseLimit: number): number {
  if (ownLimit === '0') return phaseLimit
  const own = Number(ownLimit)
  return Number.isSafeInteger(own) ? own : 0
}
