import { parseTimeRange, readPageQuery, toPage } from '@mintmark/server-kit'
import { follows } from '@mintmark/wallet'
import { implement } from '../../http/context.ts'
import * as store from './follows-store.ts'

export const followRoutes = implement(follows, {
  async add(input, { tenant }) {
    return store.toFollow(await store.set(tenant, input))
  },
  async isFollowing(input, { tenant }) {
    return { isFollowing: await store.isFollowing(tenant, input) }
  },
  async list(input, { tenant, invalid }) {
    const query = readPageQuery(input, store.FOLLOW_ORDERS, invalid)
    const filter = { address: input.address, ...parseTimeRange(input) }
    return toPage(query, await store.listByAddress(tenant, filter, query), store.toFollow)
  },
})
