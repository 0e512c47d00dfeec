import {
  type Chain,
  callAtBlock,
  getRevertReason,
  type RpcError,
  readReceipt,
  readTrace,
} from '@mintmark/evm-reader'
import { type Hex, toFunctionSelector } from 'viem'
import { addressWord, numberWord } from '../../../../chains/evm/reads/abi-words.ts'
import type { Read } from '../../../../chains/evm/reads/batched-reads.ts'
import { readWord } from '../../../../chains/evm/reads/token-reads.ts'
import {
  addressTopic,
  asHex,
  isTransferOf,
  type Log,
  listLogsOf,
  transferTopic,
} from '../../../../chains/evm/reads/transfer.ts'
import type {
  LogEvidence,
  MethodReasons,
  PaymentNonce,
} from '../../../../chains/evm/reads/transfer-method.ts'
import type { SearchUse, UseRequest } from '../../../../chains/evm/reads/use-search.ts'
import type { Execution } from '../../../../chains/evm/transactions/execution.ts'
import type { Payment, PaymentOnChain, Permit2Terms } from '../../../../payment/payment.ts'
import { reasons } from '../../../../payment/reasons.ts'
import { type ClassifyCall, hasExecuted, hasTraced, inspectCalls } from '../payment-calls.ts'
import { sponsorApproval } from './approvals/sponsor-approval.ts'
import { decodeSettle, encodeSettle, permit2Address, settledTopics, spenders } from './permit2-contracts.ts'
import { computePermit2Digest } from './permit2-digest.ts'

const nonceBitmap = toFunctionSelector('nonceBitmap(address,uint256)').slice(2)

const permit2Reasons: MethodReasons = {
  signature: reasons.permit2Signature,
  nonceUsed: reasons.permit2NonceUsed,
  validAfter: reasons.permit2NotYetValid,
  validBefore: reasons.permit2DeadlineExpired,
  simulationFailed: reasons.permit2SimulationFailed,
}

/**
 * Transfers by Permit2, a contract that token owners approve once. x402's contract for the scheme is the
 * signed spender, and pays only the signed recipient. Permit2 has no event for the use of a nonce, so a
 * payment is found by the call that made it.
 */
export const permit2: Execution = {
  name: 'permit2',
  hasDelivery: true,
  getOnlySender: ({ permit2: terms }) => terms?.facilitator,
  prepare: sponsorApproval,
  reasons: permit2Reasons,
  computeDigest: (payment) => computePermit2Digest(payment, termsOf(payment)),
  toKeySignature,
  encodeTransfer: (payment, signature, signedByKey) =>
    encodeSettle(payment, termsOf(payment), asHex(toContractSignature(signature, signedByKey))),
  nonceRead,
  isUsed(payment, result) {
    const word = readWord(result)
    return word === undefined ? undefined : hasBit(word, payment)
  },
  evaluateLogs: (logs, payment, isOwn) => evaluateTransfers(logs, payment, isOwn),
  hasMadePayment: async (chain, payment, hash) =>
    (await hasExecuted(chain, hash, classifyFor(payment))) ?? false,
  searchUse,
  toRefusalReason,
}

/** @throws Error if Permit2 does not execute the payment. */
export function termsOf({ permit2: terms }: Payment): Permit2Terms {
  if (terms === undefined) throw new Error('The payment has no terms of Permit2')
  return terms
}

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const HALF_ORDER = CURVE_ORDER / 2n

/**
 * Permit2 also accepts a signature of 64 bytes (EIP-2098), and the counterpart of a signature with the higher
 * s.
 */
function toKeySignature(signature: string): string {
  if (signature.length === 130) {
    const s = BigInt(`0x${signature.slice(66)}`)
    return formatSignature(signature, s & (2n ** 255n - 1n), s >> 255n)
  }
  if (signature.length !== 132) return signature
  const s = BigInt(`0x${signature.slice(66, 130)}`)
  const parity = BigInt(`0x${signature.slice(130)}`) - 27n
  const isCounterpart = s > HALF_ORDER && s < CURVE_ORDER && (parity === 0n || parity === 1n)
  return isCounterpart ? formatSignature(signature, CURVE_ORDER - s, 1n - parity) : signature
}

const formatSignature = (signature: string, s: bigint, parity: bigint): string =>
  `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${parity === 0n ? '1b' : '1c'}`

/** Writes a signature in the form that Permit2 accepts. */
export const toContractSignature = (signature: string, signedByKey: boolean): string =>
  signedByKey ? withUsualParity(toKeySignature(signature)) : signature

/** Some wallets end a signature with 0 or 1, which Permit2 does not accept. */
function withUsualParity(signature: string): string {
  const last = Number.parseInt(signature.slice(130), 16)
  return last < 27 ? signature.slice(0, 130) + (last + 27).toString(16) : signature
}

/** A nonce is a bit: its last byte is the place in a word, the others are the number of the word. */
function nonceRead({ payer, nonce }: PaymentNonce): Read {
  return {
    target: permit2Address,
    data: `${nonceBitmap}${addressWord(payer)}${numberWord(BigInt(nonce) >> 8n)}`,
  }
}

const hasBit = (word: bigint, { nonce }: PaymentNonce): boolean =>
  ((word >> (BigInt(nonce) & 0xffn)) & 1n) === 1n

/**
 * Evaluates the logs of a transaction. They do not name the nonce, so that they are proof only in a transaction
 * of ours, which executes nothing else.
 */
export function evaluateTransfers(
  logs: readonly Log[],
  terms: Pick<PaymentOnChain, 'asset' | 'payer' | 'payTo' | 'amount'>,
  isOwn: boolean,
): LogEvidence {
  if (!listLogsOf(logs, terms.asset).some((log) => isTransferOf(log, terms))) return 'absent'
  return isOwn ? 'paid' : 'ambiguous'
}

