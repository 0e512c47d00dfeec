import type { ColumnType, Generated } from 'kysely'
import type { CatalogTables } from './tables/catalog.ts'
import type { WebhookTables } from './tables/webhooks.ts'

/** A `numeric(78, 0)`: read as a decimal string, written as a bigint or a string. */
type Amount = ColumnType<string, bigint | string, bigint | string>
type GeneratedAmount = ColumnType<string, bigint | string | undefined, bigint | string>
type Timestamp = ColumnType<Date, Date | undefined, Date>
type OptionalTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>

export interface AccountsTable {
  id: Generated<number>
  payer: string
  name: Generated<string>
  available: GeneratedAmount
  next_quota_nonce: GeneratedAmount
  frozen_at: OptionalTimestamp
  frozen_reason: Optional<string>
  frozen_by_reversal: Generated<boolean>
  batch_delay_ms: Generated<number>
  created_at: Timestamp
}

export interface ApiKeysTable {
  id: Generated<number>
  account_id: number
  name: Generated<string>
  prefix: string
  token_hash: Buffer
  created_at: Timestamp
  revoked_at: OptionalTimestamp
}

export interface AccountOpeningsTable {
  proof: Buffer
  account_id: number
  key_id: number
  credit: ColumnType<string | null, bigint | null, never>
  address: Optional<string>
  created_at: Timestamp
}

export interface PayerQuotasTable {
  id: Generated<number>
  account_id: number
  payer: string
  limit_amount: Amount
  used: GeneratedAmount
  valid_after: Amount
  valid_before: Amount
  nonce: Amount
  signature: string
  created_at: Timestamp
  ended_at: OptionalTimestamp
  ended_by: Optional<'replaced' | 'revoked'>
  revocation_nonce: Optional<string>
  revocation_signature: Optional<string>
}

export type TransferKind =
  | 'hold'
  | 'capture'
  | 'release'
  | 'refund'
  | 'credit'
  | 'deposit'
  | 'suspense'
  | 'claim'
  | 'repayment'
  | 'reversal'

/**
 * Accounts of the ledger. `available`, `held` and `receivable` belong to one payer. `external` is the
 * treasury contract, `granted` the source of operators' credits without a deposit, and `suspense` holds
 * deposits of wallets without an account.
 */
export type LedgerAccount =
  | 'available'
  | 'held'
  | 'revenue'
  | 'external'
  | 'granted'
  | 'suspense'
  | 'receivable'

export interface LedgerTransfersTable {
  id: Generated<number>
  kind: TransferKind
  debit: LedgerAccount
  credit: LedgerAccount
  amount: Amount
  account_id: Optional<number>
  quota_id: Optional<number>
  settlement_id: Optional<number>
  /** The settlement's reservation that the transfer belongs to, from 1. */
  reservation: Generated<number>
  deposit_id: Optional<number>
  actor: Generated<string>
  reason: Optional<string>
  created_at: Timestamp
}

export interface DepositsTable {
  id: Generated<number>
  chain_id: number
  hash: string
  log_index: number
  payer: string
  amount: Amount
  block_number: Amount
  block_hash: string
  account_id: Optional<number>
  created_at: Timestamp
  reversed_at: OptionalTimestamp
}

export interface TreasuryWithdrawalsTable {
  chain_id: number
  treasury: string
  hash: string
  position: number
  log_index: number
  recipient: string
  amount: Amount
  block_number: Amount
  block_hash: string
}

export interface EventsTable {
  id: Generated<number>
  subject: string
  sequence: number
  type: string
  account_id: number
  data: ColumnType<EventData, string, never>
  occurred_at: Timestamp
}

/** The data of an event, as JSON. */
export interface EventData {
  readonly [name: string]: string | number | boolean | null
}

/**
 * `not_sent`: nothing was sent to the chain and nothing is held, so the same payment can be settled later.
 */
