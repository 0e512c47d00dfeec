import { fans, follows, walletInfo, words } from '@mintmark/wallet'
import type { Tour } from './tour.ts'

/** A collector changes the profile, follows a collection and its creator, and writes to them. */
export async function tourWallets({ call, credentials }: Tour): Promise<void> {
  const { wallet, creator, nftAddress } = credentials.demo
  const description = 'Collects prints of the early web, and shows them on Sundays.'
  const content = 'Will there be a second edition?'
  await call("Change a collector's profile", walletInfo.edit, { address: wallet, description })
  await call('Follow a collection', follows.add, { address: wallet, nftAddress })
  await call('Become a fan of its creator', fans.add, { fan: wallet, address: creator })
  await call('Write to the creator', words.add, { sender: wallet, recipient: creator, content })
  await call("List the creator's unread conversations", words.conversations, { address: creator })
}
