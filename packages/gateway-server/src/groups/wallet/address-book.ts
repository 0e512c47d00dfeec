import { ConflictError, NotFoundError } from '@mintmark/envelope'
import { pageOf, readPageQuery } from '@mintmark/server-kit'
import { addressBook } from '@mintmark/wallet'
import { implementWithLimits } from '../../context.ts'
import { storedAddress } from '../address-rules.ts'
import { TEXT } from '../field-limits.ts'
import * as store from './address-book-store.ts'

const NONE = 'There is no entry with this id'
const TAKEN = 'The address book has this address already'

export const addressBookRoutes = implementWithLimits({ remark: TEXT })(addressBook, {
  async add({ name, remark, ...input }, { db, project, refuse, invalid }) {
    const entry = await store.add(db, {
      project_id: project,
      owner: storedAddress('owner', input.owner, invalid),
      address: storedAddress('address', input.address, invalid),
      name,
      remark: remark ?? '',
    })
    return entry ? store.entryOf(entry) : refuse(ConflictError, TAKEN)
  },
  async remove({ id }, { db, project, refuse }) {
    return (await store.remove(db, project, id)) ? {} : refuse(NotFoundError, NONE)
  },
  async importFollowing({ owner }, { db, project }) {
    return (await store.importFollowing(db, project, owner.toLowerCase())).map(store.entryOf)
  },
  async get({ id }, { db, project, refuse }) {
    const entry = await store.find(db, project, id)
    return entry ? store.entryOf(entry) : refuse(NotFoundError, NONE)
  },
  async list(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.ENTRY_ORDERS, invalid)
    const found = await store.pageByOwner(db, project, input.owner.toLowerCase(), input.keyword, query)
    return pageOf(query, found, store.entryOf)
  },
  async update({ id, address, ...texts }, { db, project, refuse, invalid }) {
    const entry = await store.update(db, project, id, {
      ...texts,
      address: address === undefined ? undefined : storedAddress('address', address, invalid),
    })
    if (entry === 'taken') return refuse(ConflictError, TAKEN)
    return entry ? store.entryOf(entry) : refuse(NotFoundError, NONE)
  },
})
