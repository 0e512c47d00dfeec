import { NotFoundError } from '@mintmark/envelope'
import { micropaymentOrders } from '@mintmark/facilitator'
import { pageOf, readPageQuery } from '@mintmark/server-kit'
import { accountOf, implement } from '../context.ts'
import { getOrder, listOrders, orderColumns } from '../orders/orders.ts'
import type { SettlementState } from '../tables.ts'

const STATES: readonly SettlementState[] = ['sent', 'settled', 'failed', 'unknown', 'not_sent']

export const micropaymentOrderRoutes = implement(micropaymentOrders, {
  async list(input, context) {
    const query = readPageQuery(input, orderColumns, context.invalid)
    const { status, payer, from, to } = input
    const state = STATES.find((known) => known === status)
    if (status !== undefined && state === undefined)
      context.invalid('status', `Expected one of ${STATES.join(', ')}`)
    const filter = {
      ...(state && { status: state }),
      ...(payer !== undefined && { payer }),
      ...(from !== undefined && { from: new Date(from) }),
      ...(to !== undefined && { to: new Date(to) }),
    }
    return pageOf(query, await listOrders(context.db, accountOf(context), filter, query), (order) => order)
  },
  async get({ orderNo }, context) {
    const order = await getOrder(context.db, accountOf(context), orderNo)
    return order ?? context.refuse(NotFoundError, 'The account has no order with this number')
  },
})
