import type { Hex } from 'viem'
import { addressWord, numberWord } from '../../../chains/evm/reads/abi-words.ts'
import { hashDigits } from '../../../chains/evm/signatures/keccak.ts'
import { computeDigest, createStructHash, hashDomain } from '../shared/typed-data.ts'
import { batchSettlementAddress } from './channel-contracts.ts'
import type { ChannelConfig, Claim } from './channel-terms.ts'

const claimEntryType = 'ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)'
const hashConfig = createStructHash(
  'ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)',
)
const hashVoucher = createStructHash('Voucher(bytes32 channelId,uint128 maxClaimableAmount)')
const hashRefund = createStructHash('Refund(bytes32 channelId,uint256 nonce,uint128 amount)')
const hashClaimEntry = createStructHash(claimEntryType)
const hashClaimBatch = createStructHash(`ClaimBatch(ClaimEntry[] claims)${claimEntryType}`)

/** One per chain, because a voucher is hashed faster than its domain. */
const separators = new Map<number, string>()

function getSeparator(chainId: number): string {
  const contract = batchSettlementAddress
  const separator =
    separators.get(chainId) ?? hashDomain({ name: 'x402 Batch Settlement', version: '1', chainId, contract })
  separators.set(chainId, separator)
  return separator
}

const computeDigestOn = (chainId: number, struct: string): Hex =>
  `0x${computeDigest(getSeparator(chainId), struct)}`

/** Computes the id of a channel. */
export const computeChannelId = (config: ChannelConfig, chainId: number): Hex =>
  computeDigestOn(
    chainId,
    hashConfig(
      addressWord(config.payer),
      addressWord(config.payerAuthorizer),
      addressWord(config.receiver),
      addressWord(config.receiverAuthorizer),
      addressWord(config.token),
      numberWord(config.withdrawDelay),
      config.salt.slice(2),
    ),
  )

/** Computes what the payer of a channel signs for a voucher. */
export const computeVoucherDigest = (channelId: string, maximum: bigint, chainId: number): Hex =>
  computeDigestOn(chainId, hashVoucher(channelId.slice(2), numberWord(maximum)))

/** Computes what the seller's authorizer signs for a refund. */
export const computeRefundDigest = (
  { channelId, refundNonce, amount }: { channelId: string; refundNonce: bigint; amount: bigint },
  chainId: number,
): Hex =>
  computeDigestOn(chainId, hashRefund(channelId.slice(2), numberWord(refundNonce), numberWord(amount)))

/** Computes what the seller's authorizer signs for claims. */
export function computeClaimsDigest(claims: readonly Claim[], chainId: number): Hex {
  const entries = claims.map(({ channelId, maximum, total }) =>
    hashClaimEntry(channelId.slice(2), numberWord(maximum), numberWord(total)),
  )
  return computeDigestOn(chainId, hashClaimBatch(hashDigits(entries.join(''))))
}

export const toBytes = (digits: Hex): Buffer => Buffer.from(digits.slice(2), 'hex')
