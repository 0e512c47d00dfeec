import { CHAIN_UNREADABLE, Integer, serverOnly } from '@mintmark/envelope'
import { openingTimes } from './opening-times.ts'

/**
 * No phase of the presale is open, so nothing can be minted now.
 *
 * Read the presale to see when the next phase opens.
 */
export const MINT_NOT_OPEN = {
  code: 40951,
  reason: 'MINT_NOT_OPEN',
  message: serverOnly('No phase of the presale is open'),
  detail: openingTimes,
} as const
/**
 * The wallet has reserved or minted the maximum that the phase allows per wallet.
 *
 * Wait for the next phase, or until an unused reservation is released.
 */
export const MINT_LIMIT_REACHED = {
  code: 40952,
  reason: 'MINT_LIMIT_REACHED',
  message: serverOnly('The wallet has reached its mint limit for this phase'),
} as const
/**
 * Fewer units are available than requested. Open orders and reservations of others may still release some.
 *
 * Request at most `remaining` units, or retry after open orders have ended.
 */
export const OUT_OF_STOCK = {
  code: 40907,
  reason: 'OUT_OF_STOCK',
  message: serverOnly('Not enough stock for this quantity'),
  detail: serverOnly({
    /** How many units can be ordered now. */
    remaining: Integer,
  }),
} as const
/**
 * The NFT is hidden, reserved by another wallet, or minted.
 *
 * Choose another NFT, such as a random one.
 */
export const NFT_NOT_MINTABLE = {
  code: 40954,
  reason: 'NFT_NOT_MINTABLE',
  message: serverOnly('The NFT is hidden, reserved by another wallet, or minted'),
} as const
/**
 * The previous signature has expired, but the chain does not yet show with finality whether it was used. A
 * new signature could mint twice.
 *
 * Retry the same call later.
 */
export const MINT_UNDECIDED = {
  code: 40955,
  reason: 'MINT_UNDECIDED',
  message: serverOnly(
    'The previous signature has expired, and the chain does not show yet whether it was used. Retry later',
  ),
} as const
/**
 * The mint is priced by an order. It is signed when an order from `orders.preOrder` is paid and has the
 * status SUCCESS. The message contains the order's state.
 *
 * Pay the order, wait for SUCCESS, and repeat the same call.
 */
export const MINT_NOT_PAID = {
  code: 40957,
  reason: 'MINT_NOT_PAID',
  message: serverOnly('The mint is sold by an order. Create one by preOrder, and pay it'),
} as const
/**
 * The whitelist does not allow the wallet to mint. The message says why: the wallet is not on the list, or its
 * proof does not fit. An empty whitelist allows no wallet.
 *
 * Check the wallet's eligibility. If the whitelist is kept elsewhere, send the wallet's proof.
 */
export const NOT_WHITELISTED = {
  code: 40351,
  reason: 'NOT_WHITELISTED',
  message: serverOnly('The wallet is not on the whitelist'),
} as const

/** Every rule that can refuse a mint. */
export const mintRefusals = [
  MINT_NOT_OPEN,
  MINT_LIMIT_REACHED,
  OUT_OF_STOCK,
  NFT_NOT_MINTABLE,
  MINT_UNDECIDED,
  MINT_NOT_PAID,
  NOT_WHITELISTED,
  CHAIN_UNREADABLE,
] as const
