import { Empty, record, type Schema, Text } from '@mintmark/envelope'
import { gatewayOperation, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { recordFields } from './record-fields.ts'

const fan = record({
  /** The wallet that is followed, in lower case. */
  address: v.string(),
  ...recordFields,
  /** The wallet that follows, in lower case. */
  fan: v.string(),
  /** The following wallet's name as it is now; `''` for none. */
  fanName: v.string(),
  /** URL of the following wallet's profile picture; `''` for none. */
  fanPhoto: v.string(),
  /** The followed wallet's name as it is now; `''` for none. */
  name: v.string(),
  /** URL of the followed wallet's profile picture; `''` for none. */
  photo: v.string(),
})
/** One wallet follows another. */
export interface Fan extends v.InferOutput<typeof fan> {}
export const Fan: Schema<Fan> = fan

const pair = {
  /** The wallet that follows; case does not matter. */
  fan: Text,
  /** The wallet that is followed; case does not matter. */
  address: Text,
}

/** Makes a wallet follow another one. When it does already, the answer is the same. No wallet follows itself. */
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

/** Is fans: whether a wallet follows another one. */
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

/** My fans: those who follow a wallet, the newest first. */
export const list = pagedGatewayOperation({
  id: 'fans.list',
  method: 'GET',
  path: '/api/v1/wallet/fans/myFans',
  source: 'name',
  scope: 'wallet:read',
  query: {
    /** The wallet that is followed; case does not matter. */
    address: Text,
  },
  item: Fan,
})

/** My focus: those whom a wallet follows, the newest first. */
export const following = pagedGatewayOperation({
  id: 'fans.following',
  method: 'GET',
  path: '/api/v1/wallet/fans/myFocus',
  source: 'name',
  scope: 'wallet:read',
  query: {
    /** The wallet that follows; case does not matter. */
    address: Text,
  },
  item: Fan,
})

/** Makes a wallet stop following another one. When it did not follow it, the answer is the same. */
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
