import {
  ConflictError,
  Empty,
  Integer,
  NotFoundError,
  Positive,
  record,
  type Schema,
  Text,
  Timestamp,
} from '@mintmark/envelope'
import { gatewayOperation, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'

const nft = record({
  /** The chain as a decimal text, such as `84532`. */
  chainId: v.string(),
  /** When it was made. */
  createTime: Timestamp,
  /** Milliseconds since the epoch. */
  createTimeLong: Integer,
  /** Who made it: the owner of its contract when it was added, or else the wallet of the key, or else its first owner. */
  creator: v.string(),
  /** What is said of it; `''` for nothing. */
  description: v.string(),
  /** Its id. */
  id: Integer,
  /** URL of its picture; `''` for none. */
  imgUrl: v.string(),
  /** The media file's MIME type. */
  mediaFileType: v.string(),
  /** URL of its media file; `''` for none. */
  mediaFileUrl: v.string(),
  /** Its name. */
  name: v.string(),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** The token's id in its contract. */
  nftId: v.string(),
  /** `ERC721` or `ERC1155`, as its contract. */
  nftType: v.string(),
  /** Who owns it now; of several the one who owns most. `''` for nobody, or until the chain shows one. */
  owner: v.string(),
  /** The project that it belongs to. */
  projectId: Integer,
  /** What it is like: kinds (`trait_type`, such as `paper`), each with its `value`. */
  properties: v.array(record({ trait_type: v.string(), value: v.string() })),
  /** How many were added; 1 for ERC721. Who holds how many: `assets`. */
  quantity: Integer,
  /** The royalty of a resale, in percent. */
  royaltyPercentage: v.number(),
  /** URL of its metadata, which the contract answers as `tokenURI`; `''` for none. */
  tokenUri: v.string(),
  /** When it was last changed. */
  updateTime: Timestamp,
})
/** A token of a registered contract. Addresses are in lower case. */
export interface Nft extends v.InferOutput<typeof nft> {}
export const Nft: Schema<Nft> = nft

const nftProperty = record({
  /** How many NFTs of the collection have it. */
  count: Integer,
  /** Their share of the collection: above 0, at most 1. */
  rarity: v.number(),
  /** What kind of property it is, such as `paper`. */
  trait_type: v.string(),
  /** The value, such as `cotton`. */
  value: v.string(),
})
/** A property with how rare it is in its collection. */
export interface NftProperty extends v.InferOutput<typeof nftProperty> {}
export const NftProperty: Schema<NftProperty> = nftProperty

const token = {
  /** The contract's address; case does not matter. */
  nftAddress: Text,
  /** The token's id in its contract. */
  nftId: Text,
}

/**
 * Adds a token of a registered contract and gives it to its owner; of an indexed contract the chain says who owns it. NotFoundError when the
 * contract is not registered, Conflict when the token is there.
 */
export const add = gatewayOperation({
  id: 'nfts.add',
  method: 'POST',
  path: '/api/v1/nft/add',
  source: 'name',
  scope: 'contracts:write',
  body: {
    ...token,
    /** At most 4,000 characters. */
    description: v.optional(v.string()),
    /** URL of its picture. */
    imgUrl: v.optional(v.string()),
    /** The media file's MIME type. */
    mediaFileType: v.optional(v.string()),
    /** URL of its media file. */
    mediaFileUrl: v.optional(v.string()),
    /** At most 200 characters. */
    name: Text,
    /** The first owner's address. */
    owner: Text,
    /** At most 100, with texts of at most 200 characters. */
    properties: v.optional(v.array(v.strictObject({ trait_type: Text, value: v.string() }))),
    /** How many there are: default 1, which ERC721 must have. */
    quantity: v.optional(Positive),
    /** The royalty of a resale, in percent from 0 to 100. */
    royaltyPercentage: v.optional(v.number()),
    /** URL of its metadata, which the contract answers as `tokenURI`. */
    tokenUri: v.optional(v.string()),
  },
  data: Nft,
  errors: [ConflictError, NotFoundError],
})

/**
 * Removes a token: nobody owns it any more, unless the chain says so. Conflict while it is on the shelf or promised otherwise, or when
 * it has come to another wallet than the one it was added for.
 */
export const remove = gatewayOperation({
  id: 'nfts.remove',
  method: 'DELETE',
  path: '/api/v1/nft',
  source: 'name',
  scope: 'contracts:write',
  query: token,
  data: Empty,
  errors: [ConflictError, NotFoundError],
})

/** Query info: one token. */
export const get = gatewayOperation({
  id: 'nfts.get',
  method: 'GET',
  path: '/api/v1/nft/info',
  source: 'name',
  scope: 'contracts:read',
  query: token,
  data: Nft,
  errors: [NotFoundError],
})

/**
 * Get properties: those of a token, or all of a collection, each with how many NFTs of the collection have it; by trait type, the most
 * frequent value first, at most 10,000.
 */
export const properties = gatewayOperation({
  id: 'nfts.properties',
  method: 'GET',
  path: '/api/v1/nft/properties',
  source: 'name',
  scope: 'contracts:read',
  query: {
    /** The contract's address; case does not matter. */
    nftAddress: Text,
    /** The token; none for the whole collection. */
    nftId: v.optional(Text),
  },
  data: v.array(NftProperty),
  errors: [NotFoundError],
})

/** Query by pagination: tokens, the newest first unless `orderBy` (id, createTime, name) says otherwise. */
export const list = pagedGatewayOperation({
  id: 'nfts.list',
  method: 'GET',
  path: '/api/v1/nft/page',
  source: 'name',
  scope: 'contracts:read',
  query: {
    /** The contract's address; case does not matter. */
    nftAddress: v.optional(v.string()),
    /** Who owns some of it now; case does not matter. */
    owner: v.optional(v.string()),
    /** Who made it; case does not matter. */
    creator: v.optional(v.string()),
    /** Part of a name or a description, or a token's id; case does not matter. */
    keyword: v.optional(v.string()),
    /** A property's type; with `value`, exactly that property. */
    trait_type: v.optional(v.string()),
    /** A property's value. */
    value: v.optional(v.string()),
  },
  item: Nft,
})
