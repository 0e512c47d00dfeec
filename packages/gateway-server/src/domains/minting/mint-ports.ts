import type { MintChain } from '../../chain/mint-chain.ts'
import type { Minters } from '../../keys/minters.ts'
import type { OrderPort } from '../inventory/order-port.ts'
import type { OrderSettings } from '../inventory/order-settings.ts'

/** What the operations of mints need of the server. */
export interface MintPorts {
  /** The chains that tokens are minted on. Read them with `readChain`. */
  readonly mintChain: MintChain
  readonly minters: Minters
  /** What mints do with orders. */
  readonly orders: OrderPort
  readonly orderSettings: OrderSettings
}
