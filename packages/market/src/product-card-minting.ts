import { creationTimeQuery, Empty, NotFoundError } from '@mintmark/envelope'
import {
  contractAddress,
  Eligibility,
  eligibilityQuery,
  Mint,
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

/**
 * Adds wallets to the whitelist of a phase. NotFoundError if the contract or the phase does not exist.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const entries = [{ address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', limit: '2' }]
 * await productCards.addToWhitelist(gateway, { nftAddress, phase: 'early', entries })
 */
export const addToWhitelist = gatewayOperation({
  id: 'productCards.addToWhitelist',
  method: 'POST',
  path: '/api/v1/market/productCard/whitelist',
  source: 'name',
  idempotent: true,
  scope: 'market:write',
  body: whitelistFields,
  data: WhitelistCount,
  errors: [NotFoundError],
})
export type AddToProductWhitelistInput = InputOf<typeof addToWhitelist>

/**
 * Removes a wallet from the whitelist of a phase. NotFoundError if the whitelist does not contain it.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * await productCards.removeFromWhitelist(gateway, { nftAddress, phase: 'early', address })
 */
export const removeFromWhitelist = gatewayOperation({
  id: 'productCards.removeFromWhitelist',
  method: 'DELETE',
  path: '/api/v1/market/productCard/whitelist',
  source: 'name',
  scope: 'market:write',
  query: whitelistedWallet,
  data: Empty,
  errors: [NotFoundError],
})
export type RemoveFromProductWhitelistInput = InputOf<typeof removeFromWhitelist>

/**
 * Lists the whitelist entries of a phase, or of all phases. NotFoundError if the contract is not registered.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * for await (const entry of productCards.whitelist.items(gateway, { nftAddress })) console.log(entry.address)
 */
export const whitelist = pagedGatewayOperation({
  id: 'productCards.whitelist',
  method: 'GET',
  path: '/api/v1/market/productCard/whitelist',
  source: 'name',
  scope: 'market:read',
  query: whitelistQuery,
  item: WhitelistEntry,
  errors: [NotFoundError],
})
export type ListProductWhitelistInput = InputOf<typeof whitelist>

/**
 * Checks whether a wallet can mint now. Returns the quantity, the price in base units and the Merkle proof.
 * NotFoundError if the contract is not registered.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const { reasons, remaining } = await productCards.checkWhitelist(gateway, { nftAddress, address })
 */
export const checkWhitelist = gatewayOperation({
  id: 'productCards.checkWhitelist',
  method: 'GET',
  path: '/api/v1/market/productCard/whitelist/check',
  source: 'name',
  scope: 'market:read',
  query: eligibilityQuery,
  data: Eligibility,
  errors: [NotFoundError],
})
export type CheckProductWhitelistInput = InputOf<typeof checkWhitelist>

/**
 * Returns the phases of the presale, and the name of the open one. NotFoundError if the contract is not
 * registered.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const { active, phases } = await productCards.presale(gateway, { nftAddress })
 */
export const presale = gatewayOperation({
  id: 'productCards.presale',
  method: 'GET',
  path: '/api/v1/market/productCard/presale',
  source: 'added',
  scope: 'market:read',
  query: contractAddress,
  data: Presale,
  errors: [NotFoundError],
})
export type GetProductPresaleInput = InputOf<typeof presale>

/**
 * Replaces the phases of the presale. Tokens can be minted only while a phase is open. NotFoundError if the
 * contract is not registered.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const phase = { name: 'public', startTime: '2026-01-15T10:00:00Z', price: '1000000000000000' }
 * await productCards.updatePresale(gateway, { nftAddress, phases: [phase] })
 */
export const updatePresale = gatewayOperation({
  id: 'productCards.updatePresale',
  method: 'POST',
  path: '/api/v1/market/productCard/presale',
  source: 'added',
  idempotent: true,
  scope: 'market:write',
  body: presaleFields,
  data: Presale,
  errors: [NotFoundError],
})
export type UpdateProductPresaleInput = InputOf<typeof updatePresale>

/**
 * Returns the preview images and other media of a product card. NotFoundError if the contract is not
 * registered.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const { items } = await productCards.preview(gateway, { nftAddress })
 */
export const preview = gatewayOperation({
  id: 'productCards.preview',
  method: 'GET',
  path: '/api/v1/market/productCard/preview',
  source: 'name',
  scope: 'market:read',
  query: contractAddress,
  data: Previews,
  errors: [NotFoundError],
})
export type GetProductPreviewsInput = InputOf<typeof preview>

/**
 * Replaces the preview images and other media of a product card. NotFoundError if the contract is not
 * registered.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * await productCards.updatePreview(gateway, { nftAddress, items: [{ url: 'https://example.com/teaser.png' }] })
 */
export const updatePreview = gatewayOperation({
  id: 'productCards.updatePreview',
  method: 'POST',
  path: '/api/v1/market/productCard/preview',
  source: 'name',
  idempotent: true,
  scope: 'market:write',
  body: previewFields,
  data: Previews,
  errors: [NotFoundError],
})
export type UpdateProductPreviewsInput = InputOf<typeof updatePreview>

/**
 * Reserves units of a product's NFT and signs the permission to mint them. Without `nftId`, reserves the
 * earliest NFT with enough supply left. The signature is valid for ten minutes of the chain's clock. Until it
 * is used or expires, repeating the call returns the same signature.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const { payload, signature } = await productCards.mintSign(gateway, { nftAddress, recipient, quantity: 1 })
 */
export const mintSign = gatewayOperation({
  id: 'productCards.mintSign',
  method: 'POST',
  path: '/api/v1/market/productCard/mintSign',
  source: 'name',
  scope: 'market:write',
  body: mintSignFields,
  data: MintSignature,
  errors: [NotFoundError, ...mintRefusals],
})
export type SignProductMintInput = InputOf<typeof mintSign>

/**
 * Lists the signed mints with their outcomes, newest first. NotFoundError if the contract is not registered.
 *
 * @example
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * for await (const mint of productCards.mints.items(gateway, { nftAddress })) console.log(mint.status, mint.tokenId)
 */
export const mints = pagedGatewayOperation({
  id: 'productCards.mints',
  method: 'GET',
  path: '/api/v1/market/productCard/mints',
  source: 'name',
  scope: 'market:read',
  query: {
    ...contractAddress,
    /** The wallet that receives the tokens; case does not matter. */
    address: v.optional(v.string()),
    ...creationTimeQuery,
  },
  item: Mint,
  errors: [NotFoundError],
})
export type ListProductMintsInput = InputOf<typeof mints>
