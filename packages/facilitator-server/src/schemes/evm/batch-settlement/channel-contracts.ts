import {
  decodeAbiParameters,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  getAbiItem,
  type Hex,
  parseAbi,
  toEventSelector,
  toFunctionSelector,
} from 'viem'
import { addressWord } from '../../../chains/evm/reads/abi-words.ts'
import type { Read, ReadResult } from '../../../chains/evm/reads/multicall-reads.ts'
import { addressTopic, asHex, type ContractCall, type Log } from '../../../chains/evm/reads/transfer.ts'
import type { Payment } from '../../../payment/payment.ts'
import { formatNonce, splitApproval } from '../shared/permit2/permit2-contracts.ts'
import type { SignedApproval } from '../shared/permit2/permit2-terms.ts'
import type {
  AuthorizedDeposit,
  ChannelConfig,
  ChannelDeposit,
  ChannelOperation,
  ChannelState,
  PermittedDeposit,
  SignedClaims,
} from './channel-terms.ts'

/** The address of x402's contract of the scheme batch-settlement on every chain that has it, lower-case. */
export const batchSettlementAddress = '0x4020074e9df2ce1dee5a9c1b5c3f541d02a10003'

/** The address of x402's contract that takes deposits by EIP-3009, lower-case. */
export const depositCollectorAddress = '0x4020806089470a89826cb9fb1f4059150b550004'

/** The address of x402's contract that takes deposits by Permit2, lower-case. */
export const permit2CollectorAddress = '0x4020425faf3b746c082c2f942b4e5159887b0005'

/**
 * The topics of the events of a deposit, of a payout, and of each claim that changes what was claimed of a
 * channel.
 */
export const topics = {
  deposited: toEventSelector('Deposited(bytes32,address,uint128,uint128)'),
  settled: toEventSelector('Settled(address,address,address,uint128)'),
  claimed: toEventSelector('Claimed(bytes32,address,uint128,uint128)'),
}

const structs = [
  'struct ChannelConfig { address payer; address payerAuthorizer; address receiver; address receiverAuthorizer; address token; uint40 withdrawDelay; bytes32 salt; }',
  'struct Voucher { ChannelConfig channel; uint128 maxClaimableAmount; }',
  'struct VoucherClaim { Voucher voucher; bytes signature; uint128 totalClaimed; }',
] as const

const abi = parseAbi([
  ...structs,
  'function multicall(bytes[] data) returns (bytes[] results)',
  'function deposit(ChannelConfig config, uint128 amount, address collector, bytes collectorData)',
  'function claimWithSignature(VoucherClaim[] voucherClaims, bytes authorizerSignature)',
  'function settle(address receiver, address token)',
  'function refundWithSignature(ChannelConfig config, uint128 amount, uint256 nonce, bytes receiverAuthorizerSignature)',
])

const toSelector = (signature: string): string => toFunctionSelector(signature).slice(2)
const selectors = {
  channels: toSelector('channels(bytes32)'),
  pendingWithdrawals: toSelector('pendingWithdrawals(bytes32)'),
  refundNonce: toSelector('refundNonce(bytes32)'),
  receivers: toSelector('receivers(address,address)'),
  settle: toSelector('settle(address,address)'),
  claim: toFunctionSelector(getAbiItem({ abi, name: 'claimWithSignature' })).slice(2),
  deposit: toFunctionSelector(getAbiItem({ abi, name: 'deposit' })).slice(2),
}

/** Whether a call deposits into a channel. */
export const isDepositCall = ({ recipient, data }: ContractCall): boolean =>
  recipient.toLowerCase() === batchSettlementAddress && data.slice(2, 10) === selectors.deposit

/** Whether the data of a call is that of a payout. */
export const isPayoutCall = (input: string): boolean => input.slice(2, 10) === selectors.settle

/** Whether the data of a call is that of claims without a refund. */
export const isClaimCall = (input: string): boolean => input.slice(2, 10) === selectors.claim

/** Whether a transaction claimed anything. A claim of what was claimed before succeeds without an event. */
export const hasClaimed = (logs: readonly Log[]): boolean =>
  logs.some(
    ({ address, topics: [event] }) =>
      address.toLowerCase() === batchSettlementAddress && event === topics.claimed,
  )

/**
 * Finds the base units that a transaction paid out. Undefined if nothing was due: then the call succeeds
 * without an event.
 */
export function findPaidOut(
  logs: readonly Log[],
  { payTo, asset }: Pick<Payment, 'payTo' | 'asset'>,
): bigint | undefined {
  const paid = logs.find(
    ({ address, topics: [event, receiver, token] }) =>
      address.toLowerCase() === batchSettlementAddress &&
      event === topics.settled &&
      receiver === addressTopic(payTo) &&
      token === addressTopic(asset),
  )
  return paid && BigInt(paid.data)
}

/** Encodes the deposit of a payment, which a collector takes from the payer. */
const encodeDeposit = (
  { amount, details }: Payment<ChannelDeposit>,
  collector: string,
  collectorData: Hex,
): ContractCall => ({
  recipient: batchSettlementAddress,
  data: encodeFunctionData({
    abi,
    functionName: 'deposit',
    args: [toStruct(details.voucher.config), amount, asHex(collector), collectorData],
  }),
})

/** Encodes a deposit by EIP-3009. The signature is passed as bytes, whoever has signed. */
export function encodeAuthorizedDeposit(
  payment: Payment<AuthorizedDeposit>,
  signature: string,
): ContractCall {
  const { validAfter, validBefore, details } = payment
  const data = encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'uint256' }, { type: 'uint256' }, { type: 'bytes' }],
    [validAfter, validBefore, details.salt, asHex(signature)],
  )
  return encodeDeposit(payment, depositCollectorAddress, data)
}