/** Classifies the calls of the proxies. Each pays with the nonce that it has. */
const classifyFor =
  (payment: PaymentOnChain): ClassifyCall =>
  ({ recipient, data }) => {
    const called = decodeSettle(recipient, data)
    if (called === undefined) return undefined
    const fields = ['scheme', 'asset', 'payer', 'payTo', 'amount', 'nonce'] as const
    return fields.every((field) => called[field] === payment[field]) ? 'payment' : 'other'
  }

/**
 * Searches the payer's transfers to the recipient for one that a call of the proxy made for this nonce. Anyone
 * may call the proxy of the scheme `exact`. If there is no such transfer up to the final block, in whose state
 * the nonce is used, the nonce was used for something else.
 *
 * A transfer by the proxy inside another contract's call cannot be assigned to a nonce without a trace. If
 * the node has none, the use is unproven: another payment of the same amount may have made the transfer.
 */
async function searchUse(request: UseRequest): ReturnType<SearchUse> {
  const { payment, final, progress } = request
  const to = Number(final.number)
  const filter = {
    addresses: [payment.asset],
    topics: [transferTopic, addressTopic(payment.payer), addressTopic(payment.payTo)],
  }
  const newest = { number: to, time: Number(final.timestamp), hash: final.hash }
  while (progress.next <= to) {
    const range = await request.completeLogs.read({ filter, from: progress.next, to, newest })
    for (const log of range.logs) {
      if (!isTransferOf(log, payment)) continue
      const { transactionHash: hash } = log
      const found = await inspectTransfer(request, hash)
      if (found === 'payment') return { kind: 'transaction', hash }
      if (found === 'unknown') return undefined
      if (found === 'unproven') progress.unproven ??= hash
    }
    progress.next = range.to + 1
  }
  if (!(await isUseOver(request))) return undefined
  return progress.unproven === undefined ? { kind: 'unpaid' } : { kind: 'unproven', hash: progress.unproven }
}

/**
 * Finds out what a transaction with a transfer of this amount was. `unknown`: the nodes contradict each
 * other.
 */
async function inspectTransfer(
  { chain, payment, final }: UseRequest,
  hash: string,
): Promise<'payment' | 'other' | 'unproven' | 'unknown'> {
  const classify = classifyFor(payment)
  const outcome = await inspectCalls(chain, hash, classify)
  if (outcome !== 'hidden') return outcome
  const fact = await readReceipt(chain, hash, final)
  if (fact.kind !== 'mined') return 'unknown'
  const isSettled = fact.receipt.logs.some((log) => isSettledBy(log, spenders[payment.scheme]))
  if (!isSettled || !(await mayBeUsedIn(chain, payment, fact.receipt.blockHash))) return 'other'
  const trace = await readTrace(chain, asHex(hash))
  if (trace === undefined) return 'unproven'
  return hasTraced(trace, classify) ? 'payment' : 'other'
}

const isSettledBy = ({ address, topics: [event] }: Log, proxy: string): boolean =>
  address.toLowerCase() === proxy && settledTopics.some((topic) => topic === event)

/** Whether a block may have used the nonce, as far as the node still has the states before and after it. */
async function mayBeUsedIn(chain: Chain, payment: PaymentOnChain, blockHash: Hex): Promise<boolean> {
  if ((await readIsUsed(chain, payment, blockHash)) === false) return false
  const { parentHash } = await chain.client.getBlock({ blockHash })
  return (await readIsUsed(chain, payment, parentHash)) !== true
}

/** Reads whether the nonce is used in a block. Undefined if the node lacks its state. */
async function readIsUsed(
  chain: Chain,
  payment: PaymentOnChain,
  blockHash: string,
): Promise<boolean | undefined> {
  const { target, data } = nonceRead(payment)
  const read = await callAtBlock(chain, { to: asHex(target), data: `0x${data}` }, blockHash)
  return read.kind === 'returned' ? hasBit(BigInt(read.data), payment) : undefined
}

/**
 * Whether no block after the final one can use the nonce: it is used there, or the signature has expired.
 * Nodes that keep few states cannot show the former.
 */
export async function isUseOver({ chain, payment, final }: UseRequest): Promise<boolean> {
  return final.timestamp >= payment.validBefore || (await readIsUsed(chain, payment, final.hash)) === true
}

/** The proxies and Permit2 revert with custom errors, whose selectors decide. */
const refusalReasons: ReadonlyMap<string, string> = new Map(
  [
    ['InvalidNonce()', permit2Reasons.nonceUsed],
    ['SignatureExpired(uint256)', permit2Reasons.validBefore],
    ['PaymentTooEarly()', permit2Reasons.validAfter],
    ['InvalidSigner()', permit2Reasons.signature],
    ['InvalidSignature()', permit2Reasons.signature],
    ['InvalidSignatureLength()', permit2Reasons.signature],
    ['InvalidContractSignature()', permit2Reasons.signature],
  ].map(([error = '', reason = '']) => [toFunctionSelector(error), reason]),
)

function toRefusalReason(error: RpcError): string {
  const bySelector = refusalReasons.get(error.data?.slice(0, 10) ?? '')
  if (bySelector !== undefined) return bySelector
  // Some nodes return the name of the error only.
  const message = getRevertReason(error)
  if (/InvalidNonce/.test(message)) return permit2Reasons.nonceUsed
  if (/SignatureExpired/.test(message)) return permit2Reasons.validBefore
  if (/PaymentTooEarly/.test(message)) return permit2Reasons.validAfter
  if (/InvalidSign|InvalidContractSignature/.test(message)) return permit2Reasons.signature
  return permit2Reasons.simulationFailed
}
