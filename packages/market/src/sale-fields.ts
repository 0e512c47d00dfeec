import { Amount, Id, Positive, Text, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'

/** A listing's id. */
export const listingId = {
  /** The listing's id. */
  id: Id,
}

/** What collections on the shelf are asked for by. */
export const collectionsQuery = {
  /** A chain's id, decimal. */
  chainId: v.optional(Text),
}

/** What the shelf is asked for by. */
export const shelfQuery = {
  /** A contract's address; case does not matter. */
  nftAddress: v.optional(Text),
  /** A seller's address; case does not matter. */
  seller: v.optional(Text),
  /** `''` for the chain's native token. */
  payTokenAddress: v.optional(v.string()),
  /** Of one, in base units; included. */
  minPrice: v.optional(Amount),
  /** Of one, in base units; included. */
  maxPrice: v.optional(Amount),
}

/** What putting on the shelf takes, whatever the kind of sale. */
export const putOnShelfFields = {
  /** The owner's address. */
  seller: Text,
  /** The contract's address; case does not matter. It must be registered. */
  nftAddress: Text,
  /** The token's id in its contract. */
  nftId: Text,
  /** How many are offered. */
  quantity: Positive,
  /** The price of one, in base units of the pay token; not 0. */
  payPrice: Amount,
  /** An ERC-20's address; none or `''` for the chain's native token. */
  payTokenAddress: v.optional(v.string()),
  /** Default: now. */
  startTime: v.optional(Timestamp),
  /** Default: ten years after the start. */
  endTime: v.optional(Timestamp),
}
