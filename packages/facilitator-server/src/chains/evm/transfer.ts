import { encodeFunctionData, type Hex, numberToHex, parseAbi, toEventSelector } from 'viem'
import type { Payment, PaymentOnChain } from '../../payments/payment.ts'
import { reasons } from '../../payments/reasons.ts'

const transferAbi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
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
export const addressTopic = (address: string): Hex => `0x${address.slice(2).padStart(64, '0')}`

/**
 * Encodes the call that executes a payment.
 *
 * @param signedByKey Whether a key has signed, so that the signature can be passed in parts, which tokens older than USDC 2.2 require. The
 * signature of a contract wallet is passed as it is.
 */
export function transferCall(payment: Payment, signedByKey: boolean): Hex {
  const terms = [
    asHex(payment.payer),
    asHex(payment.payTo),
    payment.amount,
    payment.validAfter,
    payment.validBefore,
    asHex(payment.nonce),
  ] as const
  const signature = asHex(payment.signature)
  if (!signedByKey) {
    return encodeFunctionData({
      abi: transferAbi,
      functionName: 'transferWithAuthorization',
      args: [...terms, signature],
    })
  }
  const last = Number.parseInt(signature.slice(130), 16)
  return encodeFunctionData({
    abi: transferAbi,
    functionName: 'transferWithAuthorization',
    args: [
      ...terms,
      last < 27 ? last + 27 : last,
      `0x${signature.slice(2, 66)}`,
      `0x${signature.slice(66, 130)}`,
    ],
  })
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
