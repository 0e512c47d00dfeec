import type { Tenant } from '../../database/tenant.ts'
import { ensureFound } from '../../http/ensure-found.ts'
import * as store from './orders-store.ts'

const NO_ORDER = 'There is no order with this number'

/** Finds an order by its number. Refuses a number that no order has. */
export async function findOrder(tenant: Tenant, orderNo: string): Promise<store.OrderRow> {
  return ensureFound(await store.find(tenant, orderNo), NO_ORDER)
}

/** Finds an order like {@link findOrder}, and locks it until the transaction ends. */
export async function lockOrder(trx: Tenant, orderNo: string): Promise<store.OrderRow> {
  return ensureFound(await store.lock(trx, orderNo), NO_ORDER)
}
