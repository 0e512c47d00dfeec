import {
  Amount,
  ConflictError,
  Empty,
  Id,
  Integer,
  NotFoundError,
  record,
  type Schema,
  Text,
  Timestamp,
} from '@mintmark/envelope'
import { contractAddress, mintRefusals, reserveFields } from '@mintmark/minting'
import { gatewayOperation, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'

const lazyNft = record({
  /** When it was made. */
  createTime: Timestamp,
  /** Milliseconds since the epoch. */
  createTimeLong: Integer,
  /** What is said of it; `''` for nothing. */
  description: v.string(),
  /** Its id. */
  id: Integer,
  /** URL of its picture; `''` for none. */
  imgUrl: v.string(),
  /** URL of its media file; `''` for none. */
  mediaFileUrl: v.string(),
  /** Its name. */
  name: v.string(),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** What `mintSign` names it by: its `id` as a text. */
  nftId: v.string(),
  /** `''` for the chain's native token; of `price`. */
  payTokenAddress: v.string(),
  /** Its own price in base units of the pay token; `''`: the phase's. */
  price: v.string(),
  /** The project that it belongs to. */
  projectId: Integer,
  /** What it is like: kinds (`trait_type`, such as `paper`), each with its `value`. */
  properties: v.array(record({ trait_type: v.string(), value: v.string() })),
  /** The royalty of a resale, in percent. */
  royaltyPercentage: v.number(),
  /** `HIDDEN`, `DISPLAY`, `RESERVED` or `MINTED`. */
  status: v.string(),
  /** The token that it became; `''` before. */
  tokenId: v.string(),
  /** URL of its metadata, which the contract answers as `tokenURI`; `''` for none. */
  tokenUri: v.string(),
  /** When it was last changed. */
  updateTime: Timestamp,
})
/** An NFT that is minted when somebody takes it. */
export interface LazyNft extends v.InferOutput<typeof lazyNft> {}
export const LazyNft: Schema<LazyNft> = lazyNft

const details = {
  /** At most 4,000 characters. */
  description: v.optional(v.string()),
  /** URL of its picture. */
  imgUrl: v.optional(v.string()),
  /** URL of its media file. */
  mediaFileUrl: v.optional(v.string()),
  /** At most 100, with texts of at most 200 characters. */
  properties: v.optional(v.array(v.strictObject({ trait_type: Text, value: v.string() }))),
  /** The royalty of a resale, in percent from 0 to 100; default the collection's. */
  royaltyPercentage: v.optional(v.number()),
  /** Its own price in base units; none: the phase's. */
  price: v.optional(Amount),
  /** What `price` is in: an ERC-20's address; none or `''` for the chain's native token. */
  payTokenAddress: v.optional(v.string()),
  /** `DISPLAY` (default) or `HIDDEN`, which cannot be minted. */
  status: v.optional(v.string()),
}

const nftId = {
  /** The NFT's id. */
  id: Id,
}

/** Adds an NFT to a registered contract, to be minted when somebody takes it. */
export const addNft = gatewayOperation({
  id: 'lazyMinting.addNft',
  method: 'POST',
  path: '/api/v1/lazyMinting/nftInfo/add',
  source: 'name',
  scope: 'contracts:write',
  body: {
    ...contractAddress,
    /** At most 200 characters. */
    name: Text,
    /** What the token's `tokenURI` answers once it is minted. */
    tokenUri: Text,
    ...details,
  },
  data: LazyNft,
  errors: [NotFoundError],
})

/** Modifies an NFT: replaces the fields that are given. Conflict once it is reserved or minted. */
export const updateNft = gatewayOperation({
  id: 'lazyMinting.updateNft',
  method: 'POST',
  path: '/api/v1/lazyMinting/nftInfo/update',
  source: 'name',
  idempotent: true,
  scope: 'contracts:write',
  body: {
    ...nftId,
    /** At most 200 characters. */
    name: v.optional(Text),
    /** What the token answers as its `tokenURI`. */
    tokenUri: v.optional(Text),
    ...details,
  },
  data: LazyNft,
  errors: [ConflictError, NotFoundError],
})

/** Deletes an NFT. Conflict once it is reserved or minted. */
export const removeNft = gatewayOperation({
  id: 'lazyMinting.removeNft',
  method: 'DELETE',
  path: '/api/v1/lazyMinting/nftInfo/{id}',
  source: 'name',
  scope: 'contracts:write',
  params: nftId,
  data: Empty,
  errors: [ConflictError, NotFoundError],
})

/** Details of an NFT. */
export const getNft = gatewayOperation({
  id: 'lazyMinting.getNft',
  method: 'GET',
  path: '/api/v1/lazyMinting/nftInfo/{id}',
  source: 'name',
  scope: 'contracts:read',
  params: nftId,
  data: LazyNft,
  errors: [NotFoundError],
})

/** List of a contract's NFTs, the newest first unless `orderBy` (id, createTime, name) says otherwise. */
export const listNfts = pagedGatewayOperation({
  id: 'lazyMinting.listNfts',
  method: 'GET',
  path: '/api/v1/lazyMinting/nftInfo/list',
  source: 'name',
  scope: 'contracts:read',
  query: {
    ...contractAddress,
    /** `HIDDEN`, `DISPLAY`, `RESERVED` or `MINTED`. */
    status: v.optional(v.string()),
  },
  item: LazyNft,
})

/**
 * Random NFT: draws one that is displayed and reserves it for a wallet for ten minutes, in which `mintSign` with its `nftId` signs it. It
 * counts for the phase and the wallet's limit as a mint does.
 */
export const randomNft = gatewayOperation({
  id: 'lazyMinting.randomNft',
  method: 'POST',
  path: '/api/v1/lazyMinting/randomNft',
  source: 'name',
  scope: 'contracts:write',
  body: reserveFields,
  data: LazyNft,
  errors: [NotFoundError, ...mintRefusals],
})
