import {
  ConflictError,
  Empty,
  Id,
  NotFoundError,
  record,
  type Schema,
  Text,
  Timestamp,
} from '@mintmark/envelope'
import { gatewayOperation, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { recordFields } from './record-fields.ts'

const addressBookEntry = record({
  /** The address that is noted, in lower case. */
  address: v.string(),
  ...recordFields,
  /** What the owner calls it; `''` where it was imported from a wallet without a name. */
  name: v.string(),
  /** The wallet whose book it is, in lower case. */
  owner: v.string(),
  /** A note of the owner's. */
  remark: v.string(),
  /** When it was last changed. */
  updateTime: Timestamp,
})
/** An address that a wallet has noted; a book holds each address once. */
export interface AddressBookEntry extends v.InferOutput<typeof addressBookEntry> {}
export const AddressBookEntry: Schema<AddressBookEntry> = addressBookEntry

const params = {
  /** The entry's id. */
  id: Id,
}
const owner = {
  /** The wallet whose book it is; case does not matter. */
  owner: Text,
}

/** Add address book: notes an address. Conflict when the owner's book has it. */
export const add = gatewayOperation({
  id: 'addressBook.add',
  method: 'POST',
  path: '/api/v1/wallet/addressBook',
  source: 'method',
  scope: 'wallet:write',
  body: {
    ...owner,
    /** The address to note; case does not matter. */
    address: Text,
    /** What the owner calls it; at most 200 characters. */
    name: Text,
    /** A note; at most 4,000 characters. */
    remark: v.optional(v.string()),
  },
  data: AddressBookEntry,
  errors: [ConflictError],
})

/** Delete address book: removes one entry. NotFoundError when there is none. */
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

/**
 * Import address book by following fans: adds an entry for each wallet that the owner follows and whose address the book does not
 * have, named as that wallet calls itself. Answers what it added, at most 2,000 entries: call it again for the next ones, until it adds
 * nothing.
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

/** Query address book: one entry. NotFoundError when there is none. */
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

/** Address book list: one wallet's entries, the newest first unless `orderBy` (id, createTime, name, address) says otherwise. */
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
  },
  item: AddressBookEntry,
})

/**
 * Update address book: replaces the fields that are given and keeps the others. NotFoundError when there is no such entry, Conflict when
 * another one of the book has the address.
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
    /** The address to note instead; case does not matter. */
    address: v.optional(Text),
    /** At most 200 characters. */
    name: v.optional(Text),
    /** At most 4,000 characters. */
    remark: v.optional(v.string()),
  },
  data: AddressBookEntry,
  errors: [ConflictError, NotFoundError],
})
