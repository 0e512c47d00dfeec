import { HttpError, type Refuse } from '@mintmark/server-kit'
import type { GatewayContext } from '../../../http/context.ts'
import type { CardPorts } from '../card-ports.ts'
import { toStoreKey } from './store-key.ts'
import { describeUnknownStore, hasName, toIdKey } from './store-names.ts'
import { findStores, listStores } from './stores-store.ts'

/** The store where a card is presented. */
export interface TillStore {
  /** The store's name, or what the request says; '' if it says nothing. */
  readonly name: string
  /** What cards may name this store by. */
  readonly keys: readonly string[]
  /** What the visits of the store are recorded by. */
  readonly visitKey: string
  readonly timeZone: string
}

type Context = GatewayContext & Pick<CardPorts, 'storeTimeZone'>

/** Finds the store of a list: its keys if the project has it, otherwise the name's. */
export async function findStoreKeys(tenant: GatewayContext['tenant'], name: string): Promise<string[]> {
  const key = toStoreKey(name)
  const [store] = await findStores(tenant, key)
  return store === undefined ? [key] : [...new Set([toIdKey(store), store.name_key, store.code_key || key])]
}

/**
 * Finds the store where a card is presented: the one that the request names, or the one of the till's key.
 * Refuses a name that no store of the project has, and another store than that of the key.
 */
export async function findTillStore(
  name: string,
  { tenant, caller, storeTimeZone: timeZone, invalid }: Context & Refuse,
): Promise<TillStore> {
  const key = toStoreKey(name)
  if (key === '' && caller.storeId === undefined) return { name: '', keys: [], visitKey: '', timeZone }
  const found = await findStores(tenant, key, caller.storeId)
  const named = found.find((each) => hasName(each, key))
  const own = found.find(({ id }) => id === caller.storeId)
  if (own !== undefined && named !== undefined && named.id !== own.id)
    throw new HttpError(403, `This key verifies cards in the store ${own.name} only`)
  const store = key === '' ? own : named
  if (store === undefined) {
    const stores = await listStores(tenant)
    if (stores.length === 0) return { name, keys: [key], visitKey: key, timeZone }
    return invalid('store', describeUnknownStore(name, stores))
  }
  const keys = [toIdKey(store), store.name_key, store.code_key].filter((each) => each !== '')
  return { name: store.name, keys, visitKey: toIdKey(store), timeZone: store.time_zone }
}
