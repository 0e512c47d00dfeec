import {
  type Chain,
  callAtBlock,
  getRevertReason,
  type RpcError,
  readReceipt,
  readTrace,
} from '@mintmark/evm-reader'
import { type Hex, toFunctionSelector } from 'viem'
import {
  addressTopic,
  asHex,
  type ContractCall,
  isTransferOf,
  type Log,
  listCalls,
  listLogsOf,
  transferTopic,
} from '../../../../chains/evm/reads/transfer.ts'
import type {
  LogEvidence,
  MethodReasons,
  PaymentNonce,
} from '../../../../chains/evm/reads/transfer-method.ts'
import type { SearchUse, UseRequest } from '../../../../chains/evm/reads/use-search.ts'
import type { Payment, PaymentOnChain } from '../../../../payment/payment.ts'
import { reasons } from '../../../../payment/reasons.ts'
import type { EvmScheme, TransactionCall, TransferScheme } from '../../evm-scheme.ts'
import { type ClassifyCall, hasExecuted, hasTraced, inspectCalls } from '../payment-calls.ts'
import { withUsualParity } from '../signature-parity.ts'
import { sponsorApproval } from './approvals/sponsor-approval.ts'
import { createPermit2Checks, hasBit, isNonceUsed, nonceRead } from './permit2-checks.ts'
import { type CalledPayment, permit2Address, settledTopics } from './permit2-contracts.ts'
import { createPermit2Digest, type SignedSpender } from './permit2-digest.ts'
import type { Permit2Terms } from './permit2-terms.ts'

const permit2Reasons: MethodReasons = {
  signature: reasons.permit2Signature,
  nonceUsed: reasons.permit2NonceUsed,
  validAfter: reasons.permit2NotYetValid,
  validBefore: reasons.permit2DeadlineExpired,
  simulationFailed: reasons.permit2SimulationFailed,
}

/** Creates what the payments of a scheme by Permit2 have in common, whatever executes them. */
export function createPermit2<Details extends Permit2Terms>(
  signed: SignedSpender<Details>,
  allowanceReason: string = reasons.allowanceRequired,
): Omit<EvmScheme<Details>, 'name' | 'hasDelivery' | 'encodeTransfer' | 'hasMadePayment' | 'searchUse'> {
  const checks = createPermit2Checks(signed.spender, allowanceReason)
  return {
    namespace: 'eip155',
    domain: permit2Address,
    method: 'permit2',
    // The payer's approval of Permit2 is no term: it can be sent by anybody before.
    listTerms: ({ maximum }) => [maximum.toString()],
    allowanceProblem: {
      reason: allowanceReason,
      message:
        'Payments in flight take what Permit2 may transfer. Approve Permit2 for more, or retry when they have settled',
    },
    openChecks: () => checks,
    prepare: sponsorApproval,
    reasons: permit2Reasons,
    computeDigest: createPermit2Digest(signed),
    toKeySignature,
    nonceRead,
    isUsed: isNonceUsed,
    evaluateLogs: evaluateTransfers,
    toRefusalReason,
  }
}

/** The calls of x402's contract of a scheme, which pays the signed recipient. */
export interface Permit2Calls<Details> extends SignedSpender<Details> {
  /** Encodes the call that executes a payment. */
  encode(payment: Payment<Details>, signature: string): ContractCall
  /** Reads the payment of a call. @throws Error if the data is not that of a call which makes one. */
  decode(data: string): CalledPayment
}

/**
 * Creates the transfers of a scheme by Permit2, a contract that token owners approve once. x402's contract for the
 * scheme is the signed spender, and pays only the signed recipient. Permit2 has no event for the use of a nonce, so
 * a payment is found by the call that made it.
 */
export function createPermit2Transfer<Details extends Permit2Terms>(
  calls: Permit2Calls<Details>,
): Omit<TransferScheme<Details>, 'name' | 'readAuthorization'> {
  return {
    ...createPermit2(calls),
    hasDelivery: true,
    // As in the reference, the content of the payload decides.
    accepts: (payload) =>
      Object.hasOwn(payload, 'permit2Authorization') && !Object.hasOwn(payload, 'authorization'),
    encodeTransfer: (payment, signature, signedByKey) =>
      calls.encode(payment, toContractSignature(signature, signedByKey)),
    hasMadePayment: async (chain, payment, hash) =>
      (await hasExecuted(chain, hash, classifyFor(calls, payment))) ?? false,
    searchUse: (request) => searchUse(calls, request),
    traces: {
      topics: settledTopics,
      contracts: [calls.spender],
      list: (transaction) => listCalled(transaction, (call) => readCall(calls, call)),
    },
  }
}

/** Lists the payments by Permit2 of the calls of a transaction. */
export const listCalled = (
  { to, input }: TransactionCall,
  read: (call: ContractCall) => Pick<PaymentNonce, 'payer' | 'nonce'> | undefined,
): PaymentNonce[] =>
  (to === null ? [] : listCalls(to, input)).flatMap((call) => {
    const called = read(call)
    return called === undefined ? [] : [{ domain: permit2Address, payer: called.payer, nonce: called.nonce }]
  })

/** Reads the payment of a call of x402's contract. Undefined if it is no call of it that makes one. */
function readCall(
  { spender, decode }: Pick<Permit2Calls<unknown>, 'spender' | 'decode'>,
  { recipient, data }: Readonly<ContractCall>,
): CalledPayment | undefined {
  if (recipient.toLowerCase() !== spender) return undefined
  try {
    return decode(data)
  } catch {
    // Anybody may call the contract with anything.
    return undefined
  }
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

type ReadableCalls = Pick<Permit2Calls<unknown>, 'spender' | 'decode'>

/** Classifies the calls of x402's contract. Each pays with the nonce that it has. */
const classifyFor =
  (calls: ReadableCalls, payment: PaymentOnChain): ClassifyCall =>
  (call) => {
    const called = readCall(calls, call)
    if (called === undefined) return undefined
    const fields = ['asset', 'payer', 'payTo', 'amount', 'nonce'] as const
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
async function searchUse(calls: ReadableCalls, request: UseRequest): ReturnType<SearchUse> {
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
      const found = await inspectTransfer(calls, request, hash)
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
  calls: ReadableCalls,
  { chain, payment, final }: UseRequest,
  hash: string,
): Promise<'payment' | 'other' | 'unproven' | 'unknown'> {
  const classify = classifyFor(calls, payment)
  const outcome = await inspectCalls(chain, hash, classify)
  if (outcome !== 'hidden') return outcome
  const fact = await readReceipt(chain, hash, final)
  if (fact.kind !== 'mined') return 'unknown'
  const isSettled = fact.receipt.logs.some((log) => isSettledBy(log, calls.spender))
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
