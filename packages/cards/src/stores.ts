import { Id, Integer, NotFoundError, record, type Schema, Text, Timestamp } from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import { STORE_NAME_TAKEN, TOO_MANY_STORES } from './rules.ts'

/** Whether a store can be named on new cards. */
export type StoreStatus = 'OPEN' | 'CLOSED'

// A newer server may return further values, so the type of the record is open.
const status: Schema<StoreStatus | (string & {})> = v.string()

const store = record({
  /** The store's address; `''` if it is not set. */
  address: v.string(),
  /** A short code, such as the one in a point-of-sale system; `''` if it is not set. */
  code: v.string(),
  /** When the store was created. */
  createTime: Timestamp,
  /** The store's id. */
  id: Integer,
  /** The store's name. */
  name: v.string(),
  /** The project that the store belongs to. */
  projectId: Integer,
  /** `OPEN` or `CLOSED`. Cards keep a closed store, and new ones cannot name it. */
  status,
  /** The time zone in which its days begin, such as `Europe/Berlin`. */
  timeZone: v.string(),
  /** When the store was last changed. */
  updateTime: Timestamp,
})
/** A store of the project, where cards are presented. */
export interface Store extends v.InferOutput<typeof store> {}
export const Store: Schema<Store> = store

const optionalFields = {
  /** The store's address. */
  address: v.optional(v.string()),
  /** A short code that cards and scanners can use instead of the name. */
  code: v.optional(v.string()),
  /** The time zone in which the store's days begin. Default: the gateway's. */
  timeZone: v.optional(Text),
}

/**
 * Creates a store. Cards and scanners then name it by its name or code; case, width and space around do not
 * matter. Once a project has stores, names of other stores are refused. `STORE_NAME_TAKEN` if another store
 * has the name or code. `TOO_MANY_STORES` at the limit of 1,000 stores.
 *
 * @example
 * const { id } = await stores.create(gateway, { name: 'Berlin', code: 'BER1', timeZone: 'Europe/Berlin' })
 */
export const create = gatewayOperation({
  id: 'stores.create',
  method: 'POST',
  path: '/api/v1/card/stores',
  source: 'added',
  scope: 'cards:write',
  body: {
    /** The store's name. */
    name: Text,
    ...optionalFields,
  },
  data: Store,
  errors: [STORE_NAME_TAKEN, TOO_MANY_STORES],
})
export type CreateStoreInput = InputOf<typeof create>

/**
 * Replaces the given fields of a store and keeps the others. Cards of the store follow it to its new name.
 * NotFoundError if it does not exist. `STORE_NAME_TAKEN` if another store has the name or code.
 *
 * @example
 * await stores.update(gateway, { id: 7, status: 'CLOSED' })
 */
export const update = gatewayOperation({
  id: 'stores.update',
  method: 'POST',
  path: '/api/v1/card/stores/{id}',
  source: 'added',
  idempotent: true,
  scope: 'cards:write',
  params: {
    /** The store's id. */
    id: Id,
  },
  body: {
    ...optionalFields,
    /** The store's name. */
    name: v.optional(Text),
    /** `CLOSED`: new cards cannot name the store. */
    status: v.optional(v.picklist(['OPEN', 'CLOSED'])),
  },
  data: Store,
  errors: [NotFoundError, STORE_NAME_TAKEN],
})
export type UpdateStoreInput = InputOf<typeof update>

/**
 * Lists all stores of the project by name, closed ones included.
 *
 * @example
 * for (const { name, status } of await stores.list(gateway)) console.log(name, status)
 */
export const list = gatewayOperation({
  id: 'stores.list',
  method: 'GET',
  path: '/api/v1/card/stores',
  source: 'added',
  scope: 'cards:read',
  data: v.array(Store),
})
