import { NotFoundError } from '@mintmark/envelope'
import { refusal } from '@mintmark/server-kit'
import type { Tenant } from '../../database/tenant.ts'
import * as store from './orders-store.ts'

/** Finds an order by its number. Refuses a number that no order has. */
export async function findOrder(tenant: Tenant, orderNo: string): Promise<store.OrderRow> {
  return (await store.find(tenant, orderNo)) ?? refuse()
}

/** Finds an order like {@link findOrder}, and locks it until the transaction ends. */
export async function lockOrder(trx: Tenant, orderNo: string): Promise<store.OrderRow> {
  return (await store.lock(trx, orderNo)) ?? refuse()
}

function refuse(): never {
  throw refusal(NotFoundError, 'There is no order with this number')
}
