import type { PaymentChains } from '../../chain/payment-chains.ts'
import type { Ownership } from './ownership.ts'

/** What the operations of contracts need of the server. */
export interface ContractPorts {
  /** The chains that orders are paid on. */
  readonly chains: PaymentChains
  /** How many contracts of a project may be indexed. */
  readonly indexedContracts: number
  /** What contracts and NFTs change of who owns what. */
  readonly ownership: Ownership
}
