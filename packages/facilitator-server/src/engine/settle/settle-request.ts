import type { PaymentApi } from '../../database/tables.ts'
import type { PayingAccount, Reserve } from '../../ledger/settlements/reserve.ts'
import type { Settlement } from '../../ledger/settlements/settlement.ts'
import type { ChangedSettlement, GuardedTransition } from '../../ledger/settlements/transition.ts'
import type { Payment } from '../../payment/payment.ts'
import type { EngineSettings } from '../settings/engine-options.ts'
import type { DeliveryReleases } from './delivery-releases.ts'
import type { SettleOutcome } from './outcome.ts'
import type { SettlementWaits } from './settlement-waits.ts'

/** The account that requests a settle, and how. */
export interface SettleCall {
  readonly account: PayingAccount
  readonly api: PaymentApi
  /** Allows the first caller to receive its success a second time. */
  readonly idempotencyKey?: string
  /** The seller remembers what it delivered, and asks for successes again: see `isRepeatOf`. */
  readonly repeatsSuccess?: boolean
  /** Aborted when the caller has disconnected. Ends its waits, and not the settle: the success is not delivered. */
  readonly signal?: AbortSignal
  /** Adds a listener that runs if the caller received nothing of the success. */
  readonly onUndelivered?: (listener: () => void) => void
  /** Called when the price is held, before the payment is sent. Must not throw. */
  readonly onReserved?: (settlementId: number) => Promise<void>
}

export type Settle = (payment: Payment, call: SettleCall) => Promise<SettleOutcome>

/** What all settles of an engine share. */
export interface SettleParts {
  readonly settings: EngineSettings
  /** Reconciles one settlement if its lease has ended. */
  readonly reconcileOne: (settlementId: number) => Promise<void>
  readonly reserve: Reserve
  /** Finds a settlement. Concurrent calls share a statement. */
  readonly findById: (settlementId: number) => Promise<Settlement | undefined>
  readonly deliveries: DeliveryReleases
  readonly waits: SettlementWaits
  /** Applies a transition in a batch with others. Returns undefined if the row no longer matched. */
  readonly applyTransition: (transition: GuardedTransition) => Promise<ChangedSettlement | undefined>
}

/** One settle. */
export interface SettleRequest {
  readonly payment: Payment
  readonly call: SettleCall
  /** Owns the settlement while its lease lasts. */
  readonly attempt: string
}
