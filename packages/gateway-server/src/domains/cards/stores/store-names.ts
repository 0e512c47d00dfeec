import { suggestName } from '@mintmark/server-kit'
import type { Tenant } from '../../../database/tenant.ts'
import { toStoreKey } from './store-key.ts'
import { listStores, type StoreRow } from './stores-store.ts'

/** The key of a store that exists. Unlike names, ids do not change. No normalized name begins with a space. */
export const toIdKey = ({ id }: Pick<StoreRow, 'id'>): string => ` #${id}`

/** Returns what is said about a name that no store has. */
export function describeUnknownStore(name: string, stores: readonly StoreRow[]): string {
  const names = stores.flatMap((store) => (store.code === '' ? [store.name] : [store.name, store.code]))
  return `No store of the project has the name or code ${name}${suggestName(name, names)}`
}

/** Returns the stores whose name or code is this. */
export function hasName(store: Pick<StoreRow, 'name_key' | 'code_key'>, key: string): boolean {
  return store.name_key === key || (store.code_key !== '' && store.code_key === key)
}

/** Finds the keys of the stores that cards name. */
export type FindStoreKeys = (
  names: readonly string[] | undefined,
  invalid: (field: string, message: string) => never,
) => string[] | undefined

/** Reads the stores of the project once, for any number of cards. */
export async function readStoreKeys(tenant: Tenant): Promise<FindStoreKeys> {
  const stores = await listStores(tenant)
  return (names, invalid) =>
    names?.map((name, index) => {
      const key = toStoreKey(name)
      if (stores.length === 0) return key
      const store = stores.find((each) => hasName(each, key))
      const field = `applicableStores.${index}`
      if (store === undefined) return invalid(field, describeUnknownStore(name, stores))
      if (store.status === 'CLOSED') return invalid(field, `The store ${store.name} is closed`)
      return toIdKey(store)
    })
}
