import { getRevertReason, type RpcCall, type RpcError, type RpcOutcome } from '@mintmark/evm-reader'
import { numberToHex } from 'viem'
import { isDelivered, SHORT_DELIVERY } from '../../../../../chains/evm/reads/delivery.ts'
import { balanceOf, readWord } from '../../../../../chains/evm/reads/token-reads.ts'
import { asHex } from '../../../../../chains/evm/reads/transfer.ts'
import { unwrapSignature } from '../../../../../chains/evm/signatures/wrapped-signature.ts'
import type { Payment } from '../../../../../payment/payment.ts'
import type { Problem } from '../../../../../payment/problem.ts'
import type { SponsoredPayment } from './sponsoring.ts'

/** Who would send a transfer, and its gas limit. */
export interface TransferSender {
  readonly address: string
  readonly gas: bigint
}

/**
 * Writes the call that executes an approval and then the transfer on a block, without sending them
 * (`eth_simulateV1`), and reads the recipient's balance before and after the transfer.
 */
export function toApprovedTransferCall(
  { payment, approval }: SponsoredPayment,
  sender: TransferSender,
  block: object,
): RpcCall {
  const signature = unwrapSignature(payment.signature)?.signature ?? payment.signature
  const { recipient, data } = payment.scheme.encodeTransfer(payment, signature, true)
  const { target, data: read } = balanceOf(payment.asset, payment.payTo)
  const balance = { to: target, input: `0x${read}` }
  const calls = [
    { from: payment.payer, to: payment.asset, input: approval.data, gas: numberToHex(approval.gas) },
    balance,
    { from: sender.address, to: recipient, input: data, gas: numberToHex(sender.gas) },
    balance,
  ]
  return { method: 'eth_simulateV1', params: [{ blockStateCalls: [{ calls }] }, block] }
}

/**
 * Finds out why the transfer would fail, or deliver too little, when Permit2 is approved. Undefined if it
 * would not, or if the node
 * does not execute such calls: the transfer is simulated by itself before it is signed.
 */
export function findApprovedTransferProblem(
  { payment }: SponsoredPayment,
  outcome: RpcOutcome | undefined,
): Problem | undefined {
  if (outcome === undefined || 'error' in outcome) return undefined
  const [, before, transfer, after] = readCalls(outcome.result)
  if (transfer?.status === '0x1') return findShortDelivery(payment, before, after)
  if (transfer?.status !== '0x0') return undefined
  const { message = 'execution reverted' } = transfer.error ?? {}
  const data = transfer.error?.data ?? transfer.returnData
  const error: RpcError = { code: 3, message, ...(data !== undefined && { data: asHex(data) }) }
  const reason = payment.scheme.toRefusalReason(error)
  return { reason, message: `The transfer would fail: ${getRevertReason(error)}` }
}

function findShortDelivery(
  payment: Payment,
  before: SimulatedCall | undefined,
  after: SimulatedCall | undefined,
): Problem | undefined {
  const [first, last] = [readBalance(before), readBalance(after)]
  if (first === undefined || last === undefined) return undefined
  return isDelivered(payment, first, last) ? undefined : SHORT_DELIVERY
}

const readBalance = ({ status, returnData = '0x' }: SimulatedCall = {}): bigint | undefined =>
  readWord({ success: status === '0x1', data: returnData.slice(2) })

/** One call of the result. */
interface SimulatedCall {
  readonly status?: string
  readonly returnData?: string
  readonly error?: { readonly message?: string; readonly data?: string }
}

/** Reads the calls of the only block of a result. */
function readCalls(result: unknown): readonly SimulatedCall[] {
  const [block] = Array.isArray(result) ? (result as readonly ({ calls?: unknown } | null)[]) : []
  return Array.isArray(block?.calls) ? (block.calls as readonly SimulatedCall[]) : []
}
