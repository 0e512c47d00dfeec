import { pageOf, readPageQuery } from '@mintmark/server-kit'
import { type Fan, fans } from '@mintmark/wallet'
import { type Db, implement } from '../../context.ts'
import { storedAddress } from '../../http/address-rules.ts'
import * as store from './fans-store.ts'
import { type Faces, facesOf, NO_FACE } from './profile-store.ts'

/** The faces of the wallets in rows, as they are now. */
async function facesIn(db: Db, project: number, rows: readonly store.FanRow[]): Promise<Faces> {
  return await facesOf(
    db,
    project,
    rows.flatMap(({ fan, address }) => [fan, address]),
  )
}

function fanOf(row: store.FanRow, faces: Faces): Fan {
  const [fan, followed] = [faces.get(row.fan) ?? NO_FACE, faces.get(row.address) ?? NO_FACE]
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
}

export const fanRoutes = implement(fans, {
  async add(input, { db, project, invalid }) {
    const fan = storedAddress('fan', input.fan, invalid)
    const address = storedAddress('address', input.address, invalid)
    if (fan === address) invalid('address', 'Expected another wallet: none follows itself')
    const row = await store.add(db, project, fan, address)
    return fanOf(row, await facesIn(db, project, [row]))
  },
  async isFan({ fan, address }, { db, project }) {
    return { isFan: await store.isFan(db, project, fan.toLowerCase(), address.toLowerCase()) }
  },
  async list(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.FAN_ORDERS, invalid)
    const found = await store.pageBy('address', db, project, input.address.toLowerCase(), query)
    const faces = await facesIn(db, project, found.rows)
    return pageOf(query, found, (row) => fanOf(row, faces))
  },
  async following(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.FAN_ORDERS, invalid)
    const found = await store.pageBy('fan', db, project, input.address.toLowerCase(), query)
    const faces = await facesIn(db, project, found.rows)
    return pageOf(query, found, (row) => fanOf(row, faces))
  },
  async remove({ fan, address }, { db, project }) {
    await store.remove(db, project, fan.toLowerCase(), address.toLowerCase())
    return {}
  },
})
