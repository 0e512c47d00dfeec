import { mintRequestTypes, NATIVE_TOKEN, toMintRequest } from '@mintmark/contracts/abi'
import { type Hex, hashTypedData, keccak256, stringToHex, zeroAddress } from 'viem'
import { isEvmAddress } from '../../../http/address-rules.ts'

/**
 * A signature is valid from a minute before the chain's newest block, because other clocks may lag behind,
 * until ten minutes after it.
 */
const BEFORE_SECONDS = 60
const VALID_SECONDS = 600

/** A MintRequest as it is stored and returned: numbers are decimal strings. */
export interface MintPayload {
  readonly to: string
  readonly royaltyRecipient: string
  readonly royaltyBps: string
  readonly primarySaleRecipient: string
  readonly uri: string
  readonly quantity: string
  readonly pricePerToken: string
  readonly currency: string
  readonly validityStartTimestamp: string
  readonly validityEndTimestamp: string
  readonly uid: string
}

/** What to mint, for whom and at what price. Addresses are in lower case. */
export interface Minting {
  readonly recipient: string
  readonly quantity: number
  /** The price of one token, in base units. */
  readonly price: string
  /** Empty for the chain's native token. */
  readonly payTokenAddress: string
  readonly uri: string
  /** Empty for the contract's own recipient. */
  readonly saleRecipient: string
  /** Empty for the contract's own recipient. */
  readonly royaltyRecipient: string
  readonly royaltyPercentage: number
}

// For the zero address, the contract uses its own recipient.
const recipientOf = (address: string) => (isEvmAddress(address) ? address : zeroAddress)

/** Creates the request for a mint that is signed at `chainTime`. */
export function mintPayload(minting: Minting, uid: string, chainTime: number): MintPayload {
  const royaltyRecipient = recipientOf(minting.royaltyRecipient)
  const royaltyBps = royaltyRecipient === zeroAddress ? 0 : Math.round(minting.royaltyPercentage * 100)
  return {
    to: minting.recipient,
    royaltyRecipient,
    royaltyBps: String(royaltyBps),
    primarySaleRecipient: recipientOf(minting.saleRecipient),
    uri: minting.uri,
    quantity: String(minting.quantity),
    pricePerToken: minting.price,
    currency: minting.payTokenAddress || NATIVE_TOKEN,
    validityStartTimestamp: String(chainTime - BEFORE_SECONDS),
    validityEndTimestamp: String(chainTime + VALID_SECONDS),
    uid,
  }
}

/**
 * Derives the uid of a reservation's mint. It is unique across projects and, because of the minter's address,
 * across installations.
 */
export function uidOf(reservation: { project: number; id: number; minter: string }, contract: string): Hex {
  const { project, id, minter } = reservation
  return keccak256(stringToHex(`mintmark/mint/${minter}/${contract}/${project}/${id}`))
}

export interface MintDomain {
  readonly name: string
  readonly version: string
  readonly chainId: number
  readonly verifyingContract: string
}

export function mintDomain(chainId: string, contract: string): MintDomain {
  return {
    name: 'SignatureMintERC721',
    version: '1',
    chainId: Number(chainId),
    verifyingContract: contract,
  }
}

export const asHex = (text: string): Hex => `0x${text.slice(2)}`

/** Returns the signed request of a reservation. */
export function payloadOf({ payload }: { readonly payload: Record<string, string> }): MintPayload {
  // `mintPayload` created it when the reservation was signed.
  return payload as unknown as MintPayload
}

/** Computes what is signed: the EIP-712 hash of a request for a contract. */
export function mintHash(domain: MintDomain, payload: MintPayload): Hex {
  return hashTypedData({
    domain: { ...domain, verifyingContract: asHex(domain.verifyingContract) },
    types: mintRequestTypes,
    primaryType: 'MintRequest',
    message: toMintRequest(payload),
  })
}
