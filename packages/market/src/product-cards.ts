import { ConflictError, creationTimeQuery, Empty, Id, Integer, NotFoundError, Text } from '@mintmark/envelope'
import { contractAddress } from '@mintmark/minting'
import { gatewayOperation, type InputOf, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { ProductCard, ProductNft, TokenData, TokenDataChange } from './product-card-records.ts'
import { TOKEN_DATA_CHANGED } from './rules.ts'

// Names in braces would be shown without their docstrings by editors, on the object of `createMintmark`.
export * from './product-card-minting.ts'

const details = {
  /** Whether the content is for adults only. Default: false. */
  adult: v.optional(v.boolean()),
  /** Your own name for the origin of the NFT. */
  channel: v.optional(v.string()),
  /** The description. */
  description: v.optional(v.string()),
  /** URL of the image. */
  imgUrl: v.optional(v.string()),
  /** The product's license. */
  licenseCode: v.optional(v.string()),
  /** The maximum number of units. Default: 0, unlimited. */
  limited: v.optional(v.number()),
  /** The media file's MIME type. */
  mediaFileType: v.optional(v.string()),
  /** URL of the media file. */
  mediaFileUrl: v.optional(v.string()),
  /** The properties, each with a `trait_type`, such as `paper`, and a `value`. */
  properties: v.optional(
    v.array(
      v.strictObject({
        /** The type of the property, such as `paper`. */
        trait_type: v.string(),
        /** The value, such as `cotton`. */
        value: v.string(),
      }),
    ),
  ),
  /** The royalty of a resale, in percent from 0 to 100. */
  royaltyPercentage: v.optional(v.number()),
  /** `DISPLAY`, or `HIDDEN`, which Mintmark's servers also accept. Default: `DISPLAY`. */
  status: v.optional(v.string()),
  /** URL of the metadata, which the contract returns as `tokenURI`. */
  tokenUri: v.optional(v.string()),
}

/**
 * Adds an NFT to a product card (specification, "Product card NFT info"). Returns an empty object, as the
 * specification states; `product` lists the NFT with its id.
 *
 * @example
 * await productCards.addNftInfo(gateway, {
 *   name: 'Lamp',
 *   nftAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *   owner: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
 *   status: 'DISPLAY',
 *   limited: 100,
 * })
 */
export const addNftInfo = gatewayOperation({
  id: 'productCards.addNftInfo',
  method: 'POST',
  path: '/api/v1/market/productCard/add/nftInfo',
  source: 'stated',
  scope: 'market:write',
  body: {
    ...details,
    /** The NFT's name. */
    name: Text,
    /** The contract's address. */
    nftAddress: Text,
    /** The owner's address. */
    owner: Text,
  },
  data: Empty,
})
export type AddProductNftInfoInput = InputOf<typeof addNftInfo>

const nftId = {
  /** The NFT's id. */
  id: Id,
}

/**
 * Replaces the given fields of an NFT and keeps the others. NotFoundError if the NFT does not exist.
 * ConflictError if `limited` would be below the number of minted and reserved units, or if `tokenUri` or
 * `status` changes while units are reserved or once all are minted.
 *
 * @example
 * const nft = await productCards.updateNftInfo(gateway, { id: 7, description: 'A lamp of cotton paper' })
 */
export const updateNftInfo = gatewayOperation({
  id: 'productCards.updateNftInfo',
  method: 'POST',
  path: '/api/v1/market/productCard/update/nftInfo',
  source: 'name',
  idempotent: true,
  scope: 'market:write',
  body: {
    ...nftId,
    ...details,
    /** The NFT's name. */
    name: v.optional(Text),
    /** The owner's address. */
    owner: v.optional(Text),
  },
  data: ProductNft,
  errors: [ConflictError, NotFoundError],
})
export type UpdateProductNftInfoInput = InputOf<typeof updateNftInfo>

/**
 * Removes an NFT. NotFoundError if it does not exist. ConflictError once a unit is reserved or minted.
 *
 * @example
 * await productCards.removeNftInfo(gateway, { id: 7 })
 */
export const removeNftInfo = gatewayOperation({
  id: 'productCards.removeNftInfo',
  method: 'DELETE',
  path: '/api/v1/market/productCard/nftInfo/{id}',
  source: 'name',
  scope: 'market:write',
  params: nftId,
  data: Empty,
  errors: [ConflictError, NotFoundError],
})
export type RemoveProductNftInfoInput = InputOf<typeof removeNftInfo>

const token = {
  /** The contract's address; case does not matter. */
  nftAddress: Text,
  /** The NFT's `nftId` in `product`. */
  nftId: Text,
}

/**
 * Returns the token data of an NFT; `{}` with version 0 before the first write. NotFoundError if the NFT does
 * not exist.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const { data, version } = await productCards.tokenData(gateway, { nftAddress, nftId: '7' })
 */
export const tokenData = gatewayOperation({
  id: 'productCards.tokenData',
  method: 'GET',
  path: '/api/v1/market/productCard/tokenData',
  source: 'name',
  scope: 'market:read',
  query: token,
  data: TokenData,
  errors: [NotFoundError],
})
export type GetTokenDataInput = InputOf<typeof tokenData>

/**
 * Replaces the token data of an NFT and increments its version. NotFoundError if the NFT does not exist.
 * `TOKEN_DATA_CHANGED` if the data no longer has the given `version`.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * await productCards.writeData(gateway, { nftAddress, nftId: '7', data: { serial: 'L-0007' }, version: 0 })
 */
export const writeData = gatewayOperation({
  id: 'productCards.writeData',
  method: 'POST',
  path: '/api/v1/market/productCard/tokenData',
  source: 'name',
  scope: 'market:write',
  body: {
    ...token,
    /** A JSON object whose text has at most 65,536 bytes. */
    data: v.looseObject({}),
    /**
     * The version to replace, 0 before the first write. The call is refused if the data has another version.
     * Default: any version.
     */
    version: v.optional(Integer),
  },
  data: TokenData,
  errors: [NotFoundError, TOKEN_DATA_CHANGED],
})
export type WriteTokenDataInput = InputOf<typeof writeData>

/**
 * Lists every change of an NFT's token data with its author, time, and the data before and after, newest
 * first. NotFoundError if the NFT does not exist.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * for await (const change of productCards.tokenDataLog.items(gateway, { nftAddress, nftId: '7' }))
 *   console.log(change.version, change.changedBy)
 */
export const tokenDataLog = pagedGatewayOperation({
  id: 'productCards.tokenDataLog',
  method: 'GET',
  path: '/api/v1/market/productCard/tokenData/log',
  source: 'name',
  scope: 'market:read',
  query: { ...token, ...creationTimeQuery },
  item: TokenDataChange,
  errors: [NotFoundError],
})
export type ListTokenDataLogInput = InputOf<typeof tokenDataLog>

/**
 * Returns everything that a product's page shows: the contract, the newest 100 NFTs with their ids, the
 * presale, the preview and the number of NFTs by status. NotFoundError if the contract is not registered.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const { nfts, presale } = await productCards.product(gateway, { nftAddress })
 */
export const product = gatewayOperation({
  id: 'productCards.product',
  method: 'GET',
  path: '/api/v1/market/productCard/product',
  source: 'name',
  scope: 'market:read',
  query: contractAddress,
  data: ProductCard,
  errors: [NotFoundError],
})
export type GetProductCardInput = InputOf<typeof product>
