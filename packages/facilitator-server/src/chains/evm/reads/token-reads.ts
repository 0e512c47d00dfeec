import { type Hex, toFunctionSelector } from 'viem'
import { addressWord, encodeBytes, numberWord } from './abi-words.ts'
import { multicallAddress, type Read, type ReadResult } from './multicall-reads.ts'

const toSelector = (signature: string): string => toFunctionSelector(signature).slice(2)
const selectors = {
  balanceOf: toSelector('balanceOf(address)'),
  domainSeparator: toSelector('DOMAIN_SEPARATOR()'),
  name: toSelector('name()'),
  version: toSelector('version()'),
  isValidSignature: toSelector('isValidSignature(bytes32,bytes)'),
  blockTimestamp: toSelector('getCurrentBlockTimestamp()'),
  blockNumber: toSelector('getBlockNumber()'),
}

export const balanceOf = (asset: string, account: string): Read => ({
  target: asset,
  data: `${selectors.balanceOf}${addressWord(account)}`,
})

/** Reads the token's EIP-712 domain. */
export const domainReads = (asset: string): Read[] => [
  { target: asset, data: selectors.domainSeparator },
  { target: asset, data: selectors.name },
  { target: asset, data: selectors.version },
]

/** Reads the timestamp, in Unix seconds, of the block of the same call's other reads. */
export const blockTimestamp = (): Read => ({ target: multicallAddress, data: selectors.blockTimestamp })

/**
 * Reads the number of the block of the same call's other reads. On chains whose contracts see another chain's
 * block number, such as Arbitrum, it is the other chain's.
 */
export const blockNumber = (): Read => ({ target: multicallAddress, data: selectors.blockNumber })

/**
 * Encodes the call of a wallet that verifies the signature of a digest (ERC-1271). The digest is given
 * without 0x.
 */
export const encodeSignatureCheck = (digest: string, signature: string): Hex =>
  `0x${selectors.isValidSignature}${digest}${numberWord(64)}${encodeBytes(signature.slice(2))}`

/** Whether the wallet accepted the signature: ERC-1271 returns the function's selector. */
export const isAccepted = (returned: string): boolean =>
  returned.length >= 66 && returned.startsWith(`0x${selectors.isValidSignature}`)

/** Whether the address has no code: a call of it succeeds and returns nothing. */
export const hasNoCode = ({ success, data }: ReadResult): boolean => success && data === ''

/** Decodes one word. Undefined if the contract lacks the function. */
export const readWord = ({ success, data }: ReadResult): bigint | undefined =>
  success && data.length === 64 ? BigInt(`0x${data}`) : undefined

/** Decodes an ABI-encoded string. Undefined if the data is not one. */
export function readText({ success, data }: ReadResult): string | undefined {
  if (!success || data.length < 128) return undefined
  const length = Number(BigInt(`0x${data.slice(64, 128)}`)) * 2
  const bytes = data.slice(128, 128 + length)
  return bytes.length === length ? Buffer.from(bytes, 'hex').toString('utf8') : undefined
}
