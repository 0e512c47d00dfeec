import { pageOf, readPageQuery } from '@mintmark/server-kit'
import { follows } from '@mintmark/wallet'
import { implement } from '../../context.ts'
import { storedAddress } from '../../http/address-rules.ts'
import * as store from './follows-store.ts'

export const followRoutes = implement(follows, {
  async add({ nftId = '', following = true, ...input }, { db, project, invalid }) {
    const target = {
      address: storedAddress('address', input.address, invalid),
      nftAddress: storedAddress('nftAddress', input.nftAddress, invalid),
      nftId,
    }
    return store.followOf(await store.set(db, project, target, following))
  },
  async isFollowing({ address, nftAddress, nftId = '' }, { db, project }) {
    const target = { address: address.toLowerCase(), nftAddress: nftAddress.toLowerCase(), nftId }
    return { isFollowing: await store.isFollowing(db, project, target) }
  },
  async list(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.FOLLOW_ORDERS, invalid)
    const found = await store.pageByAddress(db, project, input.address.toLowerCase(), query)
    return pageOf(query, found, store.followOf)
  },
})
