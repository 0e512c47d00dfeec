import {
  Amount,
  creationTimeQuery,
  Id,
  Positive,
  referenceInput,
  referenceQuery,
  Text,
  Timestamp,
} from '@mintmark/envelope'
import * as v from 'valibot'

/** A listing's id. */
export const listingId = {
  /** The listing's id. */
  id: Id,
}

/** The filter of collections with open listings. */
export const collectionsQuery = {
  /** The chain as a decimal text, such as `84532`. */
  chainId: v.optional(Text),
}

/** The filter of open listings. */
export const listingQuery = {
  /** The contract's address; case does not matter. */
  nftAddress: v.optional(Text),
  /** The seller's address; case does not matter. */
  seller: v.optional(Text),
  /** The pay token's address; `''` for the chain's native token. */
  payTokenAddress: v.optional(v.string()),
  /** The minimum price of one unit, inclusive, in base units. */
  minPrice: v.optional(Amount),
  /** The maximum price of one unit, inclusive, in base units. */
  maxPrice: v.optional(Amount),
  ...creationTimeQuery,
  ...referenceQuery,
}

/** The fields of a new listing, for every kind of sale. */
export const newListingFields = {
  /** The owner's address. */
  seller: Text,
  /** The contract's address; case does not matter. It must be registered. */
  nftAddress: Text,
  /** The token's id in its contract. */
  nftId: Text,
  /** The number of units. */
  quantity: Positive,
  /** The price of one unit, in base units of the pay token; not 0. */
  payPrice: Amount,
  /** An ERC-20's address, or `''` for the chain's native token. Default: `''`. */
  payTokenAddress: v.optional(v.string()),
  /** When the listing opens: ISO 8601 with a time zone, such as `2026-01-01T00:00:00Z`. Default: now. */
  startTime: v.optional(Timestamp),
  /** When the listing expires: ISO 8601 with a time zone. Default: ten years after it opens. */
  endTime: v.optional(Timestamp),
  ...referenceInput,
}
