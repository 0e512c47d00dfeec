import { record, type Schema, Text, Timestamp } from '@mintmark/envelope'
import { gatewayOperation, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { recordFields } from './record-fields.ts'

const follow = record({
  /** The wallet that follows, in lower case. */
  address: v.string(),
  ...recordFields,
  /** False once it was taken back. */
  following: v.boolean(),
  /** The collection's contract, in lower case. */
  nftAddress: v.string(),
  /** The token; `''` where the whole collection is followed. */
  nftId: v.string(),
  /** When it was last changed. */
  updateTime: Timestamp,
})
/** A wallet follows a collection, or one NFT of it; `createTime` is when it began to. */
export interface Follow extends v.InferOutput<typeof follow> {}
export const Follow: Schema<Follow> = follow

const address = {
  /** The wallet that follows; case does not matter. */
  address: Text,
}
const target = {
  ...address,
  /** The collection's contract, registered or not; case does not matter. */
  nftAddress: Text,
  /** The token; none for the whole collection, which is a thing of its own. */
  nftId: v.optional(v.string()),
}

/** Makes a wallet follow a collection or an NFT, or takes that back. What is so already is answered as it is. */
export const add = gatewayOperation({
  id: 'follows.add',
  method: 'POST',
  path: '/api/v1/wallet/follow/add',
  source: 'name',
  idempotent: true,
  scope: 'wallet:write',
  body: {
    ...target,
    /** Default true; false takes it back. */
    following: v.optional(v.boolean()),
  },
  data: Follow,
})

/** Is follow: whether a wallet follows a collection, or the NFT named. */
export const isFollowing = gatewayOperation({
  id: 'follows.isFollowing',
  method: 'GET',
  path: '/api/v1/wallet/follow/isFollow',
  source: 'name',
  scope: 'wallet:read',
  query: target,
  data: record({
    /** Whether the wallet follows it. */
    isFollowing: v.boolean(),
  }),
})

/** Follow list: the collections and NFTs that a wallet follows, what it followed last first. */
export const list = pagedGatewayOperation({
  id: 'follows.list',
  method: 'GET',
  path: '/api/v1/wallet/follow/list',
  source: 'name',
  scope: 'wallet:read',
  query: address,
  item: Follow,
})
