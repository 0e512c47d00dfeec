import {
  Empty,
  Integer,
  NotFoundError,
  OpenNftType,
  record,
  type Schema,
  Timestamp,
} from '@mintmark/envelope'
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
import { gatewayOperation, type InputOf, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'

// Names in braces would be shown without their docstrings by editors, on the object of `createMintmark`.
export * from './lazy-minting-nfts.ts'

const lazyCollection = record({
  /** URL of the banner image; `''` if not set. */
  bannerUrl: v.string(),
  /** The chain as a decimal text, such as `84532`. */
  chainId: v.string(),
  /** The description; `''` if not set. */
  description: v.string(),
  /** URL of the image; `''` if not set. */
  imgUrl: v.string(),
  /**
   * The address that signs the project's mints. It needs the contract's permission. `''` before the project's
   * first use of minting.
   */
  minter: v.string(),
  /** The contract's name. */
  name: v.string(),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** The contract's token type, `ERC721` or `ERC1155`. */
  nftType: OpenNftType,
  /** The contract owner's address. */
  owner: v.string(),
  /** The address that receives the price of a mint; `''` for the contract's own recipient. */
  primarySaleRecipient: v.string(),
  /** The project that the collection belongs to. */
  projectId: Integer,
  /** The royalty of a resale in percent, for NFTs without their own royalty. */
  royaltyPercentage: v.number(),
  /** The address that receives royalties; `''` for the contract's own recipient and rate. */
  royaltyRecipient: v.string(),
  /** The contract's symbol, such as `PRINT`; `''` if not set. */
  symbol: v.string(),
  /** The `tokenURI` of tokens that are minted by quantity; `''` if tokens cannot be minted by quantity. */
  tokenUri: v.string(),
  /** When the collection was last changed. */
  updateTime: Timestamp,
})
/** A registered contract whose NFTs buyers mint. */
export interface LazyCollection extends v.InferOutput<typeof lazyCollection> {}
export const LazyCollection: Schema<LazyCollection> = lazyCollection

const lazyExtension = record({
  /** The data that the project stores with the collection: any JSON object; `{}` by default. */
  extension: v.looseObject({}),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
})
/** The data that a project stores with a collection. It is separate from the contract's extension. */
export interface LazyExtension extends v.InferOutput<typeof lazyExtension> {}
export const LazyExtension: Schema<LazyExtension> = lazyExtension

const lazyProduct = record({
  /** The collection. */
  collection: LazyCollection,
  /** The number of NFTs by status. */
  counts: MintCounts,
  /** The phases in which the collection can be minted. */
  presale: Presale,
  /** The preview images and other media. */
  previews: Previews,
})
/** Everything that a collection's page shows. */
export interface LazyProduct extends v.InferOutput<typeof lazyProduct> {}
export const LazyProduct: Schema<LazyProduct> = lazyProduct

/**
 * Returns the phases of the presale, and the name of the open one. NotFoundError if the contract is not
 * registered.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const { active, phases } = await lazyMinting.presale(gateway, { nftAddress })
 */
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
export type GetLazyPresaleInput = InputOf<typeof presale>

/**
 * Replaces the phases of the presale. Tokens can be minted only while a phase is open. NotFoundError if the
 * contract is not registered.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const phase = { name: 'public', startTime: '2026-01-15T10:00:00Z', price: '1000000000000000' }
 * await lazyMinting.updatePresale(gateway, { nftAddress, phases: [phase] })
 */
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
export type UpdateLazyPresaleInput = InputOf<typeof updatePresale>

/**
 * Adds wallets to the whitelist of a phase. NotFoundError if the contract or the phase does not exist.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const entries = [{ address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', limit: '2' }]
 * await lazyMinting.addToWhitelist(gateway, { nftAddress, phase: 'early', entries })
 */
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
export type AddToLazyWhitelistInput = InputOf<typeof addToWhitelist>

/**
 * Removes a wallet from the whitelist of a phase. NotFoundError if the whitelist does not contain it.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * await lazyMinting.removeFromWhitelist(gateway, { nftAddress, phase: 'early', address })
 */
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
export type RemoveFromLazyWhitelistInput = InputOf<typeof removeFromWhitelist>

/**
 * Lists the whitelist entries of a phase, or of all phases. NotFoundError if the contract is not registered.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * for await (const entry of lazyMinting.whitelist.items(gateway, { nftAddress })) console.log(entry.address)
 */
export const whitelist = pagedGatewayOperation({
  id: 'lazyMinting.whitelist',
  method: 'GET',
  path: '/api/v1/lazyMinting/whitelist',
  source: 'name',
  scope: 'contracts:read',
  query: whitelistQuery,
  item: WhitelistEntry,
  errors: [NotFoundError],
})
export type ListLazyWhitelistInput = InputOf<typeof whitelist>

/**
 * Checks whether a wallet can mint now. Returns the quantity, the price in base units and the Merkle proof.
 * NotFoundError if the contract is not registered.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const { reasons, remaining } = await lazyMinting.checkWhitelist(gateway, { nftAddress, address })
 */
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
export type CheckLazyWhitelistInput = InputOf<typeof checkWhitelist>

/**
 * Returns the preview images and other media of a collection. NotFoundError if the contract is not
 * registered.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const { items } = await lazyMinting.previews(gateway, { nftAddress })
 */
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
export type GetLazyPreviewsInput = InputOf<typeof previews>

/**
 * Replaces the preview images and other media of a collection. NotFoundError if the contract is not
 * registered.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * await lazyMinting.updatePreviews(gateway, { nftAddress, items: [{ url: 'https://example.com/teaser.png' }] })
 */
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
export type UpdateLazyPreviewsInput = InputOf<typeof updatePreviews>

/**
 * Reserves an NFT, or `quantity` tokens with the collection's own `tokenUri`, and signs the permission to
 * mint them. The signature is valid for ten minutes of the chain's clock. Until it is used or expires,
 * repeating the call returns the same signature.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const { payload, signature } = await lazyMinting.mintSign(gateway, { nftAddress, recipient, nftId: '7' })
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
export type SignLazyMintInput = InputOf<typeof mintSign>

/**
 * Returns the collection of a registered contract. NotFoundError if the contract is not registered.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const collection = await lazyMinting.collection(gateway, { nftAddress })
 */
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
export type GetLazyCollectionInput = InputOf<typeof collection>

/**
 * Replaces the given fields of a collection and keeps the others. NotFoundError if the contract is not
 * registered.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * await lazyMinting.updateCollection(gateway, { nftAddress, name: 'Prints', royaltyPercentage: 5 })
 */
export const updateCollection = gatewayOperation({
  id: 'lazyMinting.updateCollection',
  method: 'POST',
  path: '/api/v1/lazyMinting/collection',
  source: 'name',
  idempotent: true,
  scope: 'contracts:write',
  body: {
    ...contractAddress,
    /** URL of the banner image. */
    bannerUrl: v.optional(v.string()),
    /** The description, at most 4,000 characters; `''` for the contract's. */
    description: v.optional(v.string()),
    /** URL of the image; `''` for the contract's. */
    imgUrl: v.optional(v.string()),
    /** The name, at most 200 characters; `''` for the contract's. */
    name: v.optional(v.string()),
    /** The address that receives the price of a mint; `''` for the contract's own recipient. */
    primarySaleRecipient: v.optional(v.string()),
    /** The royalty of a resale, in percent from 0 to 100. */
    royaltyPercentage: v.optional(v.number()),
    /** The address that receives royalties; `''` for the contract's own recipient. */
    royaltyRecipient: v.optional(v.string()),
    /** The `tokenURI` of tokens that are minted by quantity. */
    tokenUri: v.optional(v.string()),
  },
  data: LazyCollection,
  errors: [NotFoundError],
})
export type UpdateLazyCollectionInput = InputOf<typeof updateCollection>

/**
 * Returns the data that the project stores with a collection. NotFoundError if the contract is not
 * registered.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const { extension } = await lazyMinting.extension(gateway, { nftAddress })
 */
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
export type GetLazyExtensionInput = InputOf<typeof extension>

/**
 * Replaces the data that the project stores with a collection. NotFoundError if the contract is not
 * registered.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * await lazyMinting.updateExtension(gateway, { nftAddress, extension: { theme: 'dark' } })
 */
export const updateExtension = gatewayOperation({
  id: 'lazyMinting.updateExtension',
  method: 'POST',
  path: '/api/v1/lazyMinting/extension',
  source: 'name',
  idempotent: true,
  scope: 'contracts:write',
  body: {
    ...contractAddress,
    /** A JSON object whose text has at most 65,536 bytes. */
    extension: v.looseObject({}),
  },
  data: LazyExtension,
  errors: [NotFoundError],
})
export type UpdateLazyExtensionInput = InputOf<typeof updateExtension>

/**
 * Returns everything that a collection's page shows: the collection, its presale, its previews and the number
 * of NFTs by status. NotFoundError if the contract is not registered.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const { collection, counts, presale } = await lazyMinting.product(gateway, { nftAddress })
 */
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
export type GetLazyProductInput = InputOf<typeof product>
