import type { Chains } from '@mintmark/evm-reader'
import { createInquire, type Inquire } from '../chains/evm/reads/inquiries.ts'
import type { Settlement } from '../ledger/settlements/settlement.ts'
import type { JsonObject } from '../payment/fields.ts'
import type { Decoded, Payment } from '../payment/payment.ts'
import type { Scheme } from '../payment/scheme.ts'

/** A scheme whose requests are served. */
export interface ServedScheme<Details = unknown> extends Scheme<Details> {
  /** Lists the kinds of payments that are offered to sellers on a network of the scheme. */
  listKinds?(network: string, offer: Offer): readonly Kind[]
  /**
   * Prepares a payment before it is settled. Absent: it is settled as it was decoded.
   *
   * @throws Error if the chain or the database cannot be read.
   */
  prepareSettle?(
    context: SettleContext,
    payment: Payment<Details, ServedScheme<Details>>,
    call: SettlingCall,
  ): Promise<PreparedPayment>
}

export type ServedPayment = Payment<unknown, ServedScheme>

/** The body of a verify or a settle, in parts. */
export interface DecodeRequest {
  readonly version: 1 | 2
  readonly paymentPayload: JsonObject
  readonly paymentRequirements: JsonObject
}

/** Decodes the requests of a scheme. Never throws. */
export type DecodeScheme = (request: DecodeRequest, served: Served) => Decoded<ServedScheme>

/** What a facilitator serves. */
export interface Served {
  /** The CAIP-2 networks. Any other is `invalid_network`. */
  readonly networks: ReadonlySet<string>
  /**
   * The addresses of our signers, lower-case, for which payers sign if only one sender may execute a payment.
   * Empty if another facilitator settles.
   */
  readonly facilitators: ReadonlySet<string>
  /** The ids of the chains on which we broadcast payers' signed approval transactions. */
  readonly approvalChains?: ReadonlySet<number>
  /** The addresses of our fee payers on Solana, base58. */
  readonly feePayers?: ReadonlySet<string>
}

/** What an account's sellers are offered. */
export interface Offer {
  /** The signer that alone can send payments which are signed for it. Undefined if another facilitator settles. */
  readonly facilitatorAddress: string | undefined
  readonly feePayer: string | undefined
  /** Whether the chain of the network is read. */
  readonly isReadable: boolean
}

/** A kind of payment in x402's list of what is supported. */
export interface Kind {
  x402Version: number
  scheme: string
  network: string
  extra?: { [name: string]: unknown }
}

/** What the preparation of payments uses. */
export interface SettleContext {
  readonly chains: Chains
  readonly inquires: ReadonlyMap<string, Inquire>
  /** Finds the settlement of a payment. */
  findSettlement(
    payment: Payment,
  ): Promise<Pick<Settlement, 'state' | 'account_id' | 'fingerprint' | 'idempotency_key'> | undefined>
  readonly report: (error: unknown) => void
}

export const createSettleContext = (options: Omit<SettleContext, 'inquires'>): SettleContext => ({
  ...options,
  inquires: new Map(options.chains.all.map((chain) => [chain.network, createInquire(chain)])),
})

/** The call of a settle. */
export interface SettlingCall {
  readonly account: { readonly id: number }
  readonly idempotencyKey?: string | undefined
}

export type PreparedPayment =
  | {
      readonly ok: true
      readonly payment: ServedPayment
      /**
       * Describes what the settlement with a transaction did, for stock sellers.
       *
       * @throws Error if the chain cannot be read.
       */
      describe?(transaction: string): Promise<SettledExtra>
    }
  | { readonly ok: false; readonly reason: string; readonly message: string }

export interface SettledExtra {
  readonly extra?: { readonly [name: string]: unknown }
  /** Base units that were moved, if that is not the amount of the payment. */
  readonly amount?: bigint
}

/**
 * Creates the function that opens what schemes keep in memory, with the same parts, once for each way of opening
 * it.
 */
export function openOnce<Parts, Opened>(parts: Parts): (open: (parts: Parts) => Opened) => Opened {
  const opened = new Map<(parts: Parts) => Opened, Opened>()
  return (open) => {
    const known = opened.get(open) ?? open(parts)
    opened.set(open, known)
    return known
  }
}
