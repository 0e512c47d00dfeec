import type { GatewayClient } from '@mintmark/transport'
import { fans, follows, walletInfo, words } from '@mintmark/wallet'
import type { Credentials } from '../start/credentials.ts'
import { type Stop, stopsOf } from './stops.ts'

/** A collector changes the profile, follows a collection and its creator, and writes to them. */
export function walletCalls({ demo }: Credentials, gateway: GatewayClient): Stop[] {
  const { wallet, creator, nftAddress } = demo
  const stop = stopsOf(gateway)
  const description = 'Collects prints of the early web, and shows them on Sundays.'
  const content = 'Will there be a second edition?'
  return [
    stop("Change a collector's profile", walletInfo.edit, () => ({ address: wallet, description })),
    stop('Follow a collection', follows.add, () => ({ address: wallet, nftAddress })),
    stop('Become a fan of its creator', fans.add, () => ({ fan: wallet, address: creator })),
    stop('Write to the creator', words.add, () => ({ sender: wallet, recipient: creator, content })),
    stop("List the creator's unread conversations", words.conversations, () => ({ address: creator })),
  ]
}
