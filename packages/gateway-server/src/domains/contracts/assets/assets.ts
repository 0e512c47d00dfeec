import { assets } from '@mintmark/contracts'
import { NotFoundError } from '@mintmark/envelope'
import { readPageQuery, toPage } from '@mintmark/server-kit'
import { implement } from '../../../context.ts'
import * as store from './assets-store.ts'
import * as transfers from './transfers-store.ts'

export const assetRoutes = implement(assets, {
  async get({ id }, { db, project, refuse }) {
    const row = await store.find(db, project, id)
    return row
      ? store.toAsset(row, await store.findImages(db, project, [row]))
      : refuse(NotFoundError, 'No wallet owns an asset with this id')
  },

  async list(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.ASSET_ORDERS, invalid)
    const page = await store.list(db, project, input, query)
    const images = await store.findImages(db, project, page.rows)
    return toPage(query, page, (row) => store.toAsset(row, images))
  },

  async transfers(input, { db, project, invalid }) {
    const query = readPageQuery(input, transfers.TRANSFER_ORDERS, invalid)
    return toPage(query, await transfers.list(db, project, input, query), transfers.toTransfer)
  },
})
