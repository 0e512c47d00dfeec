import { getRevertReason, type RpcError } from '@mintmark/evm-reader'
import {
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseAbiParameters,
  toEventSelector,
  toFunctionSelector,
} from 'viem'
import type { Read, ReadResult } from '../../../chains/evm/reads/multicall-reads.ts'
import { asHex, type ContractCall, type Log } from '../../../chains/evm/reads/transfer.ts'
import { reasons } from '../../../payment/reasons.ts'
import { exactEip3009 } from '../exact-eip3009/eip3009.ts'
import { collectorAddress, escrowAddress, refundCollectorAddress } from './escrow-addresses.ts'
import { computeNonceOfWords, hashInfoWords, WORDS_OF_INFO } from './escrow-digests.ts'
import { escrowReasons } from './escrow-reasons.ts'
import type { Collect, EscrowBalances, EscrowOperation, PaymentInfo, Refund } from './escrow-terms.ts'

const structs = [
  'struct PaymentInfo { address operator; address payer; address receiver; address token; uint120 maxAmount; uint48 preApprovalExpiry; uint48 authorizationExpiry; uint48 refundExpiry; uint16 minFeeBps; uint16 maxFeeBps; address feeReceiver; uint256 salt; }',
] as const

const abi = parseAbi([
  ...structs,
  'function authorize(PaymentInfo paymentInfo, uint256 amount, address tokenCollector, bytes collectorData)',
  'function charge(PaymentInfo paymentInfo, uint256 amount, address tokenCollector, bytes collectorData, uint256 feeAmount, address feeReceiver)',
  'function capture(PaymentInfo paymentInfo, uint256 amount, uint256 feeAmount, address feeReceiver)',
  'function void(PaymentInfo paymentInfo)',
  'function refund(PaymentInfo paymentInfo, uint256 amount, address tokenCollector, bytes collectorData)',
])

const infoTypes =
  '(address,address,address,address,uint120,uint48,uint48,uint48,uint16,uint16,address,uint256)'

/** The topics of the events of authorized and charged payments, which begin with the whole `PaymentInfo` and the amount. */
const collectedTopics: ReadonlySet<string | undefined> = new Set([
  toEventSelector(`PaymentAuthorized(bytes32,${infoTypes},uint256,address)`),
  toEventSelector(`PaymentCharged(bytes32,${infoTypes},uint256,address,uint256,address)`),
])

const refundSelector = toFunctionSelector(`refund(${infoTypes},uint256,address,bytes)`)

/** Whether the data of a call of the escrow requests a refund. */
export const isRefundCall = (input: string): boolean => input.toLowerCase().startsWith(refundSelector)

const voidedTopic = toEventSelector('PaymentVoided(bytes32,uint256)')

/** The topics of the events of operations, by the selectors of their calls. Each begins with the amount. */
const operationTopics: ReadonlyMap<string, string> = new Map([
  [
    toFunctionSelector(`capture(${infoTypes},uint256,uint256,address)`),
    toEventSelector('PaymentCaptured(bytes32,uint256,uint256,address)'),
  ],
  [toFunctionSelector(`void(${infoTypes})`), voidedTopic],
  [refundSelector, toEventSelector('PaymentRefunded(bytes32,uint256,address)')],
])

const toStruct = (info: PaymentInfo) => ({
  operator: asHex(info.operator),
  payer: asHex(info.payer),
  receiver: asHex(info.receiver),
  token: asHex(info.token),
  maxAmount: info.maxAmount,
  preApprovalExpiry: Number(info.preApprovalExpiry),
  authorizationExpiry: Number(info.authorizationExpiry),
  refundExpiry: Number(info.refundExpiry),
  minFeeBps: Number(info.minFeeBps),
  maxFeeBps: Number(info.maxFeeBps),
  feeReceiver: asHex(info.feeReceiver),
  salt: BigInt(info.salt),
})

