import { ConflictError, NotFoundError } from '@mintmark/envelope'
import { readPageQuery, toPage } from '@mintmark/server-kit'
import { addressBook } from '@mintmark/wallet'
import { implementWithLimits } from '../../context.ts'
import { TEXT } from '../../http/field-limits.ts'
import * as store from './address-book-store.ts'

const NO_ENTRY = 'No entry has this id'
const ADDRESS_TAKEN = 'The address book already has this address'

export const addressBookRoutes = implementWithLimits({ remark: TEXT })(addressBook, {
  async add(input, { db, project, refuse }) {
    const row = await store.add(db, project, input)
    return row ? store.toAddressBookEntry(row) : refuse(ConflictError, ADDRESS_TAKEN)
  },
  async remove({ id }, { db, project, refuse }) {
    return (await store.remove(db, project, id)) ? {} : refuse(NotFoundError, NO_ENTRY)
  },
  async importFollowing({ owner }, { db, project }) {
    return (await store.importFollowing(db, project, owner)).map(store.toAddressBookEntry)
  },
  async get({ id }, { db, project, refuse }) {
    const row = await store.find(db, project, id)
    return row ? store.toAddressBookEntry(row) : refuse(NotFoundError, NO_ENTRY)
  },
  async list(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.ENTRY_ORDERS, invalid)
    const page = await store.listByOwner(db, project, input.owner, input.keyword, query)
    return toPage(query, page, store.toAddressBookEntry)
  },
  async update({ id, ...change }, { db, project, refuse }) {
    const row = await store.update(db, project, id, change)
    if (row === 'taken') return refuse(ConflictError, ADDRESS_TAKEN)
    return row ? store.toAddressBookEntry(row) : refuse(NotFoundError, NO_ENTRY)
  },
})
