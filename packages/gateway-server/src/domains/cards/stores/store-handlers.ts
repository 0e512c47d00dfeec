import { STORE_NAME_TAKEN, type Store, stores, TOO_MANY_STORES } from '@mintmark/cards'
import { NotFoundError } from '@mintmark/envelope'
import type { InputOf } from '@mintmark/operation'
import { type Refuse, refusal } from '@mintmark/server-kit'
import type { GatewayContext } from '../../../http/context.ts'
import { toColumns, toRecord } from '../../../http/record-mapping.ts'
import { checkTimeZone } from '../../../http/time-zones.ts'
import type { CardPorts } from '../card-ports.ts'
import { addStore, changeStore, listStores, MAX_STORES, type StoreRow } from './stores-store.ts'

export const storeHandlers = {
  async list(_: object, { tenant }: GatewayContext): Promise<Store[]> {
    return (await listStores(tenant)).map(toStore)
  },

  async create(input: InputOf<typeof stores.create>, context: GatewayContext & CardPorts & Refuse) {
    const { tenant, storeTimeZone } = context
    const { name, timeZone = storeTimeZone } = input
    await checkTimeZone(input.timeZone, context)
    const fields = { ...toColumns(input), name, time_zone: timeZone }
    const added = await tenant.transaction((trx) => addStore(trx, fields))
    if (added === 'taken') throw refusal(STORE_NAME_TAKEN)
    if (added === 'full') throw refusal(TOO_MANY_STORES, `A project has at most ${MAX_STORES} stores`)
    return toStore(added)
  },

  async update({ id, ...input }: InputOf<typeof stores.update>, context: GatewayContext & Refuse) {
    await checkTimeZone(input.timeZone, context)
    const changed = await context.tenant.transaction((trx) => changeStore(trx, id, toColumns(input)))
    if (changed === 'taken') throw refusal(STORE_NAME_TAKEN)
    if (changed === undefined) throw refusal(NotFoundError, 'No store has this id')
    return toStore(changed)
  },
}

export function toStore(row: StoreRow): Store {
  return toRecord(stores.Store, row)
}
