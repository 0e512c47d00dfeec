import {
  Amount,
  ConflictError,
  Id,
  Integer,
  NotFoundError,
  record,
  type Schema,
  Text,
  Timestamp,
} from '@mintmark/envelope'
import { facilitatorOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import { PayerAddress, SETTLEMENT_STATUSES, TransactionId } from '../fields.ts'
import { LedgerTransfer } from './ledger-transfer.ts'
import { CHAIN_DECIDES, SETTLEMENT_NOT_UNKNOWN } from './rules.ts'

const settlement = record({
  /** The settlement's id. */
  id: Integer,
  /** The order's number. */
  orderNo: v.string(),
  /** The id of the account that pays for the settlement. */
  accountId: Integer,
  /** The wallet that paid, in lower case. */
  payer: v.string(),
  /** `sent`, `settled`, `failed`, `unknown` or `not_sent`. */
  status: v.string(),
  /** Where the price is: `held`, `captured`, `released` or `refunded`. */
  hold: v.string(),
  /** The cost of the settlement, in wei of the native token. */
  price: Amount,
  /** The CAIP-2 id of the chain, such as `eip155:84532`. */
  network: v.string(),
  /** The x402 scheme of the payment, `exact` or `upto`. */
  scheme: v.string(),
  /**
   * How the tokens are transferred: `eip3009`, `permit2`, `channel` for claims, refunds and payouts of payment
   * channels, or `escrow` for captures, voids and refunds of held payments.
   */
  method: v.string(),
  /** The token's address. */
  asset: v.string(),
  /** The address that receives the payment, in lower case. */
  payTo: v.string(),
  /**
   * The amount of the payment, in base units of the asset. In the scheme `upto`, what is settled of the
   * signed maximum.
   */
  amount: Amount,
  /** Who executes the payment: `built-in` or `remote`. */
  upstream: v.string(),
  /** The transaction's hash; `''` until it is known. */
  transaction: v.string(),
  /** Why the settlement has its status; `''` without a reason. */
  reason: v.string(),
  /** What the upstream wrote about the reason; `''` if nothing. */
  message: v.string(),
  /** How often the server has looked for the outcome. */
  checkCount: Integer,
  /** Seconds since the settlement was requested the last time, while it has no outcome; absent afterwards. */
  openSeconds: v.optional(Integer),
  /** When the settlement was requested. */
  createTime: Timestamp,
  /** When the outcome became known; absent before. */
  endTime: v.optional(Timestamp),
})
/** A settlement, as operators see it. */
export interface OperatorSettlement extends v.InferOutput<typeof settlement> {}
export const OperatorSettlement: Schema<OperatorSettlement> = settlement

const settlementList = record({
  /** The settlements, newest first. The list may be empty although `next` is present. */
  settlements: v.array(OperatorSettlement),
  /** The `before` of the next part of the list; absent at the end. */
  next: v.optional(Integer),
})
/** A part of the list of settlements. */
export interface SettlementList extends v.InferOutput<typeof settlementList> {}
export const SettlementList: Schema<SettlementList> = settlementList

const attempt = record({
  /** The hash. */
  hash: v.string(),
  /** What the attempt offers for a unit of gas at most, in wei. */
  maxFeePerGas: Amount,
  /** When the attempt was signed. */
  createTime: Timestamp,
})

const settlementTransaction = record({
  /** The chain's id. */
  chainId: Integer,
  /** The signer's address, in lower case. */
  signer: v.string(),
  /** The signer's nonce. */
  nonce: Integer,
  /** `sent`, `mined`, `final`, or `superseded` if another transaction has used the nonce. */
  status: v.string(),
  /** The hash of the attempt that was mined; `''` before. */
  hash: v.string(),
  /** Whether the mined transaction made its payment; false if it reverted or made no transfer, absent before it is mined. */
  succeeded: v.optional(v.boolean()),
  /** The number of its block; absent before it is mined. */
  blockNumber: v.optional(v.string()),
  /** The signed transactions with the nonce, oldest first. The chain accepts at most one. */
  attempts: v.array(attempt),
  /** When the nonce was reserved. */
  createTime: Timestamp,
})
/** A transaction that the facilitator signed for a settlement. */
export interface SettlementTransaction extends v.InferOutput<typeof settlementTransaction> {}
export const SettlementTransaction: Schema<SettlementTransaction> = settlementTransaction

const solanaTransaction = record({
  /** The fee payer's signature, which identifies the transaction on the chain. */
  signature: v.string(),
  /** `sent`, `landed` in a block that is not final, `final`, or `expired` if no block can contain it. */
  status: v.string(),
  /** When it was signed. */
  createTime: Timestamp,
})
/** The Solana transaction that the facilitator signed for a settlement. */
export interface SolanaTransaction extends v.InferOutput<typeof solanaTransaction> {}
export const SolanaTransaction: Schema<SolanaTransaction> = solanaTransaction

const observation = record({
  /** `settled`, `failed`, `open` while the chain has not decided, or `unreadable`. */
  outcome: v.string(),
  /** The transaction that paid, or that reverted; `''` without one. */
  transaction: v.string(),
  /** The number of its block; absent without one. */
  blockNumber: v.optional(v.string()),
  /** Whether a reorganization of the chain can no longer change the outcome. */
  isFinal: v.boolean(),
  /** Why the payment failed or the chain cannot be read; `''` otherwise. */
  reason: v.string(),
})
/** What the chain shows of a payment now. */
export interface ChainObservation extends v.InferOutput<typeof observation> {}
export const ChainObservation: Schema<ChainObservation> = observation

const settlementDetails = record({
  /** The settlement. */
  settlement: OperatorSettlement,
  /** What refunds gave back of the payment, or what a refund itself gives back, in base units of the asset. */
  refunded: Amount,
  /** What the chain shows of the payment now. */
  observation: ChainObservation,
  /** The block in which the payment was found; absent before. */
  block: v.optional(
    record({
      /** The block's number. */
      number: v.string(),
      /** The block's hash. */
      hash: v.string(),
      /** When the block was final; absent before. */
      finalTime: v.optional(Timestamp),
    }),
  ),
  /** The charge; absent if nothing is charged. */
  charge: v.optional(
    record({
      /** The amount, in wei of the native token. */
      amount: Amount,
      /**
       * What the charge is for: `upstream` (its response), `chain` (the payment) or `operator` (a decision).
       */
      cause: v.string(),
      /** When the charge was made. */
      createTime: Timestamp,
    }),
  ),
  /** The transfers of the ledger, oldest first. */
  transfers: v.array(LedgerTransfer),
  /** The events, oldest first. */
  events: v.array(
    record({
      /** The number of the event, from 1. */
      sequence: Integer,
      /** The event's type, such as `settlement.settled`. */
      type: v.string(),
      /** When the event happened. */
      createTime: Timestamp,
    }),
  ),
  /** The decisions of operators, oldest first. */
  resolutions: v.array(
    record({
      /** `settled` or `failed`. */
      outcome: v.string(),
      /** The transaction that paid; `''` for `failed`. */
      transaction: v.string(),
      /** Who decided. */
      actor: v.string(),
      /** Why. */
      reason: v.string(),
      /** When the decision was made. */
      createTime: Timestamp,
    }),
  ),
  /** The EVM transactions that the facilitator signed for the payment, oldest first. */
  transactions: v.array(SettlementTransaction),
  /** The payment's Solana transaction, signed by the facilitator; absent if there is none. */
  solanaTransaction: v.optional(SolanaTransaction),
})
/** The whole history of a settlement. */
export interface SettlementDetails extends v.InferOutput<typeof settlementDetails> {}
export const SettlementDetails: Schema<SettlementDetails> = settlementDetails

const params = {
  /** The settlement's id. */
  id: Id,
}

/**
 * Lists settlements of all accounts, newest first. One call reads a limited number of rows, so that a part
 * can have fewer than `size` settlements: continue with `before: next` until `next` is absent.
 *
 * @example
 * let before: number | undefined
 * do {
 *   const { settlements, next } = await operatorSettlements.list(operator, { status: 'stuck', before })
 *   for (const { id, openSeconds } of settlements) console.log(id, openSeconds)
 *   before = next
 * } while (before !== undefined)
 */
export const list = facilitatorOperation({
  id: 'operatorSettlements.list',
  method: 'GET',
  path: '/operator/v1/settlements',
  source: 'own',
  scope: 'operator:read',
  query: {
    /**
     * `sent`, `settled`, `failed`, `unknown`, `not_sent`, or `stuck`: `sent` or `unknown` for five minutes.
     */
    status: v.optional(v.picklist([...SETTLEMENT_STATUSES, 'stuck'])),
    /** The id of the account that pays for the settlements. */
    accountId: v.optional(Id),
    /** The wallet that paid: an EVM address in any case, or a Solana address. */
    payer: v.optional(PayerAddress),
    /** The order's number. */
    orderNo: v.optional(Text),
    /**
     * A transaction that the facilitator signed, or that the upstream returned: the hash of an EVM transaction,
     * or the signature of a Solana transaction.
     */
    transaction: v.optional(TransactionId),
    /** Only settlements that are older than the one with this id. */
    before: v.optional(Id),
    /** How many settlements to return, 1 to 100. Default: 20. */
    size: v.optional(Integer),
  },
  data: SettlementList,
})
export type ListOperatorSettlementsInput = InputOf<typeof list>

/**
 * Returns the whole history of a settlement, and what its chain shows now. NotFoundError if it does not
 * exist.
 *
 * @example
 * const { settlement, observation } = await operatorSettlements.get(operator, { id: 40 })
 * if (settlement.status === 'unknown') console.log(observation.outcome)
 */
export const get = facilitatorOperation({
  id: 'operatorSettlements.get',
  method: 'GET',
  path: '/operator/v1/settlements/{id}',
  source: 'own',
  scope: 'operator:read',
  params,
  data: SettlementDetails,
  errors: [NotFoundError],
})
export type GetOperatorSettlementInput = InputOf<typeof get>

const resolvedSettlement = record({
  /** The settlement after the decision. */
  settlement: OperatorSettlement,
  /** What the chain showed just before the decision. */
  observation: ChainObservation,
})
/** The result of a decision about a settlement. */
export interface ResolvedSettlement extends v.InferOutput<typeof resolvedSettlement> {}
export const ResolvedSettlement: Schema<ResolvedSettlement> = resolvedSettlement

/**
 * Ends an unknown settlement: `settled` charges its price, `failed` releases it. `CHAIN_DECIDES` if the chain
 * can be read and `force` is not set. `SETTLEMENT_NOT_UNKNOWN` if the settlement has an outcome, also by
 * another operator's decision. NotFoundError if it does not exist. Requires the header X-Mintmark-Actor.
 *
 * @example
 * const decision = { id: 40, outcome: 'failed', reason: 'The chain was abandoned' } as const
 * const { settlement } = await operatorSettlements.resolve(operator, decision)
 */
export const resolve = facilitatorOperation({
  id: 'operatorSettlements.resolve',
  method: 'POST',
  path: '/operator/v1/settlements/{id}/resolve',
  source: 'own',
  scope: 'operator:write',
  params,
  body: {
    /** `settled` or `failed`. */
    outcome: v.picklist(['settled', 'failed']),
    /**
     * The transaction that paid, by its hash or its Solana signature. Required for `settled`, refused for
     * `failed`.
     */
    transaction: v.optional(TransactionId),
    /** Why, for those who read the settlement. */
    reason: Text,
    /** Whether to decide although the chain can be read. Default: false. */
    force: v.optional(v.boolean()),
  },
  data: ResolvedSettlement,
  errors: [NotFoundError, ConflictError, SETTLEMENT_NOT_UNKNOWN, CHAIN_DECIDES],
})
export type ResolveSettlementInput = InputOf<typeof resolve>
