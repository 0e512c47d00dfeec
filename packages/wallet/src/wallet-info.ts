import { ConflictError, NotFoundError, record, type Schema, Text } from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'

const walletInfo = record({
  /** The wallet's address, in lower case. */
  address: v.string(),
  /** URL of the profile's background picture. */
  background: v.string(),
  /** The owner's description of themselves. */
  description: v.string(),
  /** The owner's email address; `''` if not set. */
  email: v.string(),
  /** The owner's name; `''` if not set. */
  name: v.string(),
  /** URL of the profile picture. */
  profilePhoto: v.string(),
  /** URL of the showcase's background picture. */
  showcaseBackground: v.string(),
})
/** The profile of a wallet's owner (specification, "Wallet info"). */
export interface WalletInfo extends v.InferOutput<typeof walletInfo> {}
export const WalletInfo: Schema<WalletInfo> = walletInfo

const address = {
  /** The wallet's address; case does not matter. */
  address: Text,
}

const profile = {
  ...address,
  /** URL of the profile's background picture. */
  background: v.optional(v.string()),
  /** The owner's description of themselves. */
  description: v.optional(v.string()),
  /** The owner's email address. */
  email: v.optional(v.string()),
  /** The owner's name; at most 200 characters. The other texts have at most 4,000. */
  name: v.optional(v.string()),
  /** URL of the profile picture. */
  profilePhoto: v.optional(v.string()),
  /** URL of the showcase's background picture. */
  showcaseBackground: v.optional(v.string()),
}

/**
 * Returns the profile of one wallet. NotFoundError if the wallet has no profile.
 *
 * @example
 * const info = await walletInfo.get(gateway, { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
 * console.log(info.name, info.profilePhoto)
 */
export const get = gatewayOperation({
  id: 'walletInfo.get',
  method: 'GET',
  path: '/api/v1/wallet/walletInfo',
  source: 'stated',
  scope: 'wallet:read',
  query: address,
  data: WalletInfo,
  errors: [NotFoundError],
})
export type GetWalletInfoInput = InputOf<typeof get>

/**
 * Adds the first profile of a wallet. Omitted fields are empty. ConflictError if the wallet has a profile;
 * `edit` changes it.
 *
 * @example
 * const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const info = await walletInfo.add(gateway, { address, name: 'Ada', email: 'ada@example.com' })
 */
export const add = gatewayOperation({
  id: 'walletInfo.add',
  method: 'POST',
  path: '/api/v1/wallet/walletInfo',
  source: 'method',
  scope: 'wallet:write',
  body: profile,
  data: WalletInfo,
  errors: [ConflictError],
})
export type AddWalletInfoInput = InputOf<typeof add>

/**
 * Replaces the given fields of a profile and keeps the others. NotFoundError if the wallet has no profile.
 *
 * @example
 * const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const info = await walletInfo.edit(gateway, { address, description: 'Collects prints.' })
 */
export const edit = gatewayOperation({
  id: 'walletInfo.edit',
  method: 'PATCH',
  path: '/api/v1/wallet/walletInfo',
  source: 'method',
  idempotent: true,
  scope: 'wallet:write',
  body: profile,
  data: WalletInfo,
  errors: [NotFoundError],
})
export type EditWalletInfoInput = InputOf<typeof edit>
