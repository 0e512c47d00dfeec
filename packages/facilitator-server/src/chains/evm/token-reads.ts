import { toFunctionSelector } from 'viem'
import { multicallAddress, type Read, type ReadResult } from './batched-reads.ts'

const selectorOf = (signature: string): string => toFunctionSelector(signature).slice(2)
const selectors = {
  authorizationState: selectorOf('authorizationState(address,bytes32)'),
  balanceOf: selectorOf('balanceOf(address)'),
  domainSeparator: selectorOf('DOMAIN_SEPARATOR()'),
  name: selectorOf('name()'),
  version: selectorOf('version()'),
  isValidSignature: selectorOf('isValidSignature(bytes32,bytes)'),
  blockTimestamp: selectorOf('getCurrentBlockTimestamp()'),
  blockNumber: selectorOf('getBlockNumber()'),
}

const addressWord = (address: string): string => address.slice(2).padStart(64, '0')

/** Whether the authorizer's nonce was used or cancelled (EIP-3009). */
export const authorizationState = (asset: string, payer: string, nonce: string): Read => ({
  target: asset,
  data: `${selectors.authorizationState}${addressWord(payer)}${nonce.slice(2)}`,
})

export const balanceOf = (asset: string, account: string): Read => ({
  target: asset,
  data: `${selectors.balanceOf}${addressWord(account)}`,
})

/** What the token says of its EIP-712 domain. */
export const domainOf = (asset: string): Read[] => [
  { target: asset, data: selectors.domainSeparator },
  { target: asset, data: selectors.name },
  { target: asset, data: selectors.version },
]

/** Unix seconds of the block that the other reads of the same call are read from. */
export const blockTimestamp = (): Read => ({ target: multicallAddress, data: selectors.blockTimestamp })

/**
 * Number of the block that the other reads of the same call are read from. On chains whose contracts see another chain's
 * block number, such as Arbitrum, it is that one.
 */
export const blockNumber = (): Read => ({ target: multicallAddress, data: selectors.blockNumber })

/** ERC-1271: whether the wallet accepts the signature of the digest. */
export function isValidSignature(wallet: string, digest: string, signature: string): Read {
  const bytes = signature.slice(2)
  const length = (bytes.length / 2).toString(16).padStart(64, '0')
  const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')
  const offset = '40'.padStart(64, '0')
  return {
    target: wallet,
    data: `${selectors.isValidSignature}${digest.slice(2)}${offset}${length}${padded}`,
  }
}

/** ERC-1271's yes is the function's own selector. */
export const accepted = ({ success, data }: ReadResult): boolean =>
  success && data.length >= 64 && data.startsWith(selectors.isValidSignature)

/** A call of an address without code succeeds and returns nothing. */
export const hasNoCode = ({ success, data }: ReadResult): boolean => success && data === ''

/** One word, undefined when the contract does not have the function. */
export const readWord = ({ success, data }: ReadResult): bigint | undefined =>
  success && data.length === 64 ? BigInt(`0x${data}`) : undefined

/** An ABI-encoded text, undefined when it is none. */
export function readText({ success, data }: ReadResult): string | undefined {
  if (!success || data.length < 128) return undefined
  const length = Number(BigInt(`0x${data.slice(64, 128)}`)) * 2
  const bytes = data.slice(128, 128 + length)
  return bytes.length === length ? Buffer.from(bytes, 'hex').toString('utf8') : undefined
}
