import {
  Amount,
  ConflictError,
  creationTimeQuery,
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
import { gatewayOperation, type InputOf, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'

/** The status of an NFT that buyers mint. `RESERVED`: a wallet can still mint it. */
export type LazyNftStatus = 'HIDDEN' | 'DISPLAY' | 'RESERVED' | 'MINTED'

// A newer server may return further values, so the type of the record is open.
const status: Schema<LazyNftStatus | (string & {})> = v.string()

const lazyNft = record({
  /** When the NFT was added. */
  createTime: Timestamp,
  /** The creation time in milliseconds since the epoch. */
  createTimeLong: Integer,
  /** The description; `''` if not set. */
  description: v.string(),
  /** The NFT's id. */
  id: Integer,
  /** URL of the image; `''` if not set. */
  imgUrl: v.string(),
  /** URL of the media file; `''` if not set. */
  mediaFileUrl: v.string(),
  /** The NFT's name. */
  name: v.string(),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** The `id` as a text, which `mintSign` accepts as `nftId`. */
  nftId: v.string(),
  /** The currency of `price`: an ERC-20's address, or `''` for the chain's native token. */
  payTokenAddress: v.string(),
  /** The NFT's own price in base units of the pay token; `''` for the price of the phase. */
  price: v.string(),
  /** The project that the NFT belongs to. */
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
  /** The royalty of a resale, in percent. */
  royaltyPercentage: v.number(),
  /** `HIDDEN`, `DISPLAY`, `RESERVED` or `MINTED`. */
  status,
  /** The minted token's id; `''` before the mint. */
  tokenId: v.string(),
  /** URL of the metadata, which the contract returns as `tokenURI`; `''` if not set. */
  tokenUri: v.string(),
  /** When the NFT was last changed. */
  updateTime: Timestamp,
})
/** An NFT that a buyer mints. */
export interface LazyNft extends v.InferOutput<typeof lazyNft> {}
export const LazyNft: Schema<LazyNft> = lazyNft

const details = {
  /** The description; at most 4,000 characters. */
  description: v.optional(v.string()),
  /** URL of the image. */
  imgUrl: v.optional(v.string()),
  /** URL of the media file. */
  mediaFileUrl: v.optional(v.string()),
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
  /** The royalty of a resale, in percent from 0 to 100. Default: the collection's. */
  royaltyPercentage: v.optional(v.number()),
  /** The NFT's own price in base units. Default: the price of the phase. */
  price: v.optional(Amount),
  /** The currency of `price`: an ERC-20's address, or `''` for the chain's native token. Default: `''`. */
  payTokenAddress: v.optional(v.string()),
  /** `DISPLAY` (default) or `HIDDEN`, which cannot be minted. */
  status: v.optional(v.string()),
}

const nftId = {
  /** The NFT's id. */
  id: Id,
}

/**
 * Adds an NFT that a buyer can mint to a registered contract. NotFoundError if the contract is not
 * registered.
 *
 * @example
 * const nft = await lazyMinting.addNft(gateway, {
 *   nftAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *   name: 'Blue page',
 *   tokenUri: 'https://example.com/tokens/blue-page.json',
 * })
 */
export const addNft = gatewayOperation({
  id: 'lazyMinting.addNft',
  method: 'POST',
  path: '/api/v1/lazyMinting/nftInfo/add',
  source: 'name',
  scope: 'contracts:write',
  body: {
    ...contractAddress,
    /** The name; at most 200 characters. */
    name: Text,
    /** The `tokenURI` of the minted token. */
    tokenUri: Text,
    ...details,
  },
  data: LazyNft,
  errors: [NotFoundError],
})
export type AddLazyNftInput = InputOf<typeof addNft>

/**
 * Replaces the given fields of an NFT and keeps the others. NotFoundError if the NFT does not exist.
 * ConflictError once it is reserved or minted.
 *
 * @example
 * const nft = await lazyMinting.updateNft(gateway, { id: 7, status: 'HIDDEN' })
 */
export const updateNft = gatewayOperation({
  id: 'lazyMinting.updateNft',
  method: 'POST',
  path: '/api/v1/lazyMinting/nftInfo/update',
  source: 'name',
  idempotent: true,
  scope: 'contracts:write',
  body: {
    ...nftId,
    /** The name; at most 200 characters. */
    name: v.optional(Text),
    /** The `tokenURI` of the minted token. */
    tokenUri: v.optional(Text),
    ...details,
  },
  data: LazyNft,
  errors: [ConflictError, NotFoundError],
})
export type UpdateLazyNftInput = InputOf<typeof updateNft>

/**
 * Removes an NFT. NotFoundError if it does not exist. ConflictError once it is reserved or minted.
 *
 * @example
 * await lazyMinting.removeNft(gateway, { id: 7 })
 */
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
export type RemoveLazyNftInput = InputOf<typeof removeNft>

/**
 * Returns one NFT. NotFoundError if it does not exist.
 *
 * @example
 * const nft = await lazyMinting.getNft(gateway, { id: 7 })
 * console.log(nft.status, nft.tokenId)
 */
export const getNft = gatewayOperation({
  id: 'lazyMinting.getNft',
  method: 'GET',
  path: '/api/v1/lazyMinting/nftInfo/{id}',
  source: 'name',
  scope: 'contracts:read',
  publishable: true,
  params: nftId,
  data: LazyNft,
  errors: [NotFoundError],
})
export type GetLazyNftInput = InputOf<typeof getNft>

/**
 * Lists the NFTs of a contract. Newest first by default; `orderBy` accepts id, createTime and name.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * for await (const nft of lazyMinting.listNfts.items(gateway, { nftAddress, status: 'DISPLAY' })) console.log(nft.name)
 */
export const listNfts = pagedGatewayOperation({
  id: 'lazyMinting.listNfts',
  method: 'GET',
  path: '/api/v1/lazyMinting/nftInfo/list',
  source: 'name',
  scope: 'contracts:read',
  publishable: true,
  query: {
    ...contractAddress,
    /** `HIDDEN`, `DISPLAY`, `RESERVED` or `MINTED`. */
    status: v.optional(v.string()),
    ...creationTimeQuery,
  },
  orders: ['id', 'createTime', 'name'],
  item: LazyNft,
})
export type ListLazyNftsInput = InputOf<typeof listNfts>

/**
 * Draws a random displayed NFT and reserves it for a wallet for ten minutes, in which `mintSign` with its
 * `nftId` can sign it. The reservation counts toward the limits of the phase and the wallet like a mint.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const { nftId } = await lazyMinting.randomNft(gateway, { nftAddress, recipient })
 * const mint = await lazyMinting.mintSign(gateway, { nftAddress, recipient, nftId })
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
export type ReserveRandomLazyNftInput = InputOf<typeof randomNft>
