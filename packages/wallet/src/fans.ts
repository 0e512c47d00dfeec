import { creationTimeQuery, Empty, record, type Schema, Text } from '@mintmark/envelope'
import { type DataOf, gatewayOperation, type InputOf, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { recordFields } from './record-fields.ts'

const fan = record({
  /** The followed wallet, in lower case. */
  address: v.string(),
  ...recordFields,
  /** The following wallet, in lower case. */
  fan: v.string(),
  /** The following wallet's current name; `''` if it has none. */
  fanName: v.string(),
  /** URL of the following wallet's profile picture; `''` if it has none. */
  fanPhoto: v.string(),
  /** The followed wallet's current name; `''` if it has none. */
  name: v.string(),
  /** URL of the followed wallet's profile picture; `''` if it has none. */
  photo: v.string(),
})
/** A wallet that follows another wallet. */
export interface Fan extends v.InferOutput<typeof fan> {}
export const Fan: Schema<Fan> = fan

const pair = {
  /** The following wallet; case does not matter. */
  fan: Text,
  /** The followed wallet; case does not matter. */
  address: Text,
}

/**
 * Makes a wallet follow another wallet. A wallet cannot follow itself. Idempotent: repeating the call returns
 * the same record.
 *
 * @example
 * const fan = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * await fans.add(gateway, { fan, address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' })
 */
export const add = gatewayOperation({
  id: 'fans.add',
  method: 'POST',
  path: '/api/v1/wallet/fans/add',
  source: 'name',
  idempotent: true,
  scope: 'wallet:write',
  body: pair,
  data: Fan,
})
export type AddFanInput = InputOf<typeof add>

/**
 * Checks whether a wallet follows another wallet.
 *
 * @example
 * const fan = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const { isFan } = await fans.isFan(gateway, { fan, address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' })
 */
export const isFan = gatewayOperation({
  id: 'fans.isFan',
  method: 'GET',
  path: '/api/v1/wallet/fans/isFans',
  source: 'name',
  scope: 'wallet:read',
  query: pair,
  data: record({
    /** Whether `fan` follows `address`. */
    isFan: v.boolean(),
  }),
})
export type IsFanInput = InputOf<typeof isFan>
export type IsFanResult = DataOf<typeof isFan>

/**
 * Lists the wallets that follow a wallet, newest first.
 *
 * @example
 * const address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
 * for await (const fan of fans.list.items(gateway, { address })) console.log(fan.fanName)
 */
export const list = pagedGatewayOperation({
  id: 'fans.list',
  method: 'GET',
  path: '/api/v1/wallet/fans/myFans',
  source: 'name',
  scope: 'wallet:read',
  query: {
    /** The followed wallet; case does not matter. */
    address: Text,
    ...creationTimeQuery,
  },
  item: Fan,
})
export type ListFansInput = InputOf<typeof list>

/**
 * Lists the wallets that a wallet follows, newest first.
 *
 * @example
 * const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * for await (const { name } of fans.following.items(gateway, { address })) console.log(name)
 */
export const following = pagedGatewayOperation({
  id: 'fans.following',
  method: 'GET',
  path: '/api/v1/wallet/fans/myFocus',
  source: 'name',
  scope: 'wallet:read',
  query: {
    /** The following wallet; case does not matter. */
    address: Text,
    ...creationTimeQuery,
  },
  item: Fan,
})
export type ListFollowingInput = InputOf<typeof following>

/**
 * Makes a wallet stop following another wallet. Idempotent: returns an empty object even if the wallet did
 * not follow it.
 *
 * @example
 * const fan = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * await fans.remove(gateway, { fan, address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' })
 */
export const remove = gatewayOperation({
  id: 'fans.remove',
  method: 'DELETE',
  path: '/api/v1/wallet/fans',
  source: 'name',
  idempotent: true,
  scope: 'wallet:write',
  query: pair,
  data: Empty,
})
export type RemoveFanInput = InputOf<typeof remove>
