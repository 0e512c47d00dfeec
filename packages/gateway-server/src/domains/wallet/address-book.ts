import { ConflictError, NotFoundError } from '@mintmark/envelope'
import { readPageQuery, refusal, toPage } from '@mintmark/server-kit'
import { addressBook } from '@mintmark/wallet'
import { implementWithLimits } from '../../http/context.ts'
import { ensureFound } from '../../http/ensure-found.ts'
import { TEXT } from '../../http/field-limits.ts'
import * as store from './address-book-store.ts'

const NO_ENTRY = 'No entry has this id'
const ADDRESS_TAKEN = 'The address book already has this address'

export const addressBookRoutes = implementWithLimits({ remark: TEXT })(addressBook, {
  async add(input, { tenant }) {
    const row = await store.add(tenant, input)
    if (row === undefined) throw refusal(ConflictError, ADDRESS_TAKEN)
    return store.toAddressBookEntry(row)
  },
  async remove({ id }, { tenant }) {
    if (!(await store.remove(tenant, id))) throw refusal(NotFoundError, NO_ENTRY)
    return {}
  },
  async importFollowing({ owner }, { tenant }) {
    return (await store.importFollowing(tenant, owner)).map(store.toAddressBookEntry)
  },
  async get({ id }, { tenant }) {
    return store.toAddressBookEntry(ensureFound(await store.find(tenant, id), NO_ENTRY))
  },
  async list(input, { tenant, invalid }) {
    const query = readPageQuery(input, store.ENTRY_ORDERS, invalid)
    const page = await store.listByOwner(tenant, input, query)
    return toPage(query, page, store.toAddressBookEntry)
  },
  async update({ id, ...change }, { tenant }) {
    const row = await store.update(tenant, id, change)
    if (row === 'taken') throw refusal(ConflictError, ADDRESS_TAKEN)
    if (row === undefined) throw refusal(NotFoundError, NO_ENTRY)
    return store.toAddressBookEntry(row)
  },
})
