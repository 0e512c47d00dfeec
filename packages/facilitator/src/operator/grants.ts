import { Address, Amount, Id, Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import { facilitatorOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'

const grant = record({
  /** The grant's id. */
  id: Integer,
  /** The id of the account whose payer received the gas. */
  accountId: Integer,
  /** The id of the settlement for which the gas was given. */
  settlementId: Integer,
  /** The chain's id. */
  chainId: Integer,
  /** The wallet that received the gas, in lower case. */
  payer: v.string(),
  /** The address of the token that the wallet approves. */
  asset: v.string(),
  /** What the wallet received, in wei. */
  amount: Amount,
  /** The amount and the most for the gas of its transfer, in wei. It counts against the limit of the day. */
  cost: Amount,
  /** `sent`, `mined`, `final`, or `superseded` if another transaction has used the nonce. */
  status: v.string(),
  /** Whether the mined transfer succeeded; absent before it is mined. */
  succeeded: v.optional(v.boolean()),
  /** The hash of the transfer: of the one that was mined, otherwise of the newest one that was signed. */
  transaction: v.string(),
  /** The hash of the approval that the gas is for. */
  approval: v.string(),
  /** When the gas was given. */
  createTime: Timestamp,
})
/** Gas that a wallet received for the approval of a token. */
export interface ApprovalGrant extends v.InferOutput<typeof grant> {}
export const ApprovalGrant: Schema<ApprovalGrant> = grant

const grantList = record({
  /** The grants, newest first. */
  grants: v.array(ApprovalGrant),
  /** The `before` of the next part of the list; absent at the end. */
  next: v.optional(Integer),
})
/** A part of the list of grants. */
export interface GrantList extends v.InferOutput<typeof grantList> {}
export const GrantList: Schema<GrantList> = grantList

const grantTotal = record({
  /** The account's id. */
  accountId: Integer,
  /** The chain's id. */
  chainId: Integer,
  /** What counts against the limit, in wei. */
  cost: Amount,
  /**
   * The most for the payers of one account in a day, in wei; absent if no approvals are sponsored on the
   * chain now.
   */
  limit: v.optional(Amount),
})
/** What the payers of an account received on a chain in a day. */
export interface GrantTotal extends v.InferOutput<typeof grantTotal> {}
export const GrantTotal: Schema<GrantTotal> = grantTotal

const grantTotals = record({
  /** The day (UTC), such as `2026-01-31`. */
  day: v.string(),
  /** The largest 100 totals, largest first. */
  totals: v.array(GrantTotal),
})
/** The totals of the present day. */
export interface GrantTotals extends v.InferOutput<typeof grantTotals> {}
export const GrantTotals: Schema<GrantTotals> = grantTotals

/**
 * Lists the gas that wallets received for approvals of Permit2, newest first.
 *
 * @example
 * const { grants } = await operatorGrants.list(operator, { accountId: 12 })
 */
export const list = facilitatorOperation({
  id: 'operatorGrants.list',
  method: 'GET',
  path: '/operator/v1/grants',
  source: 'own',
  scope: 'operator:read',
  query: {
    /** The id of the account. */
    accountId: v.optional(Id),
    /** The wallet that received the gas. */
    payer: v.optional(Address),
    /** Only grants that are older than the one with this id. */
    before: v.optional(Id),
    /** How many grants to return, 1 to 100. Default: 20. */
    size: v.optional(Integer),
  },
  data: GrantList,
})
export type ListOperatorGrantsInput = InputOf<typeof list>

/**
 * Returns what the payers of accounts received today (UTC), with the limit.
 *
 * @example
 * const { totals } = await operatorGrants.today(operator)
 * for (const { accountId, cost, limit } of totals) console.log(accountId, cost, limit)
 */
export const today = facilitatorOperation({
  id: 'operatorGrants.today',
  method: 'GET',
  path: '/operator/v1/grants/today',
  source: 'own',
  scope: 'operator:read',
  data: GrantTotals,
})