/** Encodes the call that takes the amount from the payer. There is no fee. */
export function encodeCollect({ kind, info }: Collect, amount: bigint, signature: string): ContractCall {
  const struct = toStruct(info)
  const args = [struct, amount, asHex(collectorAddress), asHex(signature)] as const
  const data =
    kind === 'charge'
      ? encodeFunctionData({ abi, functionName: kind, args: [...args, 0n, struct.feeReceiver] })
      : encodeFunctionData({ abi, functionName: kind, args })
  return { recipient: escrowAddress, data }
}

/** Encodes the call of an operation. There is no fee. */
export const encodeOperation = (operation: EscrowOperation): ContractCall => ({
  recipient: escrowAddress,
  data: encodeOperationData(operation),
})

function encodeOperationData(operation: EscrowOperation): Hex {
  const info = toStruct(operation.info)
  if (operation.kind === 'void') return encodeFunctionData({ abi, functionName: 'void', args: [info] })
  if (operation.kind === 'refund') return encodeRefund(operation)
  const args = [info, operation.amount, 0n, info.feeReceiver] as const
  return encodeFunctionData({ abi, functionName: 'capture', args })
}

function encodeRefund({ info, amount, funding }: Refund): Hex {
  const collectorData = encodeAbiParameters(FUNDING, [asHex(funding.from), asHex(funding.signature)])
  const args = [toStruct(info), amount, asHex(refundCollectorAddress), collectorData] as const
  return encodeFunctionData({ abi, functionName: 'refund', args })
}

const FUNDING = parseAbiParameters('address, bytes')

/** Enough for the first payment of an operator, whose store of tokens the escrow creates, and for a refund. */
export const OPERATION_GAS = 400_000n

/** A payment that a transaction has authorized or charged. */
export interface CollectedPayment {
  /** The payer, lower-case. */
  readonly payer: string
  /** The nonce that the payer has signed: a hash of the whole payment. */
  readonly nonce: string
  readonly amount: bigint
}

const WORD = 64

/** Lists the payments that the escrow has authorized or charged in a transaction. */
export const listCollected = (logs: readonly Log[], chainId: number): CollectedPayment[] =>
  logs
    .filter(
      ({ address, topics: [event] }) => address.toLowerCase() === escrowAddress && collectedTopics.has(event),
    )
    .map(({ data }) => {
      const words = data.slice(2).toLowerCase()
      const info = words.slice(0, WORDS_OF_INFO * WORD)
      return {
        payer: `0x${info.slice(WORD + 24, 2 * WORD)}`,
        nonce: computeNonceOfWords(info, chainId),
        amount: BigInt(`0x${words.slice(WORDS_OF_INFO * WORD, (WORDS_OF_INFO + 1) * WORD)}`),
      }
    })

/** An operation as the data of its call shows it. */
interface CalledOperation {
  readonly topic: string
  /** The words of the call's `PaymentInfo`, hex digits. */
  readonly info: string
  /** Undefined: a void returns everything. */
  readonly amount: bigint | undefined
}

function readOperation(input: string): CalledOperation | undefined {
  const topic = operationTopics.get(input.slice(0, 10).toLowerCase())
  if (topic === undefined) return undefined
  const words = input.slice(10).toLowerCase()
  const end = WORDS_OF_INFO * WORD
  const amount = words.slice(end, end + WORD)
  return { topic, info: words.slice(0, end), amount: amount === '' ? undefined : BigInt(`0x${amount}`) }
}

/** Whether the escrow has emitted the event of exactly the operation that a call requests. */
export function hasOperated(logs: readonly Log[], input: string, chainId: number): boolean {
  const called = readOperation(input)
  if (called === undefined) return false
  const paymentInfoHash = hashInfoWords(called.info, chainId)
  return logs.some(
    ({ address, topics: [event, hash], data }) =>
      address.toLowerCase() === escrowAddress &&
      event === called.topic &&
      hash?.toLowerCase() === paymentInfoHash &&
      (called.amount === undefined || BigInt(data.slice(0, 2 + WORD)) === called.amount),
  )
}

