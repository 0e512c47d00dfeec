import {
  ConflictError,
  creationTimeQuery,
  Empty,
  Integer,
  NotFoundError,
  OpenNftType,
  Positive,
  record,
  type Schema,
  Text,
  Timestamp,
} from '@mintmark/envelope'
import { gatewayOperation, type InputOf, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'

const nft = record({
  /** The chain as a decimal text, such as `84532`. */
  chainId: v.string(),
  /** When the token was added. */
  createTime: Timestamp,
  /** The creation time in milliseconds since the epoch. */
  createTimeLong: Integer,
  /**
   * The creator's address: the contract's owner at creation, otherwise the wallet of the key, otherwise the
   * first owner.
   */
  creator: v.string(),
  /** The description; `''` if not set. */
  description: v.string(),
  /** The record's id. */
  id: Integer,
  /** URL of the image; `''` if not set. */
  imgUrl: v.string(),
  /** The media file's MIME type. */
  mediaFileType: v.string(),
  /** URL of the media file; `''` if not set. */
  mediaFileUrl: v.string(),
  /** The token's name. */
  name: v.string(),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** The token's id in its contract. */
  nftId: v.string(),
  /** The contract's token type, `ERC721` or `ERC1155`. */
  nftType: OpenNftType,
  /** The current owner, or the owner of the most units if there are several; `''` if no owner is known. */
  owner: v.string(),
  /** The project that the token belongs to. */
  projectId: Integer,
  /** The properties, each with a `trait_type`, such as `paper`, and a `value`. */
  properties: v.array(
    record({
      /** The type of the property, such as `paper`. */
      trait_type: v.string(),
      /** The value, such as `cotton`. */
      value: v.string(),
    }),
  ),
  /** The number of units that were added; 1 for ERC721. `assets` has the units of each owner. */
  quantity: Integer,
  /** The royalty of a resale, in percent. */
  royaltyPercentage: v.number(),
  /** URL of the metadata, which the contract returns as `tokenURI`; `''` if not set. */
  tokenUri: v.string(),
  /** When the token was last changed. */
  updateTime: Timestamp,
})
/** A token of a registered contract. Addresses are in lower case. */
export interface Nft extends v.InferOutput<typeof nft> {}
export const Nft: Schema<Nft> = nft

const nftProperty = record({
  /** The number of NFTs in the collection that have the property. */
  count: Integer,
  /** The share of the collection that has the property: above 0, at most 1. */
  rarity: v.number(),
  /** The type of the property, such as `paper`. */
  trait_type: v.string(),
  /** The value, such as `cotton`. */
  value: v.string(),
})
/** A property with its rarity in the collection. */
export interface NftProperty extends v.InferOutput<typeof nftProperty> {}
export const NftProperty: Schema<NftProperty> = nftProperty

const token = {
  /** The contract's address; case does not matter. */
  nftAddress: Text,
  /** The token's id in its contract. */
  nftId: Text,
}

/**
 * Adds a token of a registered contract and gives it to its owner. For an indexed contract the chain
 * determines the owner. NotFoundError if the contract is not registered. ConflictError if the token already
 * exists.
 *
 * @example
 * const nft = await nfts.add(gateway, {
 *   nftAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *   nftId: '7',
 *   name: 'Blue page',
 *   owner: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
 *   properties: [{ trait_type: 'paper', value: 'cotton' }],
 * })
 */
export const add = gatewayOperation({
  id: 'nfts.add',
  method: 'POST',
  path: '/api/v1/nft/add',
  source: 'name',
  scope: 'contracts:write',
  body: {
    ...token,
    /** The description; at most 4,000 characters. */
    description: v.optional(v.string()),
    /** URL of the image. */
    imgUrl: v.optional(v.string()),
    /** The media file's MIME type. */
    mediaFileType: v.optional(v.string()),
    /** URL of the media file. */
    mediaFileUrl: v.optional(v.string()),
    /** The name; at most 200 characters. */
    name: Text,
    /** The first owner's address. */
    owner: Text,
    /** At most 100 properties, with texts of at most 200 characters. */
    properties: v.optional(
      v.array(
        v.strictObject({
          /** The type of the property, such as `paper`. */
          trait_type: Text,
          /** The value, such as `cotton`. */
          value: v.string(),
        }),
      ),
    ),
    /** The number of units. Must be 1 for ERC721. Default: 1. */
    quantity: v.optional(Positive),
    /** The royalty of a resale, in percent from 0 to 100. */
    royaltyPercentage: v.optional(v.number()),
    /** URL of the metadata, which the contract returns as `tokenURI`. */
    tokenUri: v.optional(v.string()),
  },
  data: Nft,
  errors: [ConflictError, NotFoundError],
})
export type AddNftInput = InputOf<typeof add>

/**
 * Removes a token, which then has no owner unless its contract is indexed. NotFoundError if the token does
 * not exist. ConflictError while it is listed or otherwise reserved, or if it has moved to a wallet other
 * than its first owner.
 *
 * @example
 * await nfts.remove(gateway, { nftAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3', nftId: '7' })
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
export type RemoveNftInput = InputOf<typeof remove>

/**
 * Returns one token with its current owner. NotFoundError if it does not exist.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const nft = await nfts.get(gateway, { nftAddress, nftId: '7' })
 * console.log(nft.name, nft.owner)
 */
export const get = gatewayOperation({
  id: 'nfts.get',
  method: 'GET',
  path: '/api/v1/nft/info',
  source: 'name',
  scope: 'contracts:read',
  publishable: true,
  query: token,
  data: Nft,
  errors: [NotFoundError],
})
export type GetNftInput = InputOf<typeof get>

/**
 * Returns the properties of a token, or of a whole collection, each with the number of NFTs in the collection
 * that have it. Ordered by trait type, most frequent value first, at most 10,000. NotFoundError if the
 * contract or the token does not exist.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * for (const { trait_type, value, rarity } of await nfts.properties(gateway, { nftAddress }))
 *   console.log(trait_type, value, rarity)
 */
export const properties = gatewayOperation({
  id: 'nfts.properties',
  method: 'GET',
  path: '/api/v1/nft/properties',
  source: 'name',
  scope: 'contracts:read',
  publishable: true,
  query: {
    /** The contract's address; case does not matter. */
    nftAddress: Text,
    /** The token's id. Default: the whole collection. */
    nftId: v.optional(Text),
  },
  data: v.array(NftProperty),
  errors: [NotFoundError],
})
export type GetNftPropertiesInput = InputOf<typeof properties>

/**
 * Lists tokens by contract, owner, creator, keyword and property. Newest first by default; `orderBy` accepts
 * id, createTime and name.
 *
 * @example
 * const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * for await (const nft of nfts.list.items(gateway, { owner })) console.log(nft.name)
 */
export const list = pagedGatewayOperation({
  id: 'nfts.list',
  method: 'GET',
  path: '/api/v1/nft/page',
  source: 'name',
  scope: 'contracts:read',
  publishable: true,
  query: {
    /** The contract's address; case does not matter. */
    nftAddress: v.optional(v.string()),
    /** The address of a current owner; case does not matter. */
    owner: v.optional(v.string()),
    /** The creator's address; case does not matter. */
    creator: v.optional(v.string()),
    /** Part of a name or a description, or a token's id; case does not matter. */
    keyword: v.optional(v.string()),
    /** The type of a property. Together with `value`, exactly that property. */
    trait_type: v.optional(v.string()),
    /** A property's value. */
    value: v.optional(v.string()),
    ...creationTimeQuery,
  },
  orders: ['id', 'createTime', 'name'],
  item: Nft,
})
export type ListNftsInput = InputOf<typeof list>
