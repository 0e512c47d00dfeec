import { getRevertReason, type RpcError } from '@mintmark/evm-reader'
import { encodeFunctionData, type Hex, parseAbi, toEventSelector, toFunctionSelector } from 'viem'
import type { Read, ReadResult } from '../../../chains/evm/reads/multicall-reads.ts'
import { asHex, type ContractCall, type Log } from '../../../chains/evm/reads/transfer.ts'
import { collectorAddress, escrowAddress } from './escrow-addresses.ts'
import { computeNonceOfWords, hashInfoWords, WORDS_OF_INFO } from './escrow-digests.ts'
import { escrowReasons } from './escrow-reasons.ts'
import type { EscrowBalances, EscrowOperation, PaymentInfo } from './escrow-terms.ts'

const structs = [
  'struct PaymentInfo { address operator; address payer; address receiver; address token; uint120 maxAmount; uint48 preApprovalExpiry; uint48 authorizationExpiry; uint48 refundExpiry; uint16 minFeeBps; uint16 maxFeeBps; address feeReceiver; uint256 salt; }',
] as const

const abi = parseAbi([
  ...structs,
  'function authorize(PaymentInfo paymentInfo, uint256 amount, address tokenCollector, bytes collectorData)',
  'function capture(PaymentInfo paymentInfo, uint256 amount, uint256 feeAmount, address feeReceiver)',
  'function void(PaymentInfo paymentInfo)',
])

const infoTypes =
  '(address,address,address,address,uint120,uint48,uint48,uint48,uint16,uint16,address,uint256)'

/** The topic of the event of an authorized payment, with its whole `PaymentInfo`. */
const authorizedTopic = toEventSelector(`PaymentAuthorized(bytes32,${infoTypes},uint256,address)`)

const voidedTopic = toEventSelector('PaymentVoided(bytes32,uint256)')

/** The topics of the events of operations, by the selectors of their calls. Each begins with the amount. */
const operationTopics: ReadonlyMap<string, string> = new Map([
  [
    toFunctionSelector(`capture(${infoTypes},uint256,uint256,address)`),
    toEventSelector('PaymentCaptured(bytes32,uint256,uint256,address)'),
  ],
  [toFunctionSelector(`void(${infoTypes})`), voidedTopic],
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

/** Encodes the call that takes the whole amount from the payer. */
export const encodeAuthorize = (info: PaymentInfo, signature: string): ContractCall => ({
  recipient: escrowAddress,
  data: encodeFunctionData({
    abi,
    functionName: 'authorize',
    args: [toStruct(info), info.maxAmount, asHex(collectorAddress), asHex(signature)],
  }),
})

/** Encodes the call of a capture, which has no fee, or of a void. */
export const encodeOperation = (operation: EscrowOperation): ContractCall => ({
  recipient: escrowAddress,
  data: encodeOperationData(operation),
})

function encodeOperationData(operation: EscrowOperation): Hex {
  const info = toStruct(operation.info)
  if (operation.kind === 'void') return encodeFunctionData({ abi, functionName: 'void', args: [info] })
  const args = [info, operation.amount, 0n, info.feeReceiver] as const
  return encodeFunctionData({ abi, functionName: 'capture', args })
}

/** A payment that a transaction has authorized. */
export interface AuthorizedPayment {
  /** The payer, lower-case. */
  readonly payer: string
  /** The nonce that the payer has signed: a hash of the whole payment. */
  readonly nonce: string
  readonly amount: bigint
}

const WORD = 64

/** Lists the payments that the escrow has authorized in a transaction. */
export const listAuthorized = (logs: readonly Log[], chainId: number): AuthorizedPayment[] =>
  logs
    .filter(
      ({ address, topics: [event] }) => address.toLowerCase() === escrowAddress && event === authorizedTopic,
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

/** A capture or a void as the data of its call shows it. */
interface CalledOperation {
  readonly topic: string
  /** The words of the call's `PaymentInfo`, hex digits. */
  readonly info: string
  /** The amount of a capture. Undefined: a void returns everything. */
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
  ].map(([error = '', reason = '']) => [toFunctionSelector(error), reason]),
)

/** Converts an error of the escrow to a reason. Undefined for one of another contract. */
export const findEscrowReason = (error: RpcError): string | undefined =>
  refusalReasons.get((error.data ?? getRevertReason(error)).slice(0, 10))
