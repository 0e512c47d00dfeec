import type { MintSignature } from '@mintmark/minting'

export {
  signatureMint721Abi,
  signatureMint721Bytecode,
  signatureMint1155Abi,
  signatureMint1155Bytecode,
} from './mint-contracts.ts'

/** The currency by which the contracts know the chain's native token. */
export const NATIVE_TOKEN = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** The EIP-712 types of what a minter signs, with the primary type `MintRequest`. */
export const mintRequestTypes = {
  MintRequest: [
    { name: 'to', type: 'address' },
    { name: 'royaltyRecipient', type: 'address' },
    { name: 'royaltyBps', type: 'uint256' },
    { name: 'primarySaleRecipient', type: 'address' },
    { name: 'uri', type: 'string' },
    { name: 'quantity', type: 'uint256' },
    { name: 'pricePerToken', type: 'uint256' },
    { name: 'currency', type: 'address' },
    { name: 'validityStartTimestamp', type: 'uint128' },
    { name: 'validityEndTimestamp', type: 'uint128' },
    { name: 'uid', type: 'bytes32' },
  ],
} as const

type Hex = `0x${string}`
const asHex = (text: string): Hex => `0x${text.slice(2)}`

/** A `MintRequest` as viem encodes it. */
export interface MintRequest {
  readonly to: Hex
  readonly royaltyRecipient: Hex
  readonly royaltyBps: bigint
  readonly primarySaleRecipient: Hex
  readonly uri: string
  readonly quantity: bigint
  readonly pricePerToken: bigint
  readonly currency: Hex
  readonly validityStartTimestamp: bigint
  readonly validityEndTimestamp: bigint
  readonly uid: Hex
}

/** Converts the payload of a mint signature to the contract's `MintRequest`. */
export function toMintRequest(payload: MintSignature['payload']): MintRequest {
  return {
    to: asHex(payload.to),
    royaltyRecipient: asHex(payload.royaltyRecipient),
    royaltyBps: BigInt(payload.royaltyBps),
    primarySaleRecipient: asHex(payload.primarySaleRecipient),
    uri: payload.uri,
    quantity: BigInt(payload.quantity),
    pricePerToken: BigInt(payload.pricePerToken),
    currency: asHex(payload.currency),
    validityStartTimestamp: BigInt(payload.validityStartTimestamp),
    validityEndTimestamp: BigInt(payload.validityEndTimestamp),
    uid: asHex(payload.uid),
  }
}

/** The part of viem's and wagmi's `writeContract` parameters that a mint signature decides. */
export interface MintCall {
  readonly address: Hex
  readonly functionName: 'mintWithSignature'
  readonly args: readonly [MintRequest, Hex]
  /** The price in the chain's native token. 0 if it is collected in an ERC-20, which the sender approves before. */
  readonly value: bigint
}

/**
 * Converts a mint signature to the call of its contract. Anybody may send it and pays the price; the
 * recipient gets the tokens.
 *
 * @example
 * const signed = await lazyMinting.mintSign(gateway, { nftAddress, recipient })
 * const hash = await wallet.writeContract({ abi: signatureMint721Abi, ...toMintCall(signed) })
 */
export function toMintCall(signed: Pick<MintSignature, 'domain' | 'payload' | 'signature'>): MintCall {
  const request = toMintRequest(signed.payload)
  const isNative = request.currency.toLowerCase() === NATIVE_TOKEN
  return {
    address: asHex(signed.domain.verifyingContract),
    functionName: 'mintWithSignature',
    args: [request, asHex(signed.signature)],
    value: isNative ? request.pricePerToken * request.quantity : 0n,
  }
}
