import {
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
  toEventSelector,
  toFunctionSelector,
} from 'viem'
import type { Payment, PaymentOnChain } from '../../payments/payment.ts'
import { reasons } from '../../payments/reasons.ts'
import { addressWord, encodeBytes, numberWord } from './abi-words.ts'
import { multicallAddress } from './batched-reads.ts'

const toSelector = (signature: string): string => toFunctionSelector(signature).slice(2)
const transferTypes = 'address,address,uint256,uint256,uint256,bytes32'
const transferSelectors = {
  /** With the signature as bytes. */
  wallet: toSelector(`transferWithAuthorization(${transferTypes},bytes)`),
  /** With the signature in parts. */
  key: toSelector(`transferWithAuthorization(${transferTypes},uint8,bytes32,bytes32)`),
}
const multicallAbi = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call[] calls) payable returns (Result[] results)',
])

/** Topics of a token's events for authorizations (EIP-3009) and transfers (ERC-20). */
export const topics = {
  authorizationUsed: toEventSelector('AuthorizationUsed(address,bytes32)'),
  authorizationCanceled: toEventSelector('AuthorizationCanceled(address,bytes32)'),
  transfer: toEventSelector('Transfer(address,address,uint256)'),
}

/** Converts a hex string to viem's type. The strings of a payment were checked when it was decoded. */
export const asHex = (text: string): Hex => `0x${text.slice(2)}`

/** Converts an address to an indexed event field. */
export const addressTopic = (address: string): Hex => `0x${addressWord(address)}`

/** Six terms and the offset of the signature. */
const TERMS_AND_OFFSET_BYTES = 7 * 32

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
 * Encodes the call that executes a payment.
 *
 * @param signature The payment's signature without its wrapper.
 * @param signedByKey Whether a key has signed, so that the signature can be passed in parts, which tokens older than USDC 2.2 require. The
 * signature of a contract wallet is passed as it is.
 */
export function encodeTransfer(payment: Payment, signature: string, signedByKey: boolean): ContractCall {
  const { asset: recipient } = payment
  const terms =
    addressWord(payment.payer) +
    addressWord(payment.payTo) +
    numberWord(payment.amount) +
    numberWord(payment.validAfter) +
    numberWord(payment.validBefore) +
    payment.nonce.slice(2)
  const digits = signature.slice(2)
  if (!signedByKey) {
    const offset = numberWord(TERMS_AND_OFFSET_BYTES)
    return { recipient, data: `0x${transferSelectors.wallet}${terms}${offset}${encodeBytes(digits)}` }
  }
  const last = Number.parseInt(digits.slice(128), 16)
  const v = numberWord(last < 27 ? last + 27 : last)
  return { recipient, data: `0x${transferSelectors.key}${terms}${v}${digits.slice(0, 128)}` }
}

/**
 * Encodes the call that deploys the payer's wallet and then executes the payment, in one transaction. A deployment that fails does not fail
 * the call, because somebody else may have deployed the wallet first. The transfer then decides: it reverts if the wallet does not exist.
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

/** Converts a token's revert message to an x402 reason. */
export function toRefusalReason(message: string): string {
  if (/used or cancell?ed|AuthorizationUsedOrCanceled|AuthorizationAlreadyUsed/i.test(message))
    return reasons.nonceUsed
  if (/not yet valid|AuthorizationNotYetValid/i.test(message)) return reasons.validAfter
  if (/expired/i.test(message)) return reasons.validBefore
  if (/exceeds balance|insufficient.?balance/i.test(message)) return reasons.insufficientFunds
  if (/signature|SignerMismatch/i.test(message)) return reasons.signature
  return reasons.simulationFailed
}

/** The fields of an event log that are read. */
export interface Log {
  address: string
  topics: readonly string[]
  data: string
  logIndex: number | null
}

/**
 * Whether the logs of one successful transaction show that the payment was executed: its nonce was used, with the transfer.
 *
 * One transaction can use several authorizations, so the transfer must belong to this nonce: it is the token's next event, as in USDC, or the
 * previous one, in a token that transfers first. Otherwise a payer who sends another authorization with the same nonce, together with another
 * payment to the same seller, would seem to have paid twice.
 */
export function showsPayment(logs: readonly Log[], payment: PaymentOnChain): boolean {
  const own = logs
    .filter((log) => log.address.toLowerCase() === payment.asset)
    .toSorted((a, b) => (a.logIndex ?? 0) - (b.logIndex ?? 0))
  const used = own.findIndex((log) => isUse(log, payment))
  if (used === -1) return false
  const [before, after] = [own[used - 1], own[used + 1]]
  const transfer = after && isTransferFrom(after, payment.payer) ? after : before
  return (
    transfer !== undefined &&
    isTransferFrom(transfer, payment.payer) &&
    transfer.topics[2]?.toLowerCase() === addressTopic(payment.payTo) &&
    transfer.data === numberToHex(payment.amount, { size: 32 })
  )
}

const isUse = ({ topics: [event, authorizer, nonce] }: Log, payment: PaymentOnChain): boolean =>
  event === topics.authorizationUsed &&
  authorizer?.toLowerCase() === addressTopic(payment.payer) &&
  nonce?.toLowerCase() === payment.nonce

const isTransferFrom = ({ topics: [event, from] }: Log, payer: string): boolean =>
  event === topics.transfer && from?.toLowerCase() === addressTopic(payer)