/** The nonce, the deadline, the signature, and the payer's signed approval of Permit2. */
const permit2Data = [{ type: 'uint256' }, { type: 'uint256' }, { type: 'bytes' }, { type: 'bytes' }] as const

/** Encodes a deposit by Permit2. */
export function encodePermittedDeposit(payment: Payment<PermittedDeposit>, signature: string): ContractCall {
  const { amount, nonce, validBefore, details } = payment
  const approval = details.approval === undefined ? '0x' : encodeApproval(amount, details.approval)
  const args = [BigInt(nonce), validBefore - 1n, asHex(signature), approval] as const
  return encodeDeposit(payment, permit2CollectorAddress, encodeAbiParameters(permit2Data, args))
}

function encodeApproval(amount: bigint, approval: SignedApproval): Hex {
  const { value, deadline, v, r, s } = splitApproval(amount, approval)
  return encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'uint256' }, { type: 'uint8' }, { type: 'bytes32' }, { type: 'bytes32' }],
    [value, deadline, v, r, s],
  )
}

/** Reads who deposits with which nonce of Permit2 from a call. Undefined if it is no such call. */
export function decodePermit2Deposit({
  recipient,
  data,
}: ContractCall): Pick<Payment, 'payer' | 'nonce'> | undefined {
  if (recipient.toLowerCase() !== batchSettlementAddress) return undefined
  try {
    const { functionName, args } = decodeFunctionData({ abi, data: asHex(data) })
    if (functionName !== 'deposit') return undefined
    const [{ payer }, , collector, collectorData] = args
    if (collector.toLowerCase() !== permit2CollectorAddress) return undefined
    const [nonce] = decodeAbiParameters(permit2Data, collectorData)
    return { payer: payer.toLowerCase(), nonce: formatNonce(nonce) }
  } catch {
    // Anybody may call the contract with anything.
    return undefined
  }
}

/** Encodes a claim, a settle or a refund. */
export const encodeOperation = (payment: Payment<ChannelOperation>): ContractCall => ({
  recipient: batchSettlementAddress,
  data: encodeOperationData(payment),
})

function encodeOperationData({ details, payTo, asset }: Payment<ChannelOperation>): Hex {
  switch (details.kind) {
    case 'claim':
      return encodeClaims(details.signed)
    case 'settle':
      return encodeFunctionData({ abi, functionName: 'settle', args: [asHex(payTo), asHex(asset)] })
    case 'refund':
      return encodeRefund(details)
  }
}

function encodeRefund(refund: ChannelOperation & { kind: 'refund' }): Hex {
  const { voucher, amount, refundNonce, signature, signed } = refund
  const args = [toStruct(voucher.config), amount, refundNonce, asHex(signature)] as const
  const data = encodeFunctionData({ abi, functionName: 'refundWithSignature', args })
  if (signed === undefined) return data
  return encodeFunctionData({ abi, functionName: 'multicall', args: [[encodeClaims(signed), data]] })
}

function encodeClaims({ claims, signature }: SignedClaims): Hex {
  const structs = claims.map((claim) => ({
    voucher: { channel: toStruct(claim.config), maxClaimableAmount: claim.maximum },
    signature: asHex(claim.signature),
    totalClaimed: claim.total,
  }))
  return encodeFunctionData({ abi, functionName: 'claimWithSignature', args: [structs, asHex(signature)] })
}

/** Converts a configuration to `ChannelConfig` of x402's contract and packages. */
export const toStruct = (config: ChannelConfig) => ({
  payer: asHex(config.payer),
  payerAuthorizer: asHex(config.payerAuthorizer),
  receiver: asHex(config.receiver),
  receiverAuthorizer: asHex(config.receiverAuthorizer),
  token: asHex(config.token),
  withdrawDelay: config.withdrawDelay,
  salt: asHex(config.salt),
})

/** Reads a channel's balance and what was claimed of it. */
export const channelRead = (channelId: string): Read => ({
  target: batchSettlementAddress,
  data: `${selectors.channels}${channelId.slice(2)}`,
})

/** The reads of a channel's state. */
export const stateReads = (channelId: string): Read[] => [
  channelRead(channelId),
  { target: batchSettlementAddress, data: `${selectors.pendingWithdrawals}${channelId.slice(2)}` },
  { target: batchSettlementAddress, data: `${selectors.refundNonce}${channelId.slice(2)}` },
]

/** Reads what was claimed for a seller, and what of it was paid out. */
export const receiverRead = (receiver: string, token: string): Read => ({
  target: batchSettlementAddress,
  data: `${selectors.receivers}${addressWord(receiver)}${addressWord(token)}`,
})

/** @throws Error if the chain lacks the contract. */
export function parseState([channel, withdrawal, nonce]: readonly ReadResult[]): ChannelState {
  const [balance, totalClaimed] = readTwoWords(channel)
  const [amount, requestedAt] = readTwoWords(withdrawal)
  if (nonce?.success !== true || nonce.data.length !== 64) throw new Error(NO_CONTRACT)
  return {
    balance,
    totalClaimed,
    withdrawal: { amount, requestedAt },
    refundNonce: BigInt(`0x${nonce.data}`),
  }
}

/** @throws Error if the chain lacks the contract. */
export function readTwoWords(result: ReadResult | undefined): [bigint, bigint] {
  if (result?.success !== true || result.data.length !== 128) throw new Error(NO_CONTRACT)
  return [BigInt(`0x${result.data.slice(0, 64)}`), BigInt(`0x${result.data.slice(64)}`)]
}

const NO_CONTRACT = "The chain has no contract of x402's payment channels"
