import type { PaymentChains } from '../../chain/payment-chains.ts'
import type { OrderPort } from '../inventory/order-port.ts'
import type { OrderSettings } from '../inventory/order-settings.ts'

/** What the operations of the market need of the server. */
export interface MarketPorts {
  /** The chains that orders are paid on. Read them with `readChain`. */
  readonly chains: PaymentChains
  /** What sales do with orders. */
  readonly orders: OrderPort
  readonly orderSettings: OrderSettings
}
