import type { Kysely } from 'kysely'
import type { Enqueue } from '../events/record-event.ts'
import type { ChainReader, Payment, PaymentVerifier, Upstream } from './payment.ts'
import type { Tables } from '../tables.ts'
import { type FaultHook, noFaults } from './fault-points.ts'
import type { RevertLimits } from '../ledger/settlements/reserve.ts'
import type { ChargeOn } from '../ledger/settlements/rules.ts'

/** The terms by which the built-in upstream knows a payment. */
export type SignedPayment = Pick<Payment, 'network' | 'asset' | 'payer' | 'nonce'>

/** Hears what a person should know; structured like pino's. */
export interface EngineLog {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface EngineOptions {
  readonly db: Kysely<Tables>
  readonly upstream: Upstream
  /** Without one no network is readable: what became unknown waits for an operator. */
  readonly chainReader?: ChainReader
  /** Our own verify. Without one every payment is taken for valid: only for an upstream that verifies. */
  readonly verifier?: PaymentVerifier
  /** Wei a settle. Default 2000000000000000, 0.002 of a native token of 18 decimals. */
  readonly price?: bigint
  /** Default `upstream-2xx`, as the specification says. */
  readonly chargeOn?: ChargeOn
  /** Networks (CAIP-2) that are settled on although `chainReader` cannot read them; others are refused. */
  readonly unreadableNetworks?: ReadonlySet<string>
  /** Milliseconds to wait for the upstream. Default 30,000. */
  readonly upstreamTimeout?: number
  /** Milliseconds that a settlement belongs to its call; longer than `upstreamTimeout`. Default that and 30,000. */
  readonly lease?: number
  /** Milliseconds to go on trying while the database cannot be reached. Default 10,000. */
  readonly patience?: number
  /** Milliseconds until a settled payment is first looked for on the chain. Default 5,000. */
  readonly confirmAfter?: number
  /** Wei; a balance that falls below it is told of once. Default one hundred prices. */
  readonly lowBalance?: bigint
  /** Default: 3 reverted transactions of a payer, 100 of an account, within an hour. */
  readonly revertLimits?: RevertLimits
  /** Puts jobs (webhooks) into the transaction that records events. */
  readonly enqueue?: Enqueue
  /**
   * Lists the hashes of the transactions that the built-in upstream signed for a payment. Given only where `upstream` is
   * the built-in one: then an empty list proves that the payment was not sent.
   */
  readonly signedTransactions?: (payment: SignedPayment) => Promise<readonly string[]>
  /** Sends a payment's own transaction again after a reorganisation took it off the chain. */
  readonly rebroadcast?: (settlementId: number) => Promise<void>
  readonly faultPoint?: FaultHook
  readonly log?: EngineLog
}

/** Options with everything decided. */
export type EngineSettings = Required<Omit<EngineOptions, OptionalPart>> & Pick<EngineOptions, OptionalPart>
type OptionalPart = 'chainReader' | 'verifier' | 'enqueue' | 'signedTransactions' | 'rebroadcast'

export const DEFAULT_REVERT_LIMITS: RevertLimits = { perPayer: 3, perAccount: 100, windowSeconds: 3_600 }

const silent: EngineLog = { warn: () => {}, error: () => {} }

/** Wei below which a balance is reported as low: one hundred prices. */
export const defaultLowBalance = (price: bigint): bigint => price * 100n

/** @throws RangeError where a price or a time makes no sense. */
export function engineSettings(options: EngineOptions): EngineSettings {
  const price = options.price ?? 2_000_000_000_000_000n
  const upstreamTimeout = options.upstreamTimeout ?? 30_000
  const lease = options.lease ?? upstreamTimeout + 30_000
  if (price <= 0n) throw new RangeError('the price of a settle must be positive')
  if (lease <= upstreamTimeout) throw new RangeError('the lease must be longer than the upstream timeout')
  return {
    ...options,
    price,
    upstreamTimeout,
    lease,
    chargeOn: options.chargeOn ?? 'upstream-2xx',
    unreadableNetworks: options.unreadableNetworks ?? new Set(),
    patience: options.patience ?? 10_000,
    confirmAfter: options.confirmAfter ?? 5_000,
    lowBalance: options.lowBalance ?? defaultLowBalance(price),
    revertLimits: options.revertLimits ?? DEFAULT_REVERT_LIMITS,
    faultPoint: options.faultPoint ?? noFaults,
    log: options.log ?? silent,
  }
}

/** Whether payments of the network are settled: we can find out how they ended, or were told to do without. */
export function servesNetwork(settings: EngineSettings, network: string): boolean {
  return settings.chainReader?.readable(network) === true || settings.unreadableNetworks.has(network)
}
