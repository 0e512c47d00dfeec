import type { Kysely } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { Enqueue } from '../../events/record-event.ts'
import type { RevertLimits } from '../../ledger/settlements/reserve.ts'
import type { ChargeOn } from '../../ledger/settlements/rules.ts'
import type { ChainReader, Payment, PaymentVerifier, Upstream } from '../../payment/payment.ts'
import type { FindScheme } from '../../payment/scheme.ts'
import { type FaultHook, noFaults } from './fault-points.ts'

/** The terms that identify a payment to the built-in upstream. */
export type SignedPayment = Pick<Payment, 'network' | 'domain' | 'payer' | 'nonce'>

/** Receives messages for operators. Compatible with pino. */
export interface EngineLog {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface EngineOptions {
  readonly db: Kysely<Tables>
  readonly upstream: Upstream
  readonly findScheme: FindScheme
  /** Without a reader no network is readable: unknown settlements wait for an operator. */
  readonly chainReader?: ChainReader
  /**
   * Our own verification. Without it every payment counts as valid, which requires an upstream that verifies.
   */
  readonly verifier?: PaymentVerifier
  /**
   * Stores what an account can claim of a payment. Idempotent. Returns what could not be stored, if the database
   * did not confirm it.
   */
  storeClaim?(payment: Payment, accountId: number): Promise<string | undefined>
  /** Wei per settle. Default 2000000000000000, 0.002 of a native token of 18 decimals. */
  readonly price?: bigint
  /** Default `upstream-2xx`, as the specification states. */
  readonly chargeOn?: ChargeOn
  /**
   * Networks (CAIP-2) that are served although `chainReader` cannot read them. Other unreadable networks are
   * refused.
   */
  readonly unreadableNetworks?: ReadonlySet<string>
  /** Milliseconds to wait for the upstream. Default 30,000. */
  readonly upstreamTimeout?: number
  /**
   * Milliseconds that a repeated settle waits for the outcome of its payment. Default 80,000: stock x402
   * software gives up after 90,000.
   */
  readonly repeatTimeout?: number
  /** The most repeated settles that wait at the same time. Default 250. */
  readonly maxWaits?: number
  /** Milliseconds to retry while the database cannot be reached. Default 10,000. */
  readonly patience?: number
  /** Wei. A balance that falls below this is reported once. Default one hundred prices. */
  readonly lowBalance?: bigint
  /** Default: 3 reverted transactions of a payer, 100 of an account, within an hour. */
  readonly revertLimits?: RevertLimits
  /** Adds jobs (webhooks) to the transaction that records events. */
  readonly enqueue?: Enqueue
  /**
   * Lists the hashes of the transactions that the built-in upstream signed for a payment, the newest last,
   * unless an older one is mined. Given only where
   * `upstream` is the built-in one: then an empty list proves that the payment was not sent.
   */
  readonly listSignedTransactions?: (payment: SignedPayment) => Promise<readonly string[]>
  /** Broadcasts a payment's own transaction again because a reorganization may have removed it. */
  readonly rebroadcast?: (settlementId: number) => Promise<void>
  readonly faultPoint?: FaultHook
  readonly log?: EngineLog
}

/** Options with all defaults applied. */
export type EngineSettings = Required<Omit<EngineOptions, OptionalPart>> &
  Pick<EngineOptions, OptionalPart> & {
    /** Milliseconds that a settlement belongs to its call. */
    readonly lease: number
  }
type OptionalPart =
  | 'chainReader'
  | 'verifier'
  | 'storeClaim'
  | 'enqueue'
  | 'listSignedTransactions'
  | 'rebroadcast'

/** How many milliseconds longer a lease lasts than the upstream may take. */
const LEASE_MARGIN_MS = 30_000

/** Milliseconds until a settled payment is first searched for on the chain. */
export const CONFIRM_AFTER_MS = 5_000

export const DEFAULT_REVERT_LIMITS: RevertLimits = { perPayer: 3, perAccount: 100, windowSeconds: 3_600 }

const NO_LOG: EngineLog = { warn: () => {}, error: () => {} }

/** Returns the balance, in wei, below which a balance is reported as low: one hundred prices. */
export const getDefaultLowBalance = (price: bigint): bigint => price * 100n

/** Applies the defaults. @throws RangeError if the price is invalid. */
export function readEngineSettings(options: EngineOptions): EngineSettings {
  const price = options.price ?? 2_000_000_000_000_000n
  const upstreamTimeout = options.upstreamTimeout ?? 30_000
  if (price <= 0n) throw new RangeError('The price of a settle must be positive')
  return {
    ...options,
    price,
    upstreamTimeout,
    lease: upstreamTimeout + LEASE_MARGIN_MS,
    chargeOn: options.chargeOn ?? 'upstream-2xx',
    unreadableNetworks: options.unreadableNetworks ?? new Set(),
    repeatTimeout: options.repeatTimeout ?? 80_000,
    maxWaits: options.maxWaits ?? 250,
    patience: options.patience ?? 10_000,
    lowBalance: options.lowBalance ?? getDefaultLowBalance(price),
    revertLimits: options.revertLimits ?? DEFAULT_REVERT_LIMITS,
    faultPoint: options.faultPoint ?? noFaults,
    log: options.log ?? NO_LOG,
  }
}

/**
 * Whether payments on the network are settled: their outcome can be read, or the operator accepts that it
 * cannot.
 */
export function servesNetwork(settings: EngineSettings, network: string): boolean {
  return settings.chainReader?.readable(network) === true || settings.unreadableNetworks.has(network)
}