/** Finds the base units of a payment that a transaction has returned to the payer. */
export function findVoided(logs: readonly Log[], paymentInfoHash: string): bigint | undefined {
  const voided = logs.find(
    ({ address, topics: [event, hash] }) =>
      address.toLowerCase() === escrowAddress &&
      event === voidedTopic &&
      hash?.toLowerCase() === paymentInfoHash,
  )
  return voided && BigInt(voided.data)
}

const STATE = toFunctionSelector('paymentState(bytes32)').slice(2)

/** Reads the state of a payment by the hash of its `PaymentInfo`. */
export const stateRead = (paymentInfoHash: string): Read => ({
  target: escrowAddress,
  data: `${STATE}${paymentInfoHash.slice(2)}`,
})

/** Reads what shows whether the chain has the collector of refunds. */
export const refundCollectorRead: Read = {
  target: refundCollectorAddress,
  data: toFunctionSelector('collectorType()').slice(2),
}

/** @throws Error if the chain lacks the escrow. */
export function parseBalances(result: ReadResult | undefined): EscrowBalances {
  if (result?.success !== true || result.data.length !== 3 * WORD)
    throw new Error('The chain has no escrow of the scheme auth-capture')
  const [capturable, refundable] = [result.data.slice(WORD, 2 * WORD), result.data.slice(2 * WORD)]
  return { capturable: BigInt(`0x${capturable}`), refundable: BigInt(`0x${refundable}`) }
}

/** The errors of the escrow, as its specification names the reasons. */
const refusalReasons: ReadonlyMap<string, string> = new Map(
  [
    ['AfterPreApprovalExpiry(uint48,uint48)', escrowReasons.expired],
    ['InvalidExpiries(uint48,uint48,uint48)', escrowReasons.deadlineOrdering],
    ['ExceedsMaxAmount(uint256,uint256)', escrowReasons.amountMismatch],
    ['ZeroAmount()', escrowReasons.amountMismatch],
    ['AmountOverflow(uint256,uint256)', escrowReasons.amountOverflow],
    ['PaymentAlreadyCollected(bytes32)', escrowReasons.alreadyCollected],
    ['TokenCollectionFailed()', escrowReasons.collectionFailed],
    ['InvalidSender(address,address)', escrowReasons.operatorMismatch],
    ['FeeAmountOutOfRange(uint256,uint256,uint256)', escrowReasons.feeOutOfRange],
    ['InvalidFeeReceiver(address,address)', escrowReasons.feeReceiver],
    ['AfterAuthorizationExpiry(uint48,uint48)', escrowReasons.captureDeadline],
    ['InsufficientAuthorization(bytes32,uint256,uint256)', escrowReasons.insufficientAuthorization],
    ['ZeroAuthorization(bytes32)', escrowReasons.zeroAuthorization],
    ['AfterRefundExpiry(uint48,uint48)', escrowReasons.refundDeadline],
    ['RefundExceedsCapture(uint256,uint256)', escrowReasons.refundExceeds],
  ].map(([error = '', reason = '']) => [toFunctionSelector(error), reason]),
)

/** Converts an error of the escrow, or of the token that it collects, to a reason. */
export const toEscrowReason = (error: RpcError): string =>
  refusalReasons.get((error.data ?? getRevertReason(error)).slice(0, 10)) ??
  tokenRefusals.get(exactEip3009.toRefusalReason(error)) ??
  escrowReasons.simulationFailed

const tokenRefusals: ReadonlyMap<string, string> = new Map([
  [reasons.nonceUsed, escrowReasons.alreadyCollected],
  [reasons.validAfter, escrowReasons.notYetValid],
  [reasons.validBefore, escrowReasons.expired],
  [reasons.insufficientFunds, escrowReasons.insufficientBalance],
  [reasons.signature, escrowReasons.signature],
])
