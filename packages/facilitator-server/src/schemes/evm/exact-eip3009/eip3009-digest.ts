import { addressWord, numberWord } from '../../../chains/evm/reads/abi-words.ts'
import { hashDigits, hashText } from '../../../chains/evm/signatures/keccak.ts'
import type { Payment } from '../../../payment/payment.ts'

const domainType = hashText(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
)
const transferType = hashText(
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
)

type Domain = Pick<Payment, 'domainName' | 'domainVersion' | 'chainId' | 'asset'>

/** One per token. The names in a payment come from callers, so their separators are not cached. */
const tokenSeparators = new Map<string, { name: string; version: string; separator: string }>()

const tokenKey = ({ chainId, asset }: Domain): string => `${chainId}/${asset}`

/**
 * Computes the EIP-712 domain separator, in hex digits without 0x, of the payment's asset with the payment's
 * name and version.
 */
export function domainSeparator(payment: Domain): string {
  const { domainName, domainVersion, chainId, asset } = payment
  const cached = tokenSeparators.get(tokenKey(payment))
  if (cached?.name === domainName && cached.version === domainVersion) return cached.separator
  const packed = `${domainType}${hashText(domainName)}${hashText(domainVersion)}${numberWord(chainId)}${addressWord(asset)}`
  return hashDigits(packed)
}

/** Caches the payment's separator. Call it only if the token itself reports this separator. */
export function cacheSeparator(payment: Domain, separator: string): void {
  const { domainName: name, domainVersion: version } = payment
  tokenSeparators.set(tokenKey(payment), { name, version, separator })
}

export const countCachedSeparators = (): number => tokenSeparators.size

/**
 * Computes the EIP-712 digest that the payer of an EIP-3009 `TransferWithAuthorization` signs. Hand-written
 * with precomputed type hashes: a general encoder takes several times as long as the rest of a verify.
 */
export function authorizationDigest(payment: Payment): Buffer {
  const terms = hashDigits(
    transferType +
      addressWord(payment.payer) +
      addressWord(payment.payTo) +
      numberWord(payment.amount) +
      numberWord(payment.validAfter) +
      numberWord(payment.validBefore) +
      payment.nonce.slice(2),
  )
  return Buffer.from(hashDigits(`1901${domainSeparator(payment)}${terms}`), 'hex')
}
