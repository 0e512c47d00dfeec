import { Empty, NotFoundError } from '@mintmark/envelope'
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
import { gatewayOperation, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'

/** Adds wallets to the whitelist of a phase. */
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

/** Deletes a wallet from the whitelist of a phase. */
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

/** The whitelist of a phase, or of all. */
export const whitelist = pagedGatewayOperation({
  id: 'productCards.whitelist',
  method: 'GET',
  path: '/api/v1/market/productCard/whitelist',
  source: 'name',
  scope: 'market:read',
  query: whitelistQuery,
  item: WhitelistEntry,
})

/** Whitelist check: whether a wallet can mint now, how many, at what price and with what proof. */
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

/** Presale info: its phases, and which is open. */
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

/** Replaces the phases of the presale. Without an open phase nothing can be minted. */
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

/** Preview information: images and multimedia. */
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

/** Replaces the preview information. */
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

/**
 * Mint sign: reserves so many of a product's NFT and signs the permission to mint them. Without `nftId` it is the first that was added of
 * those with so many left. The signature is good for ten minutes of the chain's clock; until it is used or has expired the same call is
 * the same signature.
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

/** List of mints: what was signed, and what became of it; the newest first. */
export const mints = pagedGatewayOperation({
  id: 'productCards.mints',
  method: 'GET',
  path: '/api/v1/market/productCard/mints',
  source: 'name',
  scope: 'market:read',
  query: {
    ...contractAddress,
    /** The wallet that the tokens are for; case does not matter. */
    address: v.optional(v.string()),
  },
  item: Mint,
  errors: [NotFoundError],
})
