import { ConflictError, NotFoundError } from '@mintmark/envelope'
import { readPageQuery, toPage } from '@mintmark/server-kit'
import { addressBook } from '@mintmark/wallet'
import { implementWithLimits } from '../../http/context.ts'
import { TEXT } from '../../http/field-limits.ts'
import * as store from './address-book-store.ts'

const NO_ENTRY = 'No entry has this id'
const ADDRESS_TAKEN = 'The address book already has this address'

export const addressBookRoutes = implementWithLimits({ remark: TEXT })(addressBook, {
  async add(input, { tenant, refuse }) {
    const row = await store.add(tenant, input)
    return row ? store.toAddressBookEntry(row) : refuse(ConflictError, ADDRESS_TAKEN)
  },
  async remove({ id }, { tenant, refuse }) {
    return (await store.remove(tenant, id)) ? {} : refuse(NotFoundError, NO_ENTRY)
  },
  async importFollowing({ owner }, { tenant }) {
    return (await store.importFollowing(tenant, owner)).map(store.toAddressBookEntry)
  },
  async get({ id }, { tenant, refuse }) {
    const row = await store.find(tenant, id)
    return row ? store.toAddressBookEntry(row) : refuse(NotFoundError, NO_ENTRY)
  },
  async list(input, { tenant, invalid }) {
    const query = readPageQuery(input, store.ENTRY_ORDERS, invalid)
    const page = await store.listByOwner(tenant, input, query)
    return toPage(query, page, store.toAddressBookEntry)
  },
  async update({ id, ...change }, { tenant, refuse }) {
    const row = await store.update(tenant, id, change)
    if (row === 'taken') return refuse(ConflictError, ADDRESS_TAKEN)
    return row ? store.toAddressBookEntry(row) : refuse(NotFoundError, NO_ENTRY)
  },
})
