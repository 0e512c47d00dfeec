import { NotFound, Text } from '@mintmark/envelope'
import { gatewayOperation } from '@mintmark/transport/operation'
import { OrderInfo } from './order-info.ts'
import { ORDER_NOT_PAYABLE, ORDER_RECIPIENT_MISMATCH, PAYMENT_HASH_TAKEN } from './rules.ts'

/**
 * Order in progress: tells the gateway by which transaction an order was paid. The same call again is the same answer; a
 * wallet that speeds up its transaction reports the new hash the same way.
 */
export const payOrder = gatewayOperation({
  id: 'orders.payOrder',
  method: 'POST',
  path: '/api/v1/order/payOrder',
  source: 'stated',
  idempotent: true,
  scope: 'orders:write',
  body: {
    /** The payment's transaction hash. */
    hash: Text,
    /** The order's number. */
    orderNo: Text,
    /** The buyer's address: the order's recipient. */
    recipient: Text,
  },
  data: OrderInfo,
  errors: [NotFound, ORDER_NOT_PAYABLE, ORDER_RECIPIENT_MISMATCH, PAYMENT_HASH_TAKEN],
})
