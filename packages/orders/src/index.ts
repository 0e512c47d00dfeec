export { type OrderInfo, OrderStatus } from './order-info.ts'
export * as orders from './orders.ts'
export { ORDER_NOT_PAYABLE, ORDER_RECIPIENT_MISMATCH, PAYMENT_HASH_TAKEN } from './rules.ts'
