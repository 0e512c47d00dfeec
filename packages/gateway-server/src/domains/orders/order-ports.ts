import type { FindInventory } from '../inventory/order-inventory.ts'
import type { MarketPorts } from '../market/market-ports.ts'

/** What the operations of orders need of the server. */
export interface OrderPorts extends MarketPorts {
  /** Finds what an order sells. */
  readonly findInventory: FindInventory
}
