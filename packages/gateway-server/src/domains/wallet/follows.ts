import { readPageQuery, toPage } from '@mintmark/server-kit'
import { follows } from '@mintmark/wallet'
import { implement } from '../../context.ts'
import * as store from './follows-store.ts'

export const followRoutes = implement(follows, {
  async add(input, { db, project }) {
    return store.toFollow(await store.set(db, project, input))
  },
  async isFollowing(input, { db, project }) {
    return { isFollowing: await store.isFollowing(db, project, input) }
  },
  async list(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.FOLLOW_ORDERS, invalid)
    return toPage(query, await store.listByAddress(db, project, input.address, query), store.toFollow)
  },
})
