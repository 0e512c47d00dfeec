import { getRevertReason, type RpcError } from '@mintmark/evm-reader'
import { toFunctionSelector } from 'viem'
import { addressWord, encodeBytes, numberWord } from '../../../chains/evm/reads/abi-words.ts'
import { listUsedAuthorizations } from '../../../chains/evm/reads/batch-call.ts'
import { readWord } from '../../../chains/evm/reads/token-reads.ts'
import { addressTopic, type ContractCall } from '../../../chains/evm/reads/transfer.ts'
import type { FoundUse, UseRequest } from '../../../chains/evm/reads/use-search.ts'
import type { Payment, PaymentOnChain } from '../../../payment/payment.ts'
import { reasons } from '../../../payment/reasons.ts'
import type { TransferScheme } from '../evm-scheme.ts'
import { authorizationTopics, evaluateAuthorization } from '../shared/authorization-logs.ts'
import { type ClassifyCall, hasExecuted } from '../shared/payment-calls.ts'
import { readEip3009 } from './decode-eip3009.ts'
import { authorizationState, createEip3009Checks } from './eip3009-checks.ts'
import { computeTransferDigest, encodeTerms } from './eip3009-digest.ts'

const toSelector = (signature: string): string => toFunctionSelector(signature).slice(2)
const transferTypes = 'address,address,uint256,uint256,uint256,bytes32'
const transferSelectors = {
  /** With the signature as bytes. */
  wallet: toSelector(`transferWithAuthorization(${transferTypes},bytes)`),
  /** With the signature in parts. */
  key: toSelector(`transferWithAuthorization(${transferTypes},uint8,bytes32,bytes32)`),
}
/** Six terms and the offset of the signature. */
const TERMS_AND_OFFSET_BYTES = 7 * 32

/** Transfers by the authorization of the payer, which the token itself verifies (EIP-3009). */
export const exactEip3009: TransferScheme = {
  name: 'exact',
  namespace: 'eip155',
  method: 'eip3009',
  listTerms: () => [],
  listKinds: (network) => [{ x402Version: 2, scheme: 'exact', network }],
  accepts: (payload) => Object.hasOwn(payload, 'authorization'),
  readAuthorization: readEip3009,
  openChecks: createEip3009Checks,
  traces: {
    topics: [authorizationTopics.used],
    contracts: [],
    list: (_, logs) =>
      logs.flatMap(({ topics: [event, payer, nonce], address }) =>
        event === authorizationTopics.used && payer !== undefined && nonce !== undefined
          ? [{ domain: address, payer: `0x${payer.slice(26)}`, nonce }]
          : [],
      ),
  },
  hasDelivery: true,
  reasons,
  computeDigest: computeTransferDigest,
  toKeySignature: (signature) => signature,
  encodeTransfer,
  nonceRead: ({ domain, payer, nonce }) => authorizationState(domain, payer, nonce),
  isUsed(_, result) {
    const state = readWord(result)
    return state === undefined ? undefined : state !== 0n
  },
  evaluateLogs: (logs, payment, isOwn) => evaluateAuthorization(logs, payment, isOwn).kind,
  hasMadePayment: (chain, payment, hash) => hasExecuted(chain, hash, classifyFor(payment)),
  searchUse,
  toRefusalReason,
  encodeShared,
  listUsed: (logs) => listUsedAuthorizations(logs, authorizationTopics.used),
}

/** `0x` and the hex digits of a key's signature. */
const KEY_SIGNATURE_LENGTH = 2 + 2 * 65

/**
 * Encodes a transfer with a key's signature, which any sender may execute: code of a payer could use the gas of
 * other payments. Whether the key has signed, the simulation finds out.
 */
function encodeShared(payment: Payment): ContractCall | undefined {
  return payment.signature.length === KEY_SIGNATURE_LENGTH
    ? encodeTransfer(payment, payment.signature, true)
    : undefined
}

/**
 * A key's signature is passed in parts, which tokens older than USDC 2.2 require. The signature of a contract
 * wallet is passed as it is.
 */
function encodeTransfer(payment: Payment, signature: string, signedByKey: boolean): ContractCall {
  const { asset: recipient } = payment
  const terms = encodeTerms(payment, payment.payTo)
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

/** Function selectors of an authorization's uses. They have the same first arguments. */
const useSelectors: ReadonlySet<string> = new Set(
  ['transferWithAuthorization', 'receiveWithAuthorization'].flatMap((name) => [
    toSelector(`${name}(${transferTypes},bytes)`),
    toSelector(`${name}(${transferTypes},uint8,bytes32,bytes32)`),
  ]),
)

/** Classifies the calls that use the nonce of a payment. A nonce is used once. */
function classifyFor({ asset, payer, payTo, amount, nonce }: PaymentOnChain): ClassifyCall {
  return ({ recipient, data }) => {
    if (recipient !== asset || !useSelectors.has(data.slice(2, 10))) return undefined
    const words = data.slice(10).toLowerCase()
    const isUse = words.startsWith(addressWord(payer)) && words.slice(5 * 64, 6 * 64) === nonce.slice(2)
    if (!isUse) return undefined
    return words.slice(64, 3 * 64) === addressWord(payTo) + numberWord(amount) ? 'payment' : 'other'
  }
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
