import type { Chain, NodeLog } from '@mintmark/evm-reader'
import type { PaymentNonce } from '../../chains/evm/reads/transfer-method.ts'
import type { AllowedAssets } from '../../chains/evm/settings/allowed-assets.ts'
import type { Execution } from '../../chains/evm/transactions/execution.ts'
import type { Call } from '../../chains/evm/transactions/transaction-store.ts'
import type { JsonObject } from '../../payment/fields.ts'
import type { Payment, PaymentVerifier } from '../../payment/payment.ts'
import type { Refusal } from '../../payment/refusal.ts'
import type { Authorized, Terms } from '../../payment/terms.ts'
import type { ServedScheme } from '../scheme.ts'
import type { MethodChecks } from './shared/method-checks.ts'

/** A scheme on EVM chains. */
export interface EvmScheme<Details = unknown> extends Execution<Details>, ServedScheme<Details> {
  /** Opens the checks of what one chain shows of a transfer, before it is simulated. */
  readonly openChecks?: (now: () => number) => MethodChecks
  /** Opens the verification. Absent: a payment is verified as the transfer that it is. */
  readonly openVerifier?: (parts: VerifierParts) => PaymentVerifier
  /** How its payments are found on a chain without their settlements. Absent: another scheme finds them. */
  readonly traces?: PaymentTraces
  /** Whether nobody but its first signer can send a call. */
  isBoundToSender?(call: Pick<Call, 'recipient'>): boolean
  /** Whether a transaction pays back tokens of a seller, so that the authorization that it uses is no payment. */
  isRefund?(transaction: TransactionCall): boolean
}

/** How the payments of a scheme are found among the transactions of our signers. */
export interface PaymentTraces {
  /** The topics of the events of a transaction with such a payment. */
  readonly topics: readonly string[]
  /** The contracts besides the assets that emit them. */
  readonly contracts: readonly string[]
  /** Lists the payments of a transaction. */
  list(transaction: TransactionCall, logs: readonly NodeLog[]): readonly PaymentNonce[]
}

/** The call of a transaction, as execution clients return it. */
export interface TransactionCall {
  readonly to: string | null
  readonly input: string
}

export type EvmSchemePayment = Payment<unknown, EvmScheme>

/** A scheme of which a payment is one transfer with exactly the terms of the requirements. */
export interface TransferScheme<Details = unknown> extends EvmScheme<Details> {
  /** Whether a payload is of the scheme. Of those with a name in common, the first one reads what none accepts. */
  accepts(payload: JsonObject): boolean
  /** Reads what the payer signed. */
  readAuthorization(payload: JsonObject, terms: Terms, context: AuthorizationContext): Authorized | Refusal
}

/** What surrounds the payload of a transfer. */
export interface AuthorizationContext {
  /** The amount that the payer accepted: the maximum, if the payment is metered. */
  readonly acceptedAmount: bigint
  /** The payload's extensions, from the request. */
  readonly extensions: unknown
  /** The chain, if we broadcast signed approval transactions on it. */
  readonly approvalChainId?: number | undefined
  /** The addresses of our signers, lower-case. */
  readonly facilitators: ReadonlySet<string>
}

/** What a scheme's own verification uses. */
export interface VerifierParts {
  readonly chains: readonly Pick<Chain, 'network' | 'requestEach'>[]
  readonly allowedAssets: AllowedAssets
  /** Verifies the transfer that is a part of a payment. */
  readonly transfers: PaymentVerifier
  /**
   * For how many milliseconds a state of the chain that was read for one payment may accept further ones; 0 for
   * none.
   */
  readonly stateTtlMs: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly report: (error: unknown) => void
}
