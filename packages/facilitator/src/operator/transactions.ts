import { Amount, Integer, record, type Schema } from '@mintmark/envelope'
import { facilitatorOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'

const stuckTransaction = record({
  /** The chain's id. */
  chainId: Integer,
  /** The signer's address, in lower case. */
  signer: v.string(),
  /** The signer's nonce. */
  nonce: Integer,
  /** The settlement that the transaction pays; absent for one that fills a gap of nonces. */
  settlementId: v.optional(Integer),
  /** The hashes of the attempts, oldest first. */
  hashes: v.array(v.string()),
  /** What the newest attempt offers for a unit of gas at most, in wei. */
  maxFeePerGas: Amount,
  /** Seconds since the transaction was signed. */
  ageSeconds: Integer,
  /** Whether a transaction with a lower nonce of the signer must be mined first. */
  isBehindAnother: v.boolean(),
  /** What an operator can do, in words. */
  action: v.string(),
})
/** A transaction that is not mined. */
export interface StuckTransaction extends v.InferOutput<typeof stuckTransaction> {}
export const StuckTransaction: Schema<StuckTransaction> = stuckTransaction

/**
 * Lists the transactions that are not mined, oldest first, at most 1,000.
 *
 * @example
 * for (const { signer, nonce, action } of await operatorTransactions.listStuck(operator)) console.log(signer, nonce, action)
 */
export const listStuck = facilitatorOperation({
  id: 'operatorTransactions.listStuck',
  method: 'GET',
  path: '/operator/v1/transactions/stuck',
  source: 'own',
  scope: 'operator:read',
  query: {
    /** Only transactions that were signed at least this long ago, in minutes. Default: 5. */
    minutes: v.optional(Integer),
  },
  data: v.array(StuckTransaction),
})
export type ListStuckTransactionsInput = InputOf<typeof listStuck>
