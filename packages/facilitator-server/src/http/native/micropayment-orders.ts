import { NotFoundError } from '@mintmark/envelope'
import { micropaymentOrders } from '@mintmark/facilitator'
import { parseTimeRange, readPageQuery, refusal, toPage } from '@mintmark/server-kit'
import { findOrder, listOrders, ORDER_COLUMNS } from '../../ledger/orders/orders.ts'
import { implement, requireAccount } from '../context/context.ts'

export const micropaymentOrderRoutes = implement(micropaymentOrders, {
  async list(input, context) {
    const query = readPageQuery(input, ORDER_COLUMNS, context.invalid)
    const { status, payer } = input
    const filter = {
      ...(status && { status }),
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
    if (order === undefined) throw refusal(NotFoundError, 'The account has no order with this number')
    return order
  },
})
