import { NotFound, record, type Schema, Text } from '@mintmark/envelope'
import { gatewayOperation } from '@mintmark/transport/operation'
import * as v from 'valibot'

const walletInfo = record({
  /** The wallet's address, in lower case. */
  address: v.string(),
  /** URL of the profile's background picture. */
  background: v.string(),
  /** What the wallet's owner says of themselves. */
  description: v.string(),
  email: v.string(),
  name: v.string(),
  /** URL of the profile picture. */
  profilePhoto: v.string(),
  /** URL of the showcase's background picture. */
  showcaseBackground: v.string(),
})
/** The person behind a wallet (specification, "Wallet info"). */
export interface WalletInfo extends v.InferOutput<typeof walletInfo> {}
export const WalletInfo: Schema<WalletInfo> = walletInfo

/** Get wallet info: the profile of one wallet. NotFound when none was ever added. */
export const get = gatewayOperation({
  id: 'walletInfo.get',
  method: 'GET',
  path: '/api/v1/wallet/walletInfo',
  source: 'stated',
  scope: 'wallet:read',
  query: {
    /** The wallet's address; case does not matter. */
    address: Text,
  },
  data: WalletInfo,
  errors: [NotFound],
})
