import {
  Address,
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
import { facilitatorOperation, type InputOf, pagedFacilitatorOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { PayerQuota } from '../payer-quotas.ts'
import { PAYER_HAS_ACCOUNT } from '../rules.ts'
import { OperatorKey } from './keys.ts'
import { LedgerTransfer } from './ledger-transfer.ts'
import { BALANCE_TOO_LARGE } from './rules.ts'

const account = record({
  /** The account's id. */
  id: Integer,
  /** The account's wallet, in lower case. Its deposits credit the account. */
  payer: v.string(),
  /** The account's name; `''` if not set. */
  name: v.string(),
  /** What the account can spend, in wei. */
  balance: Amount,
  /** What is reserved for settlements without an outcome, in wei. It is no part of the balance. */
  reserved: Amount,
  /** What the account owes, in wei: spent deposits that a reorganization of the chain removed. */
  owed: Amount,
  /** Why the account cannot pay; absent if it is not frozen. */
  frozenReason: v.optional(v.string()),
  /**
   * For how many milliseconds a settle of the account may wait for others, to share a transaction. 0: never.
   */
  batchDelayMs: Integer,
  /** When the account was created. */
  createTime: Timestamp,
})
/** An account, as operators see it. */
export interface OperatorAccount extends v.InferOutput<typeof account> {}
export const OperatorAccount: Schema<OperatorAccount> = account

const deposit = record({
  /** The deposit's id. */
  id: Integer,
  /** The chain's id. */
  chainId: Integer,
  /** The hash of the transaction. */
  transaction: v.string(),
  /** The amount, in wei. */
  amount: Amount,
  /** The number of the block. */
  blockNumber: v.string(),
  /** When the deposit was credited. */
  createTime: Timestamp,
  /** When the deposit was reversed, because the chain no longer has it; absent if it has. */
  reverseTime: v.optional(Timestamp),
})
/** A deposit of an account. */
export interface AccountDeposit extends v.InferOutput<typeof deposit> {}
export const AccountDeposit: Schema<AccountDeposit> = deposit

const accountDetails = record({
  /** The account. */
  account: OperatorAccount,
  /** The newest 100 keys, without their tokens. */
  keys: v.array(OperatorKey),
  /** The newest 20 quotas. */
  quotas: v.array(PayerQuota),
  /** The newest 50 deposits. */
  deposits: v.array(AccountDeposit),
  /**
   * The newest 50 transfers of the ledger: of the newest 50 settlements, and those that belong to no
   * settlement.
   */
  transfers: v.array(LedgerTransfer),
})
/** An account with what belongs to it. */
export interface AccountDetails extends v.InferOutput<typeof accountDetails> {}
export const AccountDetails: Schema<AccountDetails> = accountDetails

const params = {
  /** The account's id. */
  id: Id,
}

/**
 * Lists the accounts, newest first.
 *
 * @example
 * for await (const { id, payer, balance } of operatorAccounts.list.items(operator, { search: 'coffee' })) console.log(id, payer, balance)
 */
export const list = pagedFacilitatorOperation({
  id: 'operatorAccounts.list',
  method: 'GET',
  path: '/operator/v1/accounts',
  source: 'own',
  scope: 'operator:read',
  query: {
    /** A part of the name or of the wallet, or the id. Case is ignored. */
    search: v.optional(v.string()),
    /** Whether to list only the frozen accounts, or only the others. Default: both. */
    frozen: v.optional(v.boolean()),
  },
  orders: ['id'],
  item: OperatorAccount,
})
export type ListOperatorAccountsInput = InputOf<typeof list>

/**
 * Returns an account with its keys, quotas, deposits and the newest transfers of the ledger. NotFoundError if
 * it does not exist.
 *
 * @example
 * const { account, keys } = await operatorAccounts.get(operator, { id: 12 })
 */
export const get = facilitatorOperation({
  id: 'operatorAccounts.get',
  method: 'GET',
  path: '/operator/v1/accounts/{id}',
  source: 'own',
  scope: 'operator:read',
  params,
  data: AccountDetails,
  errors: [NotFoundError],
})
export type GetOperatorAccountInput = InputOf<typeof get>

/**
 * Creates an account for a wallet, and credits it with what the wallet deposited before. `PAYER_HAS_ACCOUNT`
 * if the wallet has an account. Requires the header X-Mintmark-Actor.
 *
 * @example
 * const { id } = await operatorAccounts.create(operator, { payer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', name: 'Corner Coffee' })
 */
export const create = facilitatorOperation({
  id: 'operatorAccounts.create',
  method: 'POST',
  path: '/operator/v1/accounts',
  source: 'own',
  scope: 'operator:write',
  body: {
    /** The account's wallet. */
    payer: Address,
    /** The account's name. */
    name: v.optional(v.string()),
    /** Why, for those who read the decisions. */
    reason: v.optional(Text),
  },
  data: OperatorAccount,
  errors: [PAYER_HAS_ACCOUNT, ConflictError],
})
export type CreateOperatorAccountInput = InputOf<typeof create>

/**
 * Credits an account without a deposit. Send an Idempotency-Key, so that a repeated call credits nothing:
 * with the same key and the same input, the account is returned as it is. ConflictError if the key was sent
 * with another input. NotFoundError if the account does not exist. `BALANCE_TOO_LARGE` if the amount cannot
 * be added. Requires the header X-Mintmark-Actor.
 *
 * @example
 * const credit = { id: 12, amount: '500000000000000000', reason: 'Refund of invoice 7' }
 * const { balance } = await operatorAccounts.credit(operator, credit, { idempotencyKey: 'invoice-7' })
 */
export const credit = facilitatorOperation({
  id: 'operatorAccounts.credit',
  method: 'POST',
  path: '/operator/v1/accounts/{id}/credit',
  source: 'own',
  scope: 'operator:write',
  params,
  body: {
    /** The amount in wei, above 0. */
    amount: Amount,
    /** Why, for those who read the ledger. */
    reason: Text,
  },
  data: OperatorAccount,
  errors: [NotFoundError, ConflictError, BALANCE_TOO_LARGE],
})
export type CreditAccountInput = InputOf<typeof credit>

/**
 * Freezes an account, so that it cannot pay. What is reserved is still charged. NotFoundError if the account
 * does not exist. Requires the header X-Mintmark-Actor.
 *
 * @example
 * const { frozenReason } = await operatorAccounts.freeze(operator, { id: 12, reason: 'The key was published' })
 */
export const freeze = facilitatorOperation({
  id: 'operatorAccounts.freeze',
  method: 'POST',
  path: '/operator/v1/accounts/{id}/freeze',
  source: 'own',
  scope: 'operator:write',
  idempotent: true,
  params,
  body: {
    /** Why, for those who read the account. */
    reason: Text,
  },
  data: OperatorAccount,
  errors: [NotFoundError, ConflictError],
})
export type FreezeAccountInput = InputOf<typeof freeze>

/**
 * Ends the freeze of an account, also one that a reversed deposit caused. NotFoundError if the account does
 * not exist. Requires the header X-Mintmark-Actor.
 *
 * @example
 * await operatorAccounts.unfreeze(operator, { id: 12, reason: 'The key was rotated' })
 */
export const unfreeze = facilitatorOperation({
  id: 'operatorAccounts.unfreeze',
  method: 'POST',
  path: '/operator/v1/accounts/{id}/unfreeze',
  source: 'own',
  scope: 'operator:write',
  idempotent: true,
  params,
  body: {
    /** Why, for those who read the decisions. */
    reason: Text,
  },
  data: OperatorAccount,
  errors: [NotFoundError, ConflictError],
})
export type UnfreezeAccountInput = InputOf<typeof unfreeze>

/**
 * Sets for how many milliseconds settles of an account may wait for others, to share a transaction, which
 * costs less gas. Servers use it within a second. NotFoundError if the account does not exist. Requires the
 * header X-Mintmark-Actor.
 *
 * @example
 * const delay = { id: 12, batchDelayMs: 20, reason: 'The shop accepts some delay' }
 * const { batchDelayMs } = await operatorAccounts.setBatchDelay(operator, delay)
 */
export const setBatchDelay = facilitatorOperation({
  id: 'operatorAccounts.setBatchDelay',
  method: 'POST',
  path: '/operator/v1/accounts/{id}/batch-delay',
  source: 'own',
  scope: 'operator:write',
  idempotent: true,
  params,
  body: {
    /** The delay in milliseconds, 0 to 5000. 0: settles never wait. */
    batchDelayMs: Integer,
    /** Why, for those who read the decisions. */
    reason: Text,
  },
  data: OperatorAccount,
  errors: [NotFoundError, ConflictError],
})
export type SetBatchDelayInput = InputOf<typeof setBatchDelay>
