import {
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
  toEventSelector,
} from 'viem'
import type { PaymentOnChain } from '../../../payment/payment.ts'
import { addressWord } from './abi-words.ts'
import { multicallAddress } from './multicall-reads.ts'

export const multicallAbi = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call[] calls) payable returns (Result[] results)',
])

/** The topic of a token's transfers (ERC-20). */
export const transferTopic = toEventSelector('Transfer(address,address,uint256)')

/** Converts a hex string to viem's type. The strings of a payment were checked when it was decoded. */
export const asHex = (text: string): Hex => `0x${text.slice(2)}`

/** Converts an address to an indexed event field. */
export const addressTopic = (address: string): Hex => `0x${addressWord(address)}`

/** How a wallet that does not exist yet is deployed (ERC-6492). */
export interface WalletDeployment {
  /** Lower-case. */
  factory: string
  /** Call data of the factory, `0x` and hex digits. */
  data: string
}

/** A call of a contract. */
export interface ContractCall {
  /** The contract's address. */
  recipient: string
  /** Call data, `0x` and hex digits. */
  data: Hex
}

/**
 * Encodes the call that deploys the payer's wallet and then executes the payment, in one transaction. A
 * deployment that fails does not fail the call, because somebody else may have deployed the wallet first. The
 * transfer then decides: it reverts if the wallet does not exist.
 */
export function encodeDeploymentAndTransfer(
  { factory, data }: WalletDeployment,
  transfer: ContractCall,
): ContractCall {
  const calls = [
    { target: asHex(factory), allowFailure: true, callData: asHex(data) },
    { target: asHex(transfer.recipient), allowFailure: false, callData: transfer.data },
  ] as const
  return {
    recipient: multicallAddress,
    data: encodeFunctionData({ abi: multicallAbi, functionName: 'aggregate3', args: [calls] }),
  }
}

interface TransactionCall extends ContractCall {
  /** Whether the call may have failed in a transaction that succeeded. */
  readonly mayFail: boolean
}

/** Lists the calls of a transaction: those inside a call of Multicall3, otherwise the call itself. */
export function listCalls(to: string, data: string): readonly TransactionCall[] {
  const call = { recipient: to.toLowerCase(), data: asHex(data), mayFail: false }
  if (call.recipient !== multicallAddress.toLowerCase()) return [call]
  try {
    const { functionName, args } = decodeFunctionData({ abi: multicallAbi, data: call.data })
    if (functionName !== 'aggregate3') return []
    return args[0].map(({ target, allowFailure, callData }) => ({
      recipient: target.toLowerCase(),
      data: callData,
      mayFail: allowFailure,
    }))
  } catch {
    // Another function of Multicall3.
    return []
  }
}

/** The fields of an event log that are read. */
export interface Log {
  address: string
  topics: readonly string[]
  data: string
  logIndex: number | null
}

/** The part of a log that says what happened. */
type LogContent = Pick<Log, 'topics' | 'data'>

export const isTransferFrom = ({ topics: [event, from] }: LogContent, payer: string): boolean =>
  event === transferTopic && from?.toLowerCase() === addressTopic(payer)

/** Whether a transfer pays the amount of a payment from its payer to its recipient. */
export const isTransferOf = (
  log: LogContent,
  { payer, payTo, amount }: Pick<PaymentOnChain, 'payer' | 'payTo' | 'amount'>,
): boolean =>
  isTransferFrom(log, payer) &&
  log.topics[2]?.toLowerCase() === addressTopic(payTo) &&
  log.data === numberToHex(amount, { size: 32 })

/** Returns a token's logs in the order of the transaction. */
export const listLogsOf = (logs: readonly Log[], address: string): Log[] =>
  logs
    .filter((log) => log.address.toLowerCase() === address)
    .toSorted((a, b) => (a.logIndex ?? 0) - (b.logIndex ?? 0))
