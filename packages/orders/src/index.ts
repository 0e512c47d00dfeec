export { type Order, type OrderInfo, OrderStatus } from './order-info.ts'
export * as orders from './orders.ts'
export * from './rules.ts'
