import type { Misfit } from './payment-verdict.ts'

/** What an order asks to be paid, addresses in lower case. */
export interface AskedPayment {
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

/** keccak256("Transfer(address,address,uint256)"), ERC-20. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const topicOf = (address: string) => `0x${address.slice(2).padStart(64, '0')}`

/** What a transaction's logs moved of the token from buyer to seller, whoever sent it. */
export function tokenPaid(logs: readonly TransferLog[], asked: AskedPayment): bigint {
  const [from, to] = [topicOf(asked.from), topicOf(asked.to)]
  let paid = 0n
  for (const { address, topics, data } of logs) {
    // An ERC-721's Transfer has a fourth topic and no data.
    if (address.toLowerCase() !== asked.token || topics.length !== 3 || topics[0] !== TRANSFER) continue
    if (topics[1]?.toLowerCase() === from && topics[2]?.toLowerCase() === to) paid += BigInt(data)
  }
  return paid
}

/** A call within a transaction, as `debug_traceTransaction` tells it with `callTracer`. */
export interface TracedCall {
  readonly type?: string
  readonly from?: string
  readonly to?: string
  readonly value?: string
  readonly error?: string
  readonly calls?: readonly TracedCall[]
}

/** What a transaction's calls moved of the native token from buyer to seller; calls that failed moved nothing. */
export function nativePaid(call: TracedCall, asked: AskedPayment): bigint {
  if (call.error !== undefined) return 0n
  const own =
    call.type === 'CALL' &&
    call.from?.toLowerCase() === asked.from &&
    call.to?.toLowerCase() === asked.to &&
    call.value !== undefined
      ? BigInt(call.value)
      : 0n
  return (call.calls ?? []).reduce((sum, inner) => sum + nativePaid(inner, asked), own)
}

/** Whether what a transaction paid in its block is the order's payment. */
export function outcomeOf(block: number, paid: bigint | undefined, asked: AskedPayment): 'paid' | Misfit {
  if (block <= asked.afterBlock) return 'mined_before_order'
  if (paid === undefined) return 'not_a_plain_transfer'
  // Of an order that costs nothing something moves all the same: a transaction of strangers is no payment of it.
  return paid > 0n && paid >= asked.amount ? 'paid' : 'not_enough'
}
