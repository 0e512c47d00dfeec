import type { Store } from '../../../database/store.ts'
import type { Payment, UpstreamCall } from '../../../payment/payment.ts'
import type { StoredScheme } from '../../../payment/scheme.ts'
import type { ContractCall, Log } from '../reads/transfer.ts'
import type { TransferMethod } from '../reads/transfer-method.ts'
import type { AllowedFactories } from '../settings/allowed-assets.ts'
import type { GasCaps } from '../settings/gas-caps.ts'
import type { SettlingChain } from './nonce-lanes.ts'
import type { Attempt, Call, StoredTransaction } from './transaction-store.ts'
import type { Unsent } from './upstream-responses.ts'

/** What one settlement executes, with its gas limits. */
export interface SettlementCall {
  readonly transfer: ContractCall
  /** A call that needs more gas is refused. */
  readonly gasCap: bigint
  /** The cap for a payer that is a contract. */
  readonly contractGasCap: bigint
  /** The least gas limit, whatever a node estimates. Default 0. */
  readonly gasFloor?: bigint
  /** Whether the call deploys the payer's contract first. */
  readonly deploys: boolean
  /** Whether the call may execute contracts of others, whoever the payer is. */
  readonly executesOthers?: boolean
}

/** How a scheme is executed, where this differs from a transfer that any of our signers may send. */
export interface Execution<Details = unknown> extends TransferMethod<Details> {
  /** Whether the recipient's balance shows what it receives. */
  readonly hasDelivery: boolean
  /** Returns the only address that can send a payment. Undefined: any can. */
  getOnlySender?(payment: Payment<Details>): string | undefined
  /** Creates the call of a payment that is no transfer by the payer's signature. */
  createCall?(payment: Payment<Details>, gasCaps: GasCaps): SettlementCall
  /**
   * Encodes a call that may be executed in one transaction with those of other payments, whoever sends it.
   * Undefined: the payment is sent by itself.
   */
  encodeShared?(payment: Payment): ContractCall | undefined
  /** Lists what the events of a shared transaction show as used, each as `authorizationKey` names it. */
  listUsed?(logs: readonly Log[]): string[]
  /**
   * Makes what a payment needs before it is sent. `approved`: a node may lag behind it. Undefined: there was
   * nothing to make.
   */
  prepare?(
    parts: BuiltInParts,
    on: SettlingChain,
    payment: EvmPayment<Details>,
    call: UpstreamCall,
  ): Promise<Unsent | 'approved' | undefined>
  /**
   * Writes what is committed with the transaction of a payment.
   *
   * @throws EarlierPaymentError
   */
  commit?(
    trx: Store,
    where: { chainId: number; settlementId: string },
    payment: Payment<Details>,
  ): Promise<void>
}

/** A payment on an EVM chain. */
export type EvmPayment<Details = unknown> = Payment<Details, Execution<Details>>

/** A payment must wait for the transaction of an earlier one, so that nothing is written. */
export class EarlierPaymentError extends Error {}

/** What the built-in upstream uses of the schemes of its chains. */
export interface Executions {
  /** Returns how the payment of a settlement is executed. @throws Error if no scheme has it. */
  find(stored: StoredScheme): Execution
  /** Whether nobody but its first signer can send a call. */
  isBoundToSender(call: Pick<Call, 'recipient' | 'data'>): boolean
  /** Writes a replacement of a transaction that gives gas. @returns false if it has changed meanwhile. */
  addGrantReplacement(
    db: Store,
    replaced: StoredTransaction,
    attempt: Attempt,
    cost: bigint,
  ): Promise<boolean>
}

/** What the settles of a built-in upstream share: its options with defaults applied. */
export interface BuiltInParts {
  readonly db: Store
  readonly executions: Executions
  readonly walletFactories: AllowedFactories
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly report: (error: unknown) => void
}
