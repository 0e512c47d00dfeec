import type { BlockComparison, BlockIdentity } from '@mintmark/evm-reader'
import type { Issue } from './fields.ts'
import type { Scheme } from './scheme.ts'

/** One payment, decoded from either x402 version. */
export interface Payment<Details = unknown, PaymentScheme extends Scheme = Scheme> {
  version: 1 | 2
  scheme: PaymentScheme
  /** What only payments of the scheme have. */
  details: Details
  /** CAIP-2, such as `eip155:84532`, also when the request used a version 1 name. */
  network: string
  /** The network as named in the request. Responses repeat it. */
  wireNetwork: string
  chainId: number
  /** The token's address, lower-case. */
  asset: string
  /** The recipient's address, lower-case. */
  payTo: string
  /** The paying wallet's address, lower-case. */
  payer: string
  /** Base units of the asset. */
  amount: bigint
  /** The contract whose nonces the payment uses, lower-case: that of the scheme, or the asset. */
  domain: string
  /** Unix seconds; the transfer is valid strictly after it. */
  validAfter: bigint
  /** Unix seconds; the transfer is valid strictly before it. */
  validBefore: bigint
  /** 32 bytes, `0x` and 64 lower-case hex digits. */
  nonce: string
  /** `0x` and lower-case hex digits: 65 bytes, or what the payer's contract accepts. */
  signature: string
  /** EIP-712 domain of the asset, from the requirements' `extra`. Empty if the payer signs for another one. */
  domainName: string
  domainVersion: string
  maxTimeoutSeconds: number
  /**
   * SHA-256, hex, of the decoded authorization, signature and terms. Equal in both HTTP APIs and versions for
   * the same payment.
   */
  fingerprint: string
  /**
   * The payer's identifier of what the payment is for. It is not signed and no term: a payment is the same
   * with another one. While a payment was, or may still be, executed, no other payment of the payer is
   * settled under its identifier.
   */
  identifier?: string
  /** What a refund gives back of a payment: the nonce of the payment, and base units of the asset. */
  refund?: { readonly of: string; readonly amount: bigint }
  /** The request as received, for a remote upstream. */
  request: { x402Version: number; paymentPayload: object; paymentRequirements: object }
}

/** The result of decoding a body: a payment, or an x402 reason with the invalid fields. */
export type Decoded<PaymentScheme extends Scheme = Scheme> =
  | { ok: true; payment: Payment<unknown, PaymentScheme> }
  | {
      ok: false
      reason: string
      /** The issues in one text. */
      message: string
      /** The fields at fault, at least one. */
      issues: readonly Issue[]
      /** Set if the payer could be read. */
      payer?: string
    }

/** What the payer has of the asset. */
export interface PayerFunds {
  /** Base units of the asset. */
  readonly balance: bigint
  /**
   * What the payer has approved, in base units of the asset. `own`: the payment has an approval for itself
   * only, which replaces what the payer has approved. Undefined: the payment needs no approval.
   */
  readonly allowance?: bigint | 'own'
  /** The block of the balance and the allowance. Undefined if the chain does not report it. */
  readonly block: bigint | undefined
  /** When the request was sent, by `performance.now()`. */
  readonly readAt: number
}

/** Whether a payment could be settled now. */
export type VerificationOutcome =
  | {
      isValid: true
      payer: string
      funds?: PayerFunds
      /** Whether the payment's account can claim something of it, which is stored before it learns that it is valid. */
      isClaimable?: boolean
      /** What stock sellers of the scheme read. */
      extra?: { readonly [name: string]: string | number }
    }
  | { isValid: false; invalidReason: string; invalidMessage?: string; payer?: string }

export interface PaymentVerifier {
  /**
   * Checks the signature and the terms of a payment against its chain. Never throws. A state that cannot be
   * read is `unexpected_verify_error`.
   *
   * @param simulate Whether to execute the transfer as well, as the settlement would, without sending it. A
   * settle does not need it, because the upstream simulates what it signs.
   */
  verify(payment: Payment, options?: { simulate?: boolean }): Promise<VerificationOutcome>
}

/** The block in which an upstream found a transaction. */
export interface ReportedBlock {
  readonly number: bigint
  readonly hash?: string
}

