import type { Hex } from 'viem'
import { addressWord, numberWord } from '../../../chains/evm/reads/abi-words.ts'
import { hashDigits, hashText } from '../../../chains/evm/signatures/keccak.ts'
import type { Payment } from '../../../payment/payment.ts'
import { domainSeparator } from '../exact-eip3009/eip3009-digest.ts'
import { batchSettlementAddress, depositCollectorAddress } from './channel-contracts.ts'
import type { ChannelConfig, Claim } from './channel-terms.ts'

// Hand-written with precomputed type hashes, because a general encoder takes several times as long as the
// rest of a verify.

const claimEntryType = 'ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)'
const types = {
  domain: hashText('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
  config: hashText(
    'ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)',
  ),
  voucher: hashText('Voucher(bytes32 channelId,uint128 maxClaimableAmount)'),
  refund: hashText('Refund(bytes32 channelId,uint256 nonce,uint128 amount)'),
  claimEntry: hashText(claimEntryType),
  claimBatch: hashText(`ClaimBatch(ClaimEntry[] claims)${claimEntryType}`),
  receive: hashText(
    'ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
  ),
}
const names = hashText('x402 Batch Settlement') + hashText('1')

const hash = (digits: string): Hex => `0x${hashDigits(digits)}`
const hashStruct = (type: string, fields: string): string => hashDigits(type + fields)

/** One per chain. */
const separators = new Map<number, string>()

function separatorOf(chainId: number): string {
  const cached = separators.get(chainId)
  if (cached !== undefined) return cached
  const fields = names + numberWord(chainId) + addressWord(batchSettlementAddress)
  const separator = hashStruct(types.domain, fields)
  separators.set(chainId, separator)
  return separator
}

const digestOn = (chainId: number, struct: string): Hex => hash(`1901${separatorOf(chainId)}${struct}`)

/** Computes the id of a channel. */
export function computeChannelId(config: ChannelConfig, chainId: number): Hex {
  const fields =
    addressWord(config.payer) +
    addressWord(config.payerAuthorizer) +
    addressWord(config.receiver) +
    addressWord(config.receiverAuthorizer) +
    addressWord(config.token) +
    numberWord(config.withdrawDelay) +
    config.salt.slice(2)
  return digestOn(chainId, hashStruct(types.config, fields))
}

/** Computes what the payer of a channel signs for a voucher. */
export const computeVoucherDigest = (channelId: string, maximum: bigint, chainId: number): Hex =>
  digestOn(chainId, hashStruct(types.voucher, channelId.slice(2) + numberWord(maximum)))

/** Computes what the seller's authorizer signs for a refund. */
export function computeRefundDigest(
  { channelId, refundNonce, amount }: { channelId: string; refundNonce: bigint; amount: bigint },
  chainId: number,
): Hex {
  const fields = channelId.slice(2) + numberWord(refundNonce) + numberWord(amount)
  return digestOn(chainId, hashStruct(types.refund, fields))
}

/** Computes what the seller's authorizer signs for claims. */
export function computeClaimsDigest(claims: readonly Claim[], chainId: number): Hex {
  const entries = claims.map(({ channelId, maximum, total }) =>
    hashStruct(types.claimEntry, channelId.slice(2) + numberWord(maximum) + numberWord(total)),
  )
  return digestOn(chainId, hashStruct(types.claimBatch, hashDigits(entries.join(''))))
}

/** Computes the nonce that binds a deposit to its channel. */
export const computeDepositNonce = (channelId: string, salt: bigint): Hex =>
  hash(channelId.slice(2) + numberWord(salt))

/** Computes what the payer signs for a deposit: the collector takes the tokens. */
export function computeDepositDigest(payment: Payment): Buffer {
  const fields =
    addressWord(payment.payer) +
    addressWord(depositCollectorAddress) +
    numberWord(payment.amount) +
    numberWord(payment.validAfter) +
    numberWord(payment.validBefore) +
    payment.nonce.slice(2)
  const digits = hash(`1901${domainSeparator(payment)}${hashStruct(types.receive, fields)}`)
  return toBytes(digits)
}

/** Combines several facts into the nonce of an operation. */
export const combineHashes = (...hashes: readonly string[]): Hex =>
  hash(hashes.map((each) => each.slice(2).padStart(64, '0')).join(''))

export const toBytes = (digits: Hex): Buffer => Buffer.from(digits.slice(2), 'hex')
