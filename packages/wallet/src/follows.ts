import { creationTimeQuery, record, type Schema, Text, Timestamp } from '@mintmark/envelope'
import { type DataOf, gatewayOperation, type InputOf, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { recordFields } from './record-fields.ts'

const follow = record({
  /** The following wallet, in lower case. */
  address: v.string(),
  ...recordFields,
  /** Whether the wallet still follows the collection or NFT. */
  following: v.boolean(),
  /** The collection's contract, in lower case. */
  nftAddress: v.string(),
  /** The token; `''` if the wallet follows the whole collection. */
  nftId: v.string(),
  /** When `following` last changed. */
  updateTime: Timestamp,
})
/** A collection or NFT that a wallet follows. `createTime` is when the wallet first followed it. */
export interface Follow extends v.InferOutput<typeof follow> {}
export const Follow: Schema<Follow> = follow

const address = {
  /** The following wallet; case does not matter. */
  address: Text,
}
const target = {
  ...address,
  /** The collection's contract, which need not be registered; case does not matter. */
  nftAddress: Text,
  /** The token. Default: the whole collection, which is independent of its tokens. */
  nftId: v.optional(v.string()),
}

/**
 * Makes a wallet follow a collection or an NFT, or stop following it. Idempotent: repeating the call returns
 * the same record.
 *
 * @example
 * const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * await follows.add(gateway, { address, nftAddress, nftId: '7' })
 */
export const add = gatewayOperation({
  id: 'follows.add',
  method: 'POST',
  path: '/api/v1/wallet/follow/add',
  source: 'name',
  idempotent: true,
  scope: 'wallet:write',
  body: {
    ...target,
    /** Whether the wallet follows the target from now on. Default: true. */
    following: v.optional(v.boolean()),
  },
  data: Follow,
})
export type AddFollowInput = InputOf<typeof add>

/**
 * Checks whether a wallet follows a collection, or the given NFT.
 *
 * @example
 * const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const nftAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
 * const { isFollowing } = await follows.isFollowing(gateway, { address, nftAddress })
 */
export const isFollowing = gatewayOperation({
  id: 'follows.isFollowing',
  method: 'GET',
  path: '/api/v1/wallet/follow/isFollow',
  source: 'name',
  scope: 'wallet:read',
  query: target,
  data: record({
    /** Whether the wallet follows the collection or NFT. */
    isFollowing: v.boolean(),
  }),
})
export type IsFollowingInput = InputOf<typeof isFollowing>
export type IsFollowingResult = DataOf<typeof isFollowing>

/**
 * Lists the collections and NFTs that a wallet follows, most recently followed first. `from` and `to` compare
 * when the wallet began to follow.
 *
 * @example
 * const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * for await (const { nftAddress, nftId } of follows.list.items(gateway, { address })) console.log(nftAddress, nftId)
 */
export const list = pagedGatewayOperation({
  id: 'follows.list',
  method: 'GET',
  path: '/api/v1/wallet/follow/list',
  source: 'name',
  scope: 'wallet:read',
  query: { ...address, ...creationTimeQuery },
  item: Follow,
})
export type ListFollowsInput = InputOf<typeof list>
