import { OrderStatus } from './order-info.ts'

/** The name of an order's status, such as `SUCCESS`. */
export type OrderStatusName = keyof typeof OrderStatus

/**
 * Finds the name of an order's status, for messages and logs. Undefined for a status that a newer server
 * added.
 *
 * @example findOrderStatusName(order) // 'IN_PROGRESS'
 */
export function findOrderStatusName({ orderStatus }: { orderStatus: number }): OrderStatusName | undefined {
  const names = Object.keys(OrderStatus) as OrderStatusName[]
  return names.find((name) => OrderStatus[name] === orderStatus)
}
