import type { Schema } from '@mintmark/envelope'
import * as v from 'valibot'

/** The values of `pricedBy`: what collects the price of a mint. */
export const PricedBy = {
  /** The contract, when it mints. */
  CHAIN: 'CHAIN',
  /** An order, before the mint is signed. */
  ORDER: 'ORDER',
} as const
/** What collects the price of a mint. */
export type PricedBy = (typeof PricedBy)[keyof typeof PricedBy]

/** The values of `whitelistMode`: who may mint in a phase. */
export const WhitelistMode = {
  /** Every wallet. */
  NONE: 'NONE',
  /** The wallets on the list. */
  LIST: 'LIST',
  /** The wallets with a proof for a Merkle tree. */
  MERKLE: 'MERKLE',
} as const
/** Who may mint in a phase. */
export type WhitelistMode = (typeof WhitelistMode)[keyof typeof WhitelistMode]

// A newer server may know further values, so these types are open.
export const pricedBy: Schema<PricedBy | (string & {})> = v.string()
export const whitelistMode: Schema<WhitelistMode | (string & {})> = v.string()
