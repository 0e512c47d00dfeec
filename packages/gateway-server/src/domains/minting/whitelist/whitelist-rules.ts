import type { Hex } from 'viem'
import type { WhitelistMode } from '../phases/phase-rules.ts'
import { leafOf, rootOf } from './merkle.ts'

/** Why a whitelist does not let a wallet mint. */
export type Unlisted = 'whitelist_empty' | 'not_listed' | 'wrong_proof'

export const UNLISTED_TEXTS: Record<Unlisted, string> = {
  whitelist_empty: 'the whitelist of the phase is empty',
  not_listed: 'the wallet is not on the whitelist of the phase',
  wrong_proof: "the proof does not lead from the wallet and the limit to the whitelist's root",
}

/** What a whitelist has of a wallet. */
export interface WhitelistView {
  readonly mode: WhitelistMode
  /** The phase's limit per wallet; 0: none. */
  readonly phaseLimit: number
  /** Of a MERKLE whitelist: what proofs must lead to; '' where there is nothing they could lead to. */
  readonly root: string
  /** Whether wallets are kept here. */
  readonly empty: boolean
  /** The wallet's own entry. */
  readonly entry: { readonly limit: string; readonly proof: readonly Hex[] } | undefined
}

/** What the wallet brings along. */
export interface Brought {
  readonly wallet: string
  readonly proof: readonly string[] | undefined
  readonly limit: string | undefined
}

export interface Listed {
  readonly unlisted: Unlisted | undefined
  /** How many the wallet may mint in the phase; 0: any number. */
  readonly limit: number
  /** As it stands in the wallet's entry or leaf. */
  readonly ownLimit: string
  readonly proof: readonly Hex[]
}

/** Whether a whitelist lets a wallet mint, and how many. An empty one lets nobody. */
export function judgeWhitelist(view: WhitelistView, { wallet, proof, limit }: Brought): Listed {
  const nobody = (unlisted: Unlisted): Listed => ({ unlisted, limit: 0, ownLimit: '0', proof: [] })
  const listed = (ownLimit: string, own: readonly Hex[]): Listed => ({
    unlisted: undefined,
    limit: limitOf(ownLimit, view.phaseLimit),
    ownLimit,
    proof: own,
  })
  if (view.mode === 'NONE') return listed('0', [])
  if (view.mode === 'LIST') {
    if (view.entry !== undefined) return listed(view.entry.limit, [])
    return nobody(view.empty ? 'whitelist_empty' : 'not_listed')
  }
  if (view.root === '') return nobody('whitelist_empty')
  const brought = proof?.map(lowerHex)
  const ownLimit = brought === undefined ? (view.entry?.limit ?? limit) : (limit ?? '0')
  // A query cannot hold an empty proof, which is that of a tree's only leaf: its limit stands for it.
  const own = brought ?? view.entry?.proof ?? (limit === undefined ? undefined : [])
  if (ownLimit === undefined || own === undefined) return nobody('not_listed')
  if (rootOf(leafOf(wallet, BigInt(ownLimit)), own) !== view.root) return nobody('wrong_proof')
  return listed(ownLimit, own)
}

const lowerHex = (text: string): Hex => `0x${text.slice(2).toLowerCase()}`

/** A limit of a leaf's own goes before the phase's; one that no counter reaches is none. */
function limitOf(ownLimit: string, phaseLimit: number): number {
  if (ownLimit === '0') return phaseLimit
  const own = Number(ownLimit)
  return Number.isSafeInteger(own) ? own : 0
}
