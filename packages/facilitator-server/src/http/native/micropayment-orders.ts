import { NotFoundError } from '@mintmark/envelope'
import { micropaymentOrders } from '@mintmark/facilitator'
import { parseTimeRange, readPageQuery, toPage } from '@mintmark/server-kit'
import { implement, requireAccount } from '../../context.ts'
import { findOrder, listOrders, ORDER_COLUMNS } from '../../payments/orders/orders.ts'
import type { SettlementState } from '../../tables.ts'

const STATES: readonly SettlementState[] = ['sent', 'settled', 'failed', 'unknown', 'not_sent']

export const micropaymentOrderRoutes = implement(micropaymentOrders, {
  async list(input, context) {
    const query = readPageQuery(input, ORDER_COLUMNS, context.invalid)
    const { status, payer } = input
    const state = STATES.find((each) => each === status)
    if (status !== undefined && state === undefined)
      context.invalid('status', `Expected one of ${STATES.join(', ')}`)
    const filter = {
      ...(state && { status: state }),
      ...(payer !== undefined && { payer }),
      ...parseTimeRange(input),
    }
    return toPage(
      query,
      await listOrders(context.db, requireAccount(context), filter, query),
      (order) => order,
    )
  },
  async get({ orderNo }, context) {
    const order = await findOrder(context.db, requireAccount(context), orderNo)
    return order ?? context.refuse(NotFoundError, 'The account has no order with this number')
  },
})
