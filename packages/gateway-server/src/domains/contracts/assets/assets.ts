import { assets } from '@mintmark/contracts'
import { readPageQuery, toPage } from '@mintmark/server-kit'
import { implement } from '../../../http/context.ts'
import { ensureFound } from '../../../http/ensure-found.ts'
import * as store from './assets-store.ts'
import * as transfers from './transfers-store.ts'

export const assetRoutes = implement(assets, {
  async get({ id }, { tenant }) {
    const row = ensureFound(await store.find(tenant, id), 'No wallet owns an asset with this id')
    return store.toAsset(row, await store.findImages(tenant, [row]))
  },

  async list(input, { tenant, invalid }) {
    const query = readPageQuery(input, store.ASSET_ORDERS, invalid)
    const page = await store.list(tenant, input, query)
    const images = await store.findImages(tenant, page.rows)
    return toPage(query, page, (row) => store.toAsset(row, images))
  },

  async transfers(input, { tenant, invalid }) {
    const query = readPageQuery(input, transfers.TRANSFER_ORDERS, invalid)
    return toPage(query, await transfers.list(tenant, input, query), transfers.toTransfer)
  },
})
