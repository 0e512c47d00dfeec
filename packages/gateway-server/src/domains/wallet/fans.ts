import { type PageQuery, type PageRows, parseTimeRange, readPageQuery, toPage } from '@mintmark/server-kit'
import { type Fan, fans } from '@mintmark/wallet'
import type { Tenant } from '../../database/tenant.ts'
import { implement } from '../../http/context.ts'
import { toRecord } from '../../http/record-mapping.ts'
import * as store from './fans-store.ts'
import { EMPTY_PROFILE, findDisplayProfiles } from './profile-store.ts'

/** Returns fans with the names and photos that their wallets have now. */
async function toFans(tenant: Tenant, rows: readonly store.FanRow[]): Promise<Fan[]> {
  const addresses = rows.flatMap(({ fan, address }) => [fan, address])
  const profiles = await findDisplayProfiles(tenant, addresses)
  return rows.map((row) => {
    const fan = profiles.get(row.fan) ?? EMPTY_PROFILE
    const followed = profiles.get(row.address) ?? EMPTY_PROFILE
    const names = { fanName: fan.name, fanPhoto: fan.photo, name: followed.name, photo: followed.photo }
    return toRecord(fans.Fan, row, names)
  })
}

async function toFanPage(tenant: Tenant, query: PageQuery, page: PageRows<store.FanRow>) {
  return toPage(query, { ...page, rows: await toFans(tenant, page.rows) }, (fan) => fan)
}

export const fanRoutes = implement(fans, {
  async add({ fan, address }, { tenant, invalid }) {
    if (fan === address) invalid('address', 'Expected another wallet: a wallet cannot follow itself')
    const [record] = await toFans(tenant, [await store.add(tenant, fan, address)])
    if (record === undefined) throw new Error('The upsert returned no row')
    return record
  },
  async isFan({ fan, address }, { tenant }) {
    return { isFan: await store.isFan(tenant, fan, address) }
  },
  async list(input, { tenant, invalid }) {
    const query = readPageQuery(input, store.FAN_ORDERS, invalid)
    const filter = { wallet: input.address, ...parseTimeRange(input) }
    return toFanPage(tenant, query, await store.listBySide('address', tenant, filter, query))
  },
  async following(input, { tenant, invalid }) {
    const query = readPageQuery(input, store.FAN_ORDERS, invalid)
    const filter = { wallet: input.address, ...parseTimeRange(input) }
    return toFanPage(tenant, query, await store.listBySide('fan', tenant, filter, query))
  },
  async remove({ fan, address }, { tenant }) {
    await store.remove(tenant, fan, address)
    return {}
  },
})
