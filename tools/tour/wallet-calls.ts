import type { GatewayClient } from '@mintmark/transport'
import { withResponse } from '@mintmark/transport/operation'
import { fans, follows, walletInfo, words } from '@mintmark/wallet'
import type { Credentials } from '../start/credentials.ts'
import type { Stop } from './calls.ts'

/** A collector says who they are, follows a collection and its creator, and writes to them. */
export function walletCalls({ demo }: Credentials, gateway: GatewayClient): Stop[] {
  const { wallet, creator, nftAddress } = demo
  return [
    {
      title: 'A collector changes their profile',
      operation: walletInfo.edit,
      call: () =>
        withResponse(walletInfo.edit, gateway, {
          address: wallet,
          description: 'Collects prints of the early web, and shows them on Sundays.',
        }),
    },
    {
      title: 'follows a collection',
      operation: follows.add,
      call: () => withResponse(follows.add, gateway, { address: wallet, nftAddress }),
    },
    {
      title: 'becomes a fan of its creator',
      operation: fans.add,
      call: () => withResponse(fans.add, gateway, { fan: wallet, address: creator }),
    },
    {
      title: 'and writes to them',
      operation: words.add,
      call: () =>
        withResponse(words.add, gateway, {
          sender: wallet,
          recipient: creator,
          content: 'Will there be a second edition?',
        }),
    },
    {
      title: 'The creator sees the message, unread',
      operation: words.conversations,
      call: () => withResponse(words.conversations, gateway, { address: creator }),
    },
  ]
}
