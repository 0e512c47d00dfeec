import { NotFound } from '@mintmark/envelope'
import { ORDER_NOT_PAYABLE, ORDER_RECIPIENT_MISMATCH, orders, PAYMENT_HASH_TAKEN } from '@mintmark/orders'
import { transaction } from '@mintmark/server-kit'
import { implement } from '../../context.ts'
import { orderInfoOf } from './order-records.ts'
import { isTransactionHash, judgePayment } from './order-rules.ts'
import * as store from './orders-store.ts'

export const orderRoutes = implement(orders, {
  async payOrder(input, { db, project, refuse, invalid }) {
    if (!isTransactionHash(input.hash)) invalid('hash', 'Expected 0x and 64 hexadecimal digits')
    const payment = { hash: input.hash.toLowerCase(), recipient: input.recipient.toLowerCase() }
    return await transaction(db, async (trx) => {
      const order = await store.lock(trx, project, input.orderNo)
      if (order === undefined) return refuse(NotFound, 'There is no order with this number')
      const report = judgePayment(order, payment)
      if (report === 'recipient_mismatch') refuse(ORDER_RECIPIENT_MISMATCH)
      if (report === 'not_payable') refuse(ORDER_NOT_PAYABLE)
      if (report === 'expired') refuse(ORDER_NOT_PAYABLE, 'The order has expired')
      if (report === 'same') return orderInfoOf(order)
      if (!(await store.addPayment(trx, project, order.id, payment.hash))) refuse(PAYMENT_HASH_TAKEN)
      return orderInfoOf(await store.markInProgress(trx, project, order.id, payment.hash))
    })
  },
})
