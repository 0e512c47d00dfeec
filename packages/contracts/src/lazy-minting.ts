import { Empty, Integer, NotFoundError, record, type Schema, Timestamp } from '@mintmark/envelope'
import {
  contractAddress,
  Eligibility,
  eligibilityQuery,
  MintCounts,
  MintSignature,
  mintRefusals,
  mintSignFields,
  Presale,
  Previews,
  presaleFields,
  previewFields,
  WhitelistCount,
  WhitelistEntry,
  whitelistedWallet,
  whitelistFields,
  whitelistQuery,
} from '@mintmark/minting'
import { gatewayOperation, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'

export { addNft, getNft, listNfts, randomNft, removeNft, updateNft } from './lazy-minting-nfts.ts'

const lazyCollection = record({
  /** URL of the picture at the head of its page; `''` for none. */
  bannerUrl: v.string(),
  /** The chain as a decimal text, such as `84532`. */
  chainId: v.string(),
  /** What is said of it; `''` for nothing. */
  description: v.string(),
  /** URL of its picture; `''` for none. */
  imgUrl: v.string(),
  /** The address that signs the project's mints: the contract has to let it. `''` until something of minting was first written. */
  minter: v.string(),
  /** The contract's name. */
  name: v.string(),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** `ERC721` or `ERC1155`, as its contract. */
  nftType: v.string(),
  /** The owner of the contract. */
  owner: v.string(),
  /** Who is paid when the contract mints; `''`: the contract's own. */
  primarySaleRecipient: v.string(),
  /** The project that it belongs to. */
  projectId: Integer,
  /** The royalty of a resale in percent, unless an NFT has its own. */
  royaltyPercentage: v.number(),
  /** Who gets royalties; `''`: the contract's own, at the contract's own rate. */
  royaltyRecipient: v.string(),
  /** The contract's symbol, such as `PRINT`; `''` for none. */
  symbol: v.string(),
  /** The `tokenURI` of tokens that are minted by quantity; `''` where none can be. */
  tokenUri: v.string(),
  /** When it was last changed. */
  updateTime: Timestamp,
})
/** A registered contract as a collection that is minted lazily. */
export interface LazyCollection extends v.InferOutput<typeof lazyCollection> {}
export const LazyCollection: Schema<LazyCollection> = lazyCollection

const lazyExtension = record({
  /** What a project keeps with a lazily minted collection: any JSON object; `{}` where nothing was kept. */
  extension: v.looseObject({}),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
})
/** A project's own words on a collection. It is not the contract's extension. */
export interface LazyExtension extends v.InferOutput<typeof lazyExtension> {}
export const LazyExtension: Schema<LazyExtension> = lazyExtension

const lazyProduct = record({
  /** The collection itself. */
  collection: LazyCollection,
  /** How its NFTs stand. */
  counts: MintCounts,
  /** When, at what price and by whom it can be minted. */
  presale: Presale,
  /** What shows beforehand what will be minted. */
  previews: Previews,
})
/** All that a page of a collection shows. */
export interface LazyProduct extends v.InferOutput<typeof lazyProduct> {}
export const LazyProduct: Schema<LazyProduct> = lazyProduct

/** Presale information: its phases, and which is open. */
export const presale = gatewayOperation({
  id: 'lazyMinting.presale',
  method: 'GET',
  path: '/api/v1/lazyMinting/presale',
  source: 'name',
  scope: 'contracts:read',
  query: contractAddress,
  data: Presale,
  errors: [NotFoundError],
})

/** Replaces the phases of the presale. Without an open phase nothing can be minted. */
export const updatePresale = gatewayOperation({
  id: 'lazyMinting.updatePresale',
  method: 'POST',
  path: '/api/v1/lazyMinting/presale',
  source: 'name',
  idempotent: true,
  scope: 'contracts:write',
  body: presaleFields,
  data: Presale,
  errors: [NotFoundError],
})

/** Adds wallets to the whitelist of a phase. */
export const addToWhitelist = gatewayOperation({
  id: 'lazyMinting.addToWhitelist',
  method: 'POST',
  path: '/api/v1/lazyMinting/whitelist',
  source: 'name',
  idempotent: true,
  scope: 'contracts:write',
  body: whitelistFields,
  data: WhitelistCount,
  errors: [NotFoundError],
})

/** Removes a wallet from the whitelist of a phase. */
export const removeFromWhitelist = gatewayOperation({
  id: 'lazyMinting.removeFromWhitelist',
  method: 'DELETE',
  path: '/api/v1/lazyMinting/whitelist',
  source: 'name',
  scope: 'contracts:write',
  query: whitelistedWallet,
  data: Empty,
  errors: [NotFoundError],
})

/** The whitelist of a phase, or of all. */
export const whitelist = pagedGatewayOperation({
  id: 'lazyMinting.whitelist',
  method: 'GET',
  path: '/api/v1/lazyMinting/whitelist',
  source: 'name',
  scope: 'contracts:read',
  query: whitelistQuery,
  item: WhitelistEntry,
})

/** Whitelist check: whether a wallet can mint now, how many, at what price and with what proof. */
export const checkWhitelist = gatewayOperation({
  id: 'lazyMinting.checkWhitelist',
  method: 'GET',
  path: '/api/v1/lazyMinting/whitelist/check',
  source: 'name',
  scope: 'contracts:read',
  query: eligibilityQuery,
  data: Eligibility,
  errors: [NotFoundError],
})

/** Preview images and multimedia. */
export const previews = gatewayOperation({
  id: 'lazyMinting.previews',
  method: 'GET',
  path: '/api/v1/lazyMinting/preview',
  source: 'name',
  scope: 'contracts:read',
  query: contractAddress,
  data: Previews,
  errors: [NotFoundError],
})

/** Replaces the preview images and multimedia. */
export const updatePreviews = gatewayOperation({
  id: 'lazyMinting.updatePreviews',
  method: 'POST',
  path: '/api/v1/lazyMinting/preview',
  source: 'name',
  idempotent: true,
  scope: 'contracts:write',
  body: previewFields,
  data: Previews,
  errors: [NotFoundError],
})

/**
 * Mint sign: reserves an NFT, or `quantity` tokens of the collection's own `tokenUri`, and signs the permission to mint them. It is good
 * for ten minutes of the chain's clock; until it is used or has expired the same call is the same signature.
 */
export const mintSign = gatewayOperation({
  id: 'lazyMinting.mintSign',
  method: 'POST',
  path: '/api/v1/lazyMinting/mintSign',
  source: 'name',
  scope: 'contracts:write',
  body: mintSignFields,
  data: MintSignature,
  errors: [NotFoundError, ...mintRefusals],
})

/** Collection information. */
export const collection = gatewayOperation({
  id: 'lazyMinting.collection',
  method: 'GET',
  path: '/api/v1/lazyMinting/collection',
  source: 'name',
  scope: 'contracts:read',
  query: contractAddress,
  data: LazyCollection,
  errors: [NotFoundError],
})

/** Modifies the collection information: replaces the fields that are given. */
export const updateCollection = gatewayOperation({
  id: 'lazyMinting.updateCollection',
  method: 'POST',
  path: '/api/v1/lazyMinting/collection',
  source: 'name',
  idempotent: true,
  scope: 'contracts:write',
  body: {
    ...contractAddress,
    /** URL of the picture at the head of its page. */
    bannerUrl: v.optional(v.string()),
    /** At most 4,000 characters. `''`: the contract's. */
    description: v.optional(v.string()),
    /** `''`: the contract's. */
    imgUrl: v.optional(v.string()),
    /** At most 200 characters. `''`: the contract's. */
    name: v.optional(v.string()),
    /** Who is paid when the contract mints; `''`: the contract's own. */
    primarySaleRecipient: v.optional(v.string()),
    /** The royalty of a resale, in percent from 0 to 100. */
    royaltyPercentage: v.optional(v.number()),
    /** Who gets royalties; `''`: the contract's own. */
    royaltyRecipient: v.optional(v.string()),
    /** The `tokenURI` of tokens that are minted by quantity. */
    tokenUri: v.optional(v.string()),
  },
  data: LazyCollection,
  errors: [NotFoundError],
})

/** Extension information: what the project keeps with a lazily minted collection. */
export const extension = gatewayOperation({
  id: 'lazyMinting.extension',
  method: 'GET',
  path: '/api/v1/lazyMinting/extension',
  source: 'name',
  scope: 'contracts:read',
  query: contractAddress,
  data: LazyExtension,
  errors: [NotFoundError],
})

/** Modifies the extension information: replaces what the project keeps. */
export const updateExtension = gatewayOperation({
  id: 'lazyMinting.updateExtension',
  method: 'POST',
  path: '/api/v1/lazyMinting/extension',
  source: 'name',
  idempotent: true,
  scope: 'contracts:write',
  body: {
    ...contractAddress,
    /** A JSON object whose text has at most 65,536 bytes; it replaces the one before. */
    extension: v.looseObject({}),
  },
  data: LazyExtension,
  errors: [NotFoundError],
})

/** Product details: the collection with its presale, its previews and how many NFTs there are. */
export const product = gatewayOperation({
  id: 'lazyMinting.product',
  method: 'GET',
  path: '/api/v1/lazyMinting/product',
  source: 'name',
  scope: 'contracts:read',
  query: contractAddress,
  data: LazyProduct,
  errors: [NotFoundError],
})
