import { getRevertReason, type RpcError } from '@mintmark/server-kit'
import { toEventSelector, toFunctionSelector } from 'viem'
import type { Payment, PaymentOnChain } from '../../../payments/payment.ts'
import { reasons } from '../../../payments/reasons.ts'
import { addressWord, encodeBytes, numberWord } from '../abi-words.ts'
import { authorizationState, readWord } from '../token-reads.ts'
import {
  addressTopic,
  type ContractCall,
  isTransferFrom,
  isTransferOf,
  type Log,
  listLogsOf,
} from '../transfer.ts'
import { authorizationDigest } from './eip3009-digest.ts'
import type { TransferMethod } from './transfer-method.ts'
import type { FoundUse, UseRequest } from './use-search.ts'

const toSelector = (signature: string): string => toFunctionSelector(signature).slice(2)
const transferTypes = 'address,address,uint256,uint256,uint256,bytes32'
const transferSelectors = {
  /** With the signature as bytes. */
  wallet: toSelector(`transferWithAuthorization(${transferTypes},bytes)`),
  /** With the signature in parts. */
  key: toSelector(`transferWithAuthorization(${transferTypes},uint8,bytes32,bytes32)`),
}
/** Topics of a token's events for authorizations. */
export const authorizationTopics = {
  used: toEventSelector('AuthorizationUsed(address,bytes32)'),
  canceled: toEventSelector('AuthorizationCanceled(address,bytes32)'),
}

/** Six terms and the offset of the signature. */
const TERMS_AND_OFFSET_BYTES = 7 * 32

/** Transfers by the authorization of the payer, which the token itself verifies (EIP-3009). */
export const eip3009: TransferMethod = {
  name: 'eip3009',
  reasons,
  computeDigest: authorizationDigest,
  toKeySignature: (signature) => signature,
  encodeTransfer,
  nonceRead: ({ domain, payer, nonce }) => authorizationState(domain, payer, nonce),
  isUsed(_, result) {
    const state = readWord(result)
    return state === undefined ? undefined : state !== 0n
  },
  showsPayment,
  searchUse,
  toRefusalReason,
}

/**
 * A key's signature is passed in parts, which tokens older than USDC 2.2 require. The signature of a contract
 * wallet is passed as it is.
 */
function encodeTransfer(payment: Payment, signature: string, signedByKey: boolean): ContractCall {
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

/** Converts a token's revert message to an x402 reason. */
function toRefusalReason(error: RpcError): string {
  const message = getRevertReason(error)
  if (/used or cancell?ed|AuthorizationUsedOrCanceled|AuthorizationAlreadyUsed/i.test(message))
    return reasons.nonceUsed
  if (/not yet valid|AuthorizationNotYetValid/i.test(message)) return reasons.validAfter
  if (/expired/i.test(message)) return reasons.validBefore
  if (/exceeds balance|insufficient.?balance/i.test(message)) return reasons.insufficientFunds
  if (/signature|SignerMismatch/i.test(message)) return reasons.signature
  return reasons.simulationFailed
}

/**
 * Whether the logs of one successful transaction show that the payment was executed: its nonce was used, with
 * the transfer.
 *
 * One transaction can use several authorizations, so the transfer must belong to this nonce: it is the
 * token's next event, as in USDC, or the previous one, in a token that transfers first. Otherwise a payer who
 * sends another authorization with the same nonce, together with another payment to the same seller, would
 * seem to have paid twice. All uses of the payer are read in one order, so that no transfer belongs to two.
 * Those of other payers do not count: no payer can change what another one has paid.
 */
function showsPayment(logs: readonly Log[], payment: PaymentOnChain): boolean {
  return listLogsAfterPayment(logs, payment) !== undefined
}

/**
 * Returns the token's logs after those of the payment, in their order. Undefined if the logs do not show the
 * payment.
 */
export function listLogsAfterPayment(logs: readonly Log[], payment: PaymentOnChain): Log[] | undefined {
  const { own, usesByPayer } = readTokenLogs(logs, payment.asset)
  const uses = usesByPayer.get(addressTopic(payment.payer)) ?? []
  const used = uses.find((index) => own[index]?.topics[2]?.toLowerCase() === payment.nonce)
  if (used === undefined) return undefined
  const isUsedFirst = uses.every((index) => {
    const after = own[index + 1]
    return after !== undefined && isTransferFrom(after, payment.payer)
  })
  const transfer = own[isUsedFirst ? used + 1 : used - 1]
  if (transfer === undefined || !isTransferOf(transfer, payment)) return undefined
  return own.slice(used + (isUsedFirst ? 2 : 1))
}

/** A token's logs of one transaction, in their order. */
interface TokenLogs {
  readonly own: readonly Log[]
  /** The places of the uses of authorizations, by the topic of the payer. */
  readonly usesByPayer: ReadonlyMap<string, readonly number[]>
}

/** Of each transaction by token: all payments of a batch read the same logs. */
const tokenLogs = new WeakMap<readonly Log[], Map<string, TokenLogs>>()

function readTokenLogs(logs: readonly Log[], token: string): TokenLogs {
  const byToken = tokenLogs.get(logs) ?? new Map<string, TokenLogs>()
  tokenLogs.set(logs, byToken)
  const known = byToken.get(token)
  if (known !== undefined) return known
  const own = listLogsOf(logs, token)
  const usesByPayer = new Map<string, number[]>()
  for (const [index, { topics }] of own.entries()) {
    const [event, authorizer] = topics
    if (event !== authorizationTopics.used || authorizer === undefined) continue
    const payer = authorizer.toLowerCase()
    const uses = usesByPayer.get(payer)
    if (uses === undefined) usesByPayer.set(payer, [index])
    else uses.push(index)
  }
  const read = { own, usesByPayer }
  byToken.set(token, read)
  return read
}

/** Searches the single event of the nonce. */
async function searchUse({
  chain,
  logs,
  payment,
  final,
  progress,
}: UseRequest): Promise<FoundUse | undefined> {
  const to = Number(await chain.newestBlock())
  const { used, canceled } = authorizationTopics
  const filter = {
    addresses: [payment.asset],
    topics: [[used, canceled], addressTopic(payment.payer), payment.nonce],
  }
  const newest = { number: to, time: Number(final.timestamp) }
  for (let { next } = progress; next <= to; ) {
    const range = await logs.read({ filter, from: next, to, newest })
    const [log] = range.logs
    if (log !== undefined) return { kind: 'transaction', hash: log.transactionHash }
    next = range.to + 1
  }
  return undefined
}