export type SettlementState = 'sent' | 'settled' | 'failed' | 'unknown' | 'not_sent'
/** Who executes a payment: our own signers, or the facilitator at `UPSTREAM_FACILITATOR_URL`. */
export type UpstreamKind = 'built-in' | 'remote'
export type HoldState = 'held' | 'captured' | 'released' | 'refunded'
/** The HTTP API that received a settle. */
export type PaymentApi = 'native' | 'x402'

export interface SettlementsTable {
  id: Generated<number>
  order_no: string
  account_id: number
  quota_id: number
  price: Amount
  network: string
  domain: string
  payer: string
  nonce: string
  fingerprint: string
  wire_network: string
  x402_version: number
  scheme: string
  asset: string
  pay_to: string
  amount: Amount
  valid_before: Amount
  api: PaymentApi
  idempotency_key: Optional<string>
  /** The payer's identifier of what the payment is for. */
  payment_identifier: Optional<string>
  /** What the payment pays for. */
  resource: Generated<string>
  /** Whether the payment has an approval for itself only, which replaces what the payer has approved. */
  own_allowance: Generated<boolean>
  /** Whether reverts of the payment count for its payer as well, or for the account only. */
  reverts_count_for: Generated<'payer' | 'account'>
  /** What a refund gives back, in base units of the asset. */
  refund_amount: Optional<Amount>
  /** The nonce of the payment that a refund belongs to. */
  refund_of: Optional<string>
  upstream: Generated<UpstreamKind>
  /** How many times the price was held for the payment. */
  reservation: Generated<number>
  reserved_at: Timestamp
  /** A block that the chain had before the settlement was reserved. */
  reserved_block: Optional<string>
  state: Generated<SettlementState>
  hold: Generated<HoldState>
  attempt: string
  lease_until: OptionalTimestamp
  check_count: Generated<number>
  upstream_status: Optional<number>
  upstream_responded: Generated<boolean>
  reason: Optional<string>
  message: Optional<string>
  transaction: Optional<string>
  block_number: Optional<string>
  block_hash: Optional<string>
  final_at: OptionalTimestamp
  reconciled: Generated<boolean>
  delivered_to: Optional<string>
  delivered_at: OptionalTimestamp
  /** The calls that may have claimed the delivery and responded without the success. */
  undelivered_to: Optional<string[]>
  created_at: Timestamp
  ended_at: OptionalTimestamp
}

export type ChargeCause = 'upstream' | 'chain' | 'operator'

export interface ChargesTable {
  settlement_id: number
  account_id: number
  quota_id: number
  amount: Amount
  cause: ChargeCause
  created_at: Timestamp
}

export interface SettlementResolutionsTable {
  id: Generated<number>
  settlement_id: number
  outcome: 'settled' | 'failed'
  transaction: Optional<string>
  actor: string
  reason: string
  created_at: Timestamp
}

export interface OperatorDecisionsTable {
  id: Generated<number>
  actor: string
  operation: string
  subject: string
  input: ColumnType<OperatorInput, string, never>
  idempotency_key: Optional<string>
  created_at: Timestamp
}

/** The input of an operator's call, as JSON. */
export interface OperatorInput {
  readonly [name: string]: string | number | boolean | undefined
}

/** The facilitator's tables, which `database/migrations/` creates. */
export interface Tables extends CatalogTables, WebhookTables {
  'facilitator.accounts': AccountsTable
  'facilitator.api_keys': ApiKeysTable
  'facilitator.account_openings': AccountOpeningsTable
  'facilitator.payer_quotas': PayerQuotasTable
  'facilitator.ledger_transfers': LedgerTransfersTable
  'facilitator.deposits': DepositsTable
  'facilitator.treasury_withdrawals': TreasuryWithdrawalsTable
  'facilitator.events': EventsTable
  'facilitator.settlements': SettlementsTable
  'facilitator.charges': ChargesTable
  'facilitator.settlement_resolutions': SettlementResolutionsTable
  'facilitator.operator_decisions': OperatorDecisionsTable
}
