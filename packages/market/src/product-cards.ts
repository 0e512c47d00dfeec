import { ConflictError, Empty, Id, Integer, NotFoundError, Text } from '@mintmark/envelope'
import { contractAddress } from '@mintmark/minting'
import { gatewayOperation, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { ProductCard, ProductNft, TokenData, TokenDataChange } from './product-card-records.ts'
import { TOKEN_DATA_CHANGED } from './rules.ts'

export {
  addToWhitelist,
  checkWhitelist,
  mintSign,
  mints,
  presale,
  preview,
  removeFromWhitelist,
  updatePresale,
  updatePreview,
  whitelist,
} from './product-card-minting.ts'

const details = {
  /** Meant for adults; default false. */
  adult: v.optional(v.boolean()),
  /** Where it came from, a word of the project's own. */
  channel: v.optional(v.string()),
  /** What is said of it. */
  description: v.optional(v.string()),
  /** URL of its picture. */
  imgUrl: v.optional(v.string()),
  /** The licence the product comes with. */
  licenseCode: v.optional(v.string()),
  /** How many can be minted; 0 or none: no limit. */
  limited: v.optional(v.number()),
  /** The media file's MIME type. */
  mediaFileType: v.optional(v.string()),
  /** URL of its media file. */
  mediaFileUrl: v.optional(v.string()),
  /** What it is like: kinds (`trait_type`, such as `paper`), each with its `value`. */
  properties: v.optional(v.array(v.strictObject({ trait_type: v.string(), value: v.string() }))),
  /** The royalty of a resale, in percent from 0 to 100. */
  royaltyPercentage: v.optional(v.number()),
  /** `DISPLAY` shows it; our servers take `HIDDEN` too. Default DISPLAY. */
  status: v.optional(v.string()),
  /** URL of its metadata, which the contract answers as `tokenURI`. */
  tokenUri: v.optional(v.string()),
}

/**
 * Add NFT information to a product card (specification, "Product card NFT info"). It answers an empty object, as the
 * specification says.
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

const nftId = {
  /** The NFT's id. */
  id: Id,
}

/**
 * Modifies NFT information: replaces the fields that are given. Conflict where `limited` would be below what is minted and reserved, or
 * another `tokenUri` or `status` is given while some of it is reserved, or once all of it is minted.
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

/** Deletes NFT information. Conflict once some of it is reserved or minted. */
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

const token = {
  /** The contract's address; case does not matter. */
  nftAddress: Text,
  /** The NFT, as `product` lists it. */
  nftId: Text,
}

/** Token data: what was last written of a product's NFT; `{}` of version 0 where nothing was. */
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

/** Write data: replaces the token data of an NFT, which makes the next version. */
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
    /** The version that it replaces, 0 for none: of another the call is refused. Left out, it replaces any. */
    version: v.optional(Integer),
  },
  data: TokenData,
  errors: [NotFoundError, TOKEN_DATA_CHANGED],
})

/** Token data update log: every change with who, when, before and after; the newest first. */
export const tokenDataLog = pagedGatewayOperation({
  id: 'productCards.tokenDataLog',
  method: 'GET',
  path: '/api/v1/market/productCard/tokenData/log',
  source: 'name',
  scope: 'market:read',
  query: token,
  item: TokenDataChange,
  errors: [NotFoundError],
})

/** Product details: the contract, the NFTs with their ids, the presale, the preview and how many NFTs there are. */
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
