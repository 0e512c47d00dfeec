import type { RpcCall, RpcOutcome } from '@mintmark/evm-reader'
import { numberToHex } from 'viem'
import type { Payment } from '../../../payment/payment.ts'
import type { Problem } from '../../../payment/problem.ts'
import { reasons } from '../../../payment/reasons.ts'
import { decodeResults, encodeReads, multicallAddress, type ReadResult } from './multicall-reads.ts'
import { balanceOf, readWord } from './token-reads.ts'
import type { ContractCall } from './transfer.ts'

/** A transfer whose delivery is measured. */
export interface Delivery {
  readonly payment: Payment
  /** The call that executes the payment. */
  readonly transfer: ContractCall
  /** The only address that can send it. Undefined: any can. */
  readonly onlySender: string | undefined
}

/**
 * What the recipient would receive. `short`: less than the amount. `failed`: this simulation of the transfer
 * reverts. `unknown`: it cannot be measured there.
 */
export type DeliveryOutcome = 'complete' | 'short' | 'failed' | 'unknown'

/** What the two balances and Multicall3 cost besides the transfer. */
export const DELIVERY_GAS = 300_000n

/**
 * Writes one call that reads the recipient's balance before and after each transfer, which no event shows:
 * tokens can take a fee, or change balances otherwise, at any time. Multicall3 sends the transfers. Where only
 * one address may send one, its account is given the code of Multicall3 for the call. Without fees, so that the sender's balance does not matter.
 *
 * The call measures the token and nothing else: a payer's contract can behave differently in it, so that the
 * transfer is simulated exactly as well.
 *
 * @param gas The most gas. Default: the node's.
 */
export function toDeliveryCall(deliveries: readonly Delivery[], gas?: bigint): RpcCall {
  const steps = deliveries.flatMap(({ payment, transfer: { recipient, data } }) => {
    const balance = balanceOf(payment.asset, payment.payTo)
    return [balance, { target: recipient, data: data.slice(2) }, balance]
  })
  const sender = deliveries.find(isBoundToSender)?.onlySender
  const call = {
    to: sender ?? multicallAddress,
    data: encodeReads(steps),
    ...(gas !== undefined && { gas: numberToHex(gas) }),
  }
  const overrides = sender === undefined ? [] : [{ [sender]: { code: MULTICALL_PROXY } }]
  return { method: 'eth_call', params: [call, 'latest', ...overrides] }
}

/** Executes the code of Multicall3 in the account's own name (EIP-1167). */
const MULTICALL_PROXY = `0x363d3d373d3d3d363d73${multicallAddress.slice(2).toLowerCase()}5af43d82803e903d91602b57fd5bf3`

const isBoundToSender = ({ onlySender }: Delivery): boolean => onlySender !== undefined

/**
 * Reads what each recipient would receive, in order. Nothing is known on a chain without Multicall3, or for a
 * transfer with an only sender from a node that cannot replace the code of an account, and refuses the call or ignores it.
 *
 * @throws Error if the node did not execute the call.
 */
export function readDeliveries(
  deliveries: readonly Delivery[],
  outcome: RpcOutcome | undefined,
): DeliveryOutcome[] {
  const isReplaced = deliveries.some(isBoundToSender)
  const returned = outcome !== undefined && 'result' in outcome ? String(outcome.result) : undefined
  if (returned === '0x' || (isReplaced && returned === undefined)) return deliveries.map(() => 'unknown')
  if (returned === undefined) throw new Error('The node did not simulate the delivery of a transfer')
  const results = decodeResults(returned, deliveries.length * 3)
  return deliveries.map(({ payment }, index) => evaluateDelivery(payment, results.slice(index * 3)))
}

function evaluateDelivery(
  payment: Payment,
  [before, transferred, after]: readonly ReadResult[],
): DeliveryOutcome {
  if (!transferred?.success) return 'failed'
  const [first, last] = [before && readWord(before), after && readWord(after)]
  if (first === undefined || last === undefined) return 'failed'
  return isDelivered(payment, first, last) ? 'complete' : 'short'
}

/** Whether the recipient received the amount. More does no harm. A payer who pays itself keeps what it has. */
export const isDelivered = (
  { payer, payTo, amount }: Pick<Payment, 'payer' | 'payTo' | 'amount'>,
  before: bigint,
  after: bigint,
): boolean => after >= before + (payer === payTo ? 0n : amount)

export const SHORT_DELIVERY: Problem = {
  reason: reasons.deliveredAmountMismatch,
  message:
    'The recipient would receive less than the amount, because the token takes a fee or changes balances',
}