/** The upstream's response to one settle. */
export type UpstreamResponse =
  /** A well-formed 2xx. */
  | {
      kind: 'responded'
      httpStatus: number
      body: {
        success: boolean
        errorReason?: string
        errorMessage?: string
        payer?: string
        transaction: string
        network: string
      }
      /** The transaction's block, if it is known. Without a hash, reconciliation finds the block. */
      block?: ReportedBlock
    }
  /** A definite refusal before broadcast, with a reason of a fixed list. */
  | { kind: 'refused'; httpStatus: number; reason: string; message?: string }
  /** Nothing was signed or broadcast, for a temporary reason. The same payment can be settled later. */
  | { kind: 'not_sent'; reason: string; message: string }
  /** The outcome is unknown. The payment may still settle. */
  | {
      kind: 'lost'
      why: 'timeout' | 'reset' | 'status' | 'malformed'
      httpStatus?: number
      message: string
      /** The newest transaction that was signed for the payment, if it is known. */
      transaction?: string
    }

export interface UpstreamCall {
  settlementId: string
  attempt: string
  signal: AbortSignal
  /**
   * For how many milliseconds the payment may wait for others of one transaction. Default 0: it is sent by
   * itself.
   */
  batchDelayMs?: number
}

export interface Upstream {
  /**
   * Executes one payment. `settlementId` identifies its settlement, and `attempt` the call that owns the
   * settlement while its lease lasts. The signal ends the wait, not the settlement.
   */
  settle(payment: Payment, call: UpstreamCall): Promise<UpstreamResponse>
}

/** The outcome of a payment on its chain. */
export type ChainOutcome =
  | { kind: 'settled'; transaction: string; blockNumber: bigint; blockHash: string; final: boolean }
  /**
   * Final. Either the nonce was used without our payment, or it is unused and `validBefore` has passed or our
   * own transaction has reverted. `reverted` is the hash of our mined transaction that reverted, or succeeded
   * without the transfer: its gas is charged. `withoutEffect` is the hash of our mined transaction that changed
   * nothing and is not charged. `unproven` is another party's transaction that paid the same amount and may
   * have used the nonce, which nothing shows.
   */
  | { kind: 'failed'; reason: string; reverted?: string; withoutEffect?: string; unproven?: TransactionPlace }
  /**
   * Not decided yet. `unused`: the nonce is unused in the newest block. `transaction` is the hash of a mined
   * transaction that will decide it, or that used the nonce and may have made the payment, which nothing shows.
   */
  | { kind: 'open'; unused?: boolean; transaction?: string }
  | { kind: 'unreadable' }

/** A transaction and its block. */
export interface TransactionPlace {
  readonly transaction: string
  readonly blockNumber: bigint
  readonly blockHash: string
}

/** The terms that identify a payment on its chain. */
export type PaymentOnChain<PaymentScheme extends Scheme = Scheme> = Pick<
  Payment<unknown, PaymentScheme>,
  'scheme' | 'network' | 'asset' | 'domain' | 'payer' | 'payTo' | 'amount' | 'nonce' | 'validBefore'
>

/** What is known of a payment before its outcome is read. */
export interface InspectHint {
  /** The hash of the transaction that may have made the payment. */
  readonly transaction?: string
  /**
   * A block that the chain had before the payment was reserved. The use of the nonce is searched from there.
   */
  readonly reservedBlock?: bigint
}

/** Recorded blocks, compared with the chain. */
export interface FinalComparison {
  /** The number of the newest final block. */
  readonly final: bigint
  /** In the order of the blocks. */
  readonly comparisons: readonly BlockComparison[]
}

export interface ChainReader {
  /** The networks of `CHAINS` (CAIP-2). */
  readonly networks: ReadonlySet<string>
  /** Whether the network is among `CHAINS`. */
  readable(network: string): boolean
  inspect(payment: PaymentOnChain, hint?: InspectHint): Promise<ChainOutcome>
  /**
   * Compares recorded blocks with the chain that contains the newest final block. Throws if the chain cannot
   * be read.
   */
  compareWithFinal(network: string, blocks: readonly BlockIdentity[]): Promise<FinalComparison>
}
