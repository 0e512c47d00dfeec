import { ConflictError, NotFoundError, record, type Schema, Text } from '@mintmark/envelope'
import { gatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'

const walletInfo = record({
  /** The wallet's address, in lower case. */
  address: v.string(),
  /** URL of the profile's background picture. */
  background: v.string(),
  /** What the wallet's owner says of themselves. */
  description: v.string(),
  /** The owner's e-mail address; `''` for none. */
  email: v.string(),
  /** The owner's name; `''` for none. */
  name: v.string(),
  /** URL of the profile picture. */
  profilePhoto: v.string(),
  /** URL of the showcase's background picture. */
  showcaseBackground: v.string(),
})
/** The person behind a wallet (specification, "Wallet info"). */
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
  /** What the wallet's owner says of themselves. */
  description: v.optional(v.string()),
  /** The owner's e-mail address. */
  email: v.optional(v.string()),
  /** At most 200 characters; the other texts at most 4,000. */
  name: v.optional(v.string()),
  /** URL of the profile picture. */
  profilePhoto: v.optional(v.string()),
  /** URL of the showcase's background picture. */
  showcaseBackground: v.optional(v.string()),
}

/** Get wallet info: the profile of one wallet. NotFoundError when none was ever added. */
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

/** Add wallet info: the first profile of a wallet; what is left out is empty. Conflict when the wallet has one: `edit` changes it. */
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

/** Edit wallet info: replaces the fields that are given and keeps the others. NotFoundError when the wallet has no info. */
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
