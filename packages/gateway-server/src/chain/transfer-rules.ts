import type { TracedCall } from '@mintmark/evm-reader'
import { maxUint256 } from 'viem'
import type { PaymentMismatch } from './payment-observation.ts'

/** The payment that an order expects. Addresses are in lower case. */
export interface ExpectedPayment {
  /** The chain's newest block when the order was made. */
  readonly afterBlock: number
  /** The buyer. */
  readonly from: string
  /** The seller. */
  readonly to: string
  readonly amount: bigint
  /** `''` for the chain's native token. */
  readonly token: string
}

/** A log as nodes give it. */
export interface TransferLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** A mined transaction, with addresses as nodes give them. */
export interface MinedTransaction {
  readonly from: string
  /** `null` for one that deploys a contract. */
  readonly to: string | null
  readonly logs: readonly TransferLog[]
}

/** What a mined transaction means for an order. */
export interface PaymentFacts {
  /**
   * What it moved from the buyer to the seller, in the order's token; `undefined` where the node cannot say.
   */
  readonly paid: bigint | undefined
  /** What it moved from other wallets to the seller, in the order's token, as far as it shows. */
  readonly paidByOthers: bigint
  /** Whether the buyer took part in it. */
  readonly buyerInvolved: boolean
}

/** keccak256("Transfer(address,address,uint256)"), ERC-20. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const topicOf = (address: string) => `0x${address.slice(2).padStart(64, '0')}`

/** An ERC-721's Transfer has a fourth topic and no data. */
const isTransfer = ({ topics, data }: TransferLog) =>
  topics.length === 3 && topics[0] === TRANSFER && data.length === 66

/** What a transaction's logs moved of the token from buyer to seller, whoever sent it. */
export function tokenPaid(logs: readonly TransferLog[], expected: ExpectedPayment): bigint {
  return sumTransfers(logs, expected, (payer) => payer === topicOf(expected.from))
}

/** What a transaction's logs moved of the token from wallets other than the buyer to the seller. */
export function tokenPaidByOthers(logs: readonly TransferLog[], expected: ExpectedPayment): bigint {
  return sumTransfers(logs, expected, (payer) => payer !== topicOf(expected.from))
}

function sumTransfers(
  logs: readonly TransferLog[],
  expected: ExpectedPayment,
  isPayer: (topic: string) => boolean,
): bigint {
  const seller = topicOf(expected.to)
  let sum = 0n
  for (const log of logs) {
    if (!isTransfer(log) || log.address.toLowerCase() !== expected.token) continue
    const [, payer = '', payee = ''] = log.topics
    if (payee.toLowerCase() === seller && isPayer(payer.toLowerCase())) sum += BigInt(log.data)
  }
  // The logs of a dishonest token may claim more than any amount.
  if (sum > maxUint256) return maxUint256
  return sum
}

/**
 * Whether the buyer took part in a transaction: sent it, was called by it, or is named by one of its logs.
 * Anybody can transfer nothing in the name of others, or send tokens to them, so transfers count only where
 * they take something from the buyer.
 */
export function involvesBuyer({ from, to, logs }: MinedTransaction, expected: ExpectedPayment): boolean {
  const buyer = topicOf(expected.from)
  if (from.toLowerCase() === expected.from || to?.toLowerCase() === expected.from) return true
  return logs.some((log) => {
    if (log.address.toLowerCase() === expected.from) return true
    const topics = log.topics.map((topic) => topic.toLowerCase())
    if (topics[0] !== TRANSFER) return topics.includes(buyer)
    return isTransfer(log) && topics[1] === buyer && BigInt(log.data) > 0n
  })
}

/**
 * What a transaction's calls moved of the native token from buyer to seller; calls that failed moved nothing.
 */
export function nativePaid(call: TracedCall, expected: ExpectedPayment): bigint {
  if (call.error !== undefined) return 0n
  const own =
    call.type === 'CALL' &&
    call.from?.toLowerCase() === expected.from &&
    call.to?.toLowerCase() === expected.to &&
    call.value !== undefined
      ? BigInt(call.value)
      : 0n
  return (call.calls ?? []).reduce((sum, inner) => sum + nativePaid(inner, expected), own)
}

/** Whether a transaction, mined in this block, is the order's payment, or what else it is to the order. */
export function outcomeOf(
  block: number,
  facts: PaymentFacts,
  expected: ExpectedPayment,
): 'paid' | PaymentMismatch {
  const { paid, paidByOthers, buyerInvolved } = facts
  if (block <= expected.afterBlock) {
    const moved = paid === undefined ? buyerInvolved : paid > 0n
    return moved ? 'mined_before_order' : 'unrelated'
  }
  if (paid === undefined) return buyerInvolved ? 'not_a_plain_transfer' : 'unrelated'
  // An order that costs nothing is paid by any positive amount: a transaction of strangers does not pay it.
  if (paid > 0n && paid >= expected.amount) return 'paid'
  if (paid > 0n || buyerInvolved) return 'not_enough'
  return paidByOthers > 0n && paidByOthers >= expected.amount ? 'other_payer' : 'unrelated'
}
