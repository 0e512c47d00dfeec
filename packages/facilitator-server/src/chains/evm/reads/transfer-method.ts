import type { Chain, RpcError } from '@mintmark/evm-reader'
import type { Payment, PaymentOnChain } from '../../../payment/payment.ts'
import type { Scheme } from '../../../payment/scheme.ts'
import type { Read, ReadResult } from './multicall-reads.ts'
import type { ContractCall, Log } from './transfer.ts'
import type { SearchUse } from './use-search.ts'

/** The terms that identify the nonce of a payment. */
export type PaymentNonce = Pick<PaymentOnChain, 'domain' | 'payer' | 'nonce'>

/** The x402 reasons that depend on the method of transfer. */
export interface MethodReasons {
  readonly signature: string
  readonly nonceUsed: string
  readonly validAfter: string
  readonly validBefore: string
  readonly simulationFailed: string
}

/**
 * What the logs of a successful transaction show of a payment. `unpaid`: its nonce was used, without the
 * transfer. `absent`: nothing of the payment is in them. `ambiguous`: a transfer is the payment or belongs to
 * something else.
 */
export type LogEvidence = 'paid' | 'unpaid' | 'absent' | 'ambiguous'

/**
 * How a signature moves a payer's tokens on an EVM chain. All that is particular to a scheme is behind this
 * interface, so that verification, settling, reconciliation and the audit are alike.
 */
export interface TransferMethod<Details = unknown> extends Scheme<Details> {
  readonly reasons: MethodReasons
  /** Computes the EIP-712 digest that the payer signs. */
  computeDigest(payment: Payment<Details>): Buffer
  /**
   * Writes a key's signature in 65 bytes with the lower s, if the contract accepts another form. Other
   * signatures are returned unchanged.
   */
  toKeySignature(signature: string): string
  /**
   * Encodes the call that executes a payment.
   *
   * @param signature The payment's signature without its wrapper.
   * @param signedByKey Whether a key has signed.
   */
  encodeTransfer(payment: Payment<Details>, signature: string, signedByKey: boolean): ContractCall
  /** Reads whether the nonce is used. */
  nonceRead(payment: PaymentNonce): Read
  /** Whether the nonce is used, from the result of its read. Undefined if the contract did not return it. */
  isUsed(payment: PaymentNonce, result: ReadResult): boolean | undefined
  /**
   * Finds out whether a successful transaction made the payment, from its logs. All that judges a transaction
   * uses this function: settles, reconciliation and the audit.
   *
   * @param isOwn Whether the transaction is ours, so that its call has exactly the payment's terms.
   */
  evaluateLogs(logs: readonly Log[], payment: PaymentOnChain, isOwn: boolean): LogEvidence
  /**
   * Returns why our mined transaction had no effect, from its logs and the data of its call: an x402 reason,
   * with which the payment fails. Undefined if it had one. Set if a call can succeed without any effect.
   */
  findMissingEffect?(logs: readonly Log[], payment: PaymentOnChain, input: string): string | undefined
  /**
   * The x402 reason with which a payment fails whose transaction can never be mined. Set if the chain has no
   * nonce of the payment, whose use or expiry would end it.
   */
  readonly supersededReason?: string
  /**
   * Whether the calls of another party's successful transaction, whose logs are ambiguous, made exactly this
   * payment. Undefined if nothing shows it.
   */
  hasMadePayment(chain: Chain, payment: PaymentOnChain, hash: string): Promise<boolean | undefined>
  /** Searches the transaction that used the nonce of a payment. */
  readonly searchUse: SearchUse
  /** Converts the error of a transfer that reverts to an x402 reason. */
  toRefusalReason(error: RpcError): string
}
