export { NftType, PayTokenType } from '@mintmark/envelope'
export { type OrderEvents, orderEvents } from './events.ts'
export {
  MarketType,
  Order,
  type OrderDelivery,
  OrderInfo,
  type OrderReason,
  OrderStatus,
} from './order-info.ts'
export { findOrderStatusName, type OrderStatusName } from './order-status-name.ts'
export type {
  CancelOrderInput,
  DeclineOrderInput,
  GetOrderInput,
  GetOrderRefundsInput,
  ListNftHistoryInput,
  ListOrdersInput,
  ListSoldOrdersInput,
  PayOrderInput,
  PreOrderInput,
  RecordOrderRefundInput,
  RemoveUnsuccessfulOrdersInput,
  RemoveUnsuccessfulOrdersResult,
} from './orders.ts'
export * as orders from './orders.ts'
export { type OrderRefund, OrderRefunds, type RefundTransfer } from './refunds.ts'
export * from './rules.ts'
export type { WaitForOrderInput } from './wait-for.ts'
