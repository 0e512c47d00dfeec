import { assets } from '@mintmark/contracts'
import { NotFoundError } from '@mintmark/envelope'
import { pageOf, readPageQuery } from '@mintmark/server-kit'
import { implement } from '../../context.ts'
import * as store from './assets-store.ts'
import * as transfers from './transfers-store.ts'

export const assetRoutes = implement(assets, {
  async get({ id }, { db, project, refuse }) {
    const row = await store.find(db, project, id)
    return row
      ? store.assetOf(row, await store.picturesOf(db, project, [row]))
      : refuse(NotFoundError, 'No wallet owns an asset with this id')
  },

  async list(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.ASSET_ORDERS, invalid)
    const filter = {
      ...input,
      owner: input.owner?.toLowerCase(),
      nftAddress: input.nftAddress?.toLowerCase(),
    }
    const found = await store.page(db, project, filter, query)
    const pictures = await store.picturesOf(db, project, found.rows)
    return pageOf(query, found, (row) => store.assetOf(row, pictures))
  },

  async transfers(input, { db, project, invalid }) {
    const query = readPageQuery(input, transfers.TRANSFER_ORDERS, invalid)
    const filter = {
      ...input,
      nftAddress: input.nftAddress?.toLowerCase(),
      address: input.address?.toLowerCase(),
    }
    return pageOf(query, await transfers.page(db, project, filter, query), transfers.transferOf)
  },
})
