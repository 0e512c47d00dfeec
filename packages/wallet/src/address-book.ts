import {
  ConflictError,
  creationTimeQuery,
  Empty,
  Id,
  NotFoundError,
  record,
  type Schema,
  Text,
  Timestamp,
} from '@mintmark/envelope'
import { gatewayOperation, type InputOf, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { recordFields } from './record-fields.ts'

const addressBookEntry = record({
  /** The saved address, in lower case. */
  address: v.string(),
  ...recordFields,
  /** The owner's name for the address; `''` if the entry was imported from a wallet without a name. */
  name: v.string(),
  /** The wallet that owns the address book, in lower case. */
  owner: v.string(),
  /** The owner's note; `''` if not set. */
  remark: v.string(),
  /** When the entry was last changed. */
  updateTime: Timestamp,
})
/** An entry of a wallet's address book. A book contains each address at most once. */
export interface AddressBookEntry extends v.InferOutput<typeof addressBookEntry> {}
export const AddressBookEntry: Schema<AddressBookEntry> = addressBookEntry

const params = {
  /** The entry's id. */
  id: Id,
}
const owner = {
  /** The wallet that owns the address book; case does not matter. */
  owner: Text,
}

/**
 * Adds an address to the address book of a wallet. ConflictError if the book already contains the address.
 *
 * @example
 * const entry = await addressBook.add(gateway, {
 *   owner: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
 *   address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
 *   name: 'Gallery',
 * })
 */
export const add = gatewayOperation({
  id: 'addressBook.add',
  method: 'POST',
  path: '/api/v1/wallet/addressBook',
  source: 'method',
  scope: 'wallet:write',
  body: {
    ...owner,
    /** The address to save; case does not matter. */
    address: Text,
    /** The owner's name for the address; at most 200 characters. */
    name: Text,
    /** A note; at most 4,000 characters. */
    remark: v.optional(v.string()),
  },
  data: AddressBookEntry,
  errors: [ConflictError],
})
export type AddAddressBookEntryInput = InputOf<typeof add>

/**
 * Removes an entry of an address book. NotFoundError if it does not exist.
 *
 * @example
 * await addressBook.remove(gateway, { id: 7 })
 */
export const remove = gatewayOperation({
  id: 'addressBook.remove',
  method: 'DELETE',
  path: '/api/v1/wallet/addressBook/{id}',
  source: 'method',
  scope: 'wallet:write',
  params,
  data: Empty,
  errors: [NotFoundError],
})
export type RemoveAddressBookEntryInput = InputOf<typeof remove>

/**
 * Adds an entry for each wallet that the owner follows and whose address the book does not contain, with that
 * wallet's own name. Returns the added entries, at most 2,000. Repeat the call until it returns an empty
 * list.
 *
 * @example
 * const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const added = await addressBook.importFollowing(gateway, { owner })
 */
export const importFollowing = gatewayOperation({
  id: 'addressBook.importFollowing',
  method: 'GET',
  path: '/api/v1/wallet/addressBook/importFollowing',
  source: 'method',
  effect: 'write',
  idempotent: true,
  scope: 'wallet:write',
  query: owner,
  data: v.array(AddressBookEntry),
})
export type ImportFollowingInput = InputOf<typeof importFollowing>

/**
 * Returns one entry of an address book. NotFoundError if it does not exist.
 *
 * @example
 * const entry = await addressBook.get(gateway, { id: 7 })
 * console.log(entry.name, entry.address)
 */
export const get = gatewayOperation({
  id: 'addressBook.get',
  method: 'GET',
  path: '/api/v1/wallet/addressBook/{id}',
  source: 'method',
  scope: 'wallet:read',
  params,
  data: AddressBookEntry,
  errors: [NotFoundError],
})
export type GetAddressBookEntryInput = InputOf<typeof get>

/**
 * Lists the entries of a wallet's address book. Newest first by default; `orderBy` accepts id, createTime,
 * name and address.
 *
 * @example
 * const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * for await (const entry of addressBook.list.items(gateway, { owner, keyword: 'gallery' })) console.log(entry.name)
 */
export const list = pagedGatewayOperation({
  id: 'addressBook.list',
  method: 'GET',
  path: '/api/v1/wallet/addressBook/list',
  source: 'method',
  scope: 'wallet:read',
  query: {
    ...owner,
    /** Part of a name, a remark or an address; case does not matter. */
    keyword: v.optional(v.string()),
    ...creationTimeQuery,
  },
  orders: ['id', 'createTime', 'name', 'address'],
  item: AddressBookEntry,
})
export type ListAddressBookEntriesInput = InputOf<typeof list>

/**
 * Replaces the given fields of an entry and keeps the others. NotFoundError if the entry does not exist.
 * ConflictError if another entry of the book has the address.
 *
 * @example
 * const entry = await addressBook.update(gateway, { id: 7, remark: 'Met in Berlin' })
 */
export const update = gatewayOperation({
  id: 'addressBook.update',
  method: 'PATCH',
  path: '/api/v1/wallet/addressBook/{id}',
  source: 'method',
  idempotent: true,
  scope: 'wallet:write',
  params,
  body: {
    /** The new address; case does not matter. */
    address: v.optional(Text),
    /** At most 200 characters. */
    name: v.optional(Text),
    /** At most 4,000 characters. */
    remark: v.optional(v.string()),
  },
  data: AddressBookEntry,
  errors: [ConflictError, NotFoundError],
})
export type UpdateAddressBookEntryInput = InputOf<typeof update>
