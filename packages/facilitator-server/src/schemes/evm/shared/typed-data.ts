import type { Hex } from 'viem'
import { addressWord, numberWord } from '../../../chains/evm/reads/abi-words.ts'
import { hashDigits, hashText } from '../../../chains/evm/signatures/keccak.ts'

// EIP-712 with precomputed type hashes, because a general encoder takes several times as long as the rest of a
// verify. Words and hashes are hex digits without 0x.

/** Creates the function that hashes structs of a type from the words of their fields. */
export function createStructHash(type: string): (...words: readonly string[]) => string {
  const typeHash = hashText(type)
  return (...words) => hashDigits(typeHash + words.join(''))
}

interface Domain {
  readonly name: string
  readonly version: string
  readonly chainId: number
  /** The address of the contract that verifies the signature, lower-case. */
  readonly contract: string
}

const hashDomainWords = createStructHash(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
)

/** Computes the separator of a domain. */
export const hashDomain = ({ name, version, chainId, contract }: Domain): string =>
  hashDomainWords(hashText(name), hashText(version), numberWord(chainId), addressWord(contract))

/** Computes what is signed for a struct under a domain. */
export const computeDigest = (separator: string, struct: string): string =>
  hashDigits(`1901${separator}${struct}`)

/** Combines facts into the nonce of a request: numbers, addresses and hashes. */
export const combineWords = (...words: readonly (string | bigint)[]): Hex =>
  `0x${hashDigits(words.map(toWord).join(''))}`

const toWord = (fact: string | bigint): string =>
  typeof fact === 'bigint' ? numberWord(fact) : fact.slice(2).padStart(64, '0')
