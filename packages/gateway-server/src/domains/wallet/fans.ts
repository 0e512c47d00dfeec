import { type PageQuery, type PageRows, readPageQuery, toPage } from '@mintmark/server-kit'
import { type Fan, fans } from '@mintmark/wallet'
import { type Db, implement } from '../../context.ts'
import type { AllFields } from '../../http/record-mapping.ts'
import * as store from './fans-store.ts'
import { EMPTY_PROFILE, findDisplayProfiles } from './profile-store.ts'

/** Returns fans with the names and photos that their wallets have now. */
async function toFans(db: Db, project: number, rows: readonly store.FanRow[]): Promise<AllFields<Fan>[]> {
  const addresses = rows.flatMap(({ fan, address }) => [fan, address])
  const profiles = await findDisplayProfiles(db, project, addresses)
  return rows.map((row) => {
    const fan = profiles.get(row.fan) ?? EMPTY_PROFILE
    const followed = profiles.get(row.address) ?? EMPTY_PROFILE
    return {
      address: row.address,
      createTime: row.created_at.toISOString(),
      createTimeLong: row.created_at.getTime(),
      fan: row.fan,
      fanName: fan.name,
      fanPhoto: fan.photo,
      id: row.id,
      name: followed.name,
      photo: followed.photo,
      projectId: row.project_id,
    }
  })
}

async function toFanPage(db: Db, project: number, query: PageQuery, page: PageRows<store.FanRow>) {
  return toPage(query, { ...page, rows: await toFans(db, project, page.rows) }, (fan) => fan)
}

export const fanRoutes = implement(fans, {
  async add({ fan, address }, { db, project, invalid }) {
    if (fan === address) invalid('address', 'Expected another wallet: a wallet cannot follow itself')
    const [record] = await toFans(db, project, [await store.add(db, project, fan, address)])
    if (record === undefined) throw new Error('The upsert returned no row')
    return record
  },
  async isFan({ fan, address }, { db, project }) {
    return { isFan: await store.isFan(db, project, fan, address) }
  },
  async list(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.FAN_ORDERS, invalid)
    return toFanPage(db, project, query, await store.listBySide('address', db, project, input.address, query))
  },
  async following(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.FAN_ORDERS, invalid)
    return toFanPage(db, project, query, await store.listBySide('fan', db, project, input.address, query))
  },
  async remove({ fan, address }, { db, project }) {
    await store.remove(db, project, fan, address)
    return {}
  },
})
