import { keccak256, stringToBytes } from 'viem'
import type { Payment } from '../payment.ts'

const hashText = (text: string): string => keccak256(stringToBytes(text)).slice(2)
const domainType = hashText(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
)
const transferType = hashText(
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
)

const addressWord = (address: string): string => address.slice(2).padStart(64, '0')
const numberWord = (value: bigint): string => value.toString(16).padStart(64, '0')

type Domain = Pick<Payment, 'domainName' | 'domainVersion' | 'chainId' | 'asset'>

/** One for each token: callers choose the names of a payment, so what they state is not kept. */
const tokenSeparators = new Map<string, { name: string; version: string; separator: string }>()

const tokenKey = ({ chainId, asset }: Domain): string => `${chainId}/${asset}`

/** EIP-712 domain separator, hex digits without 0x, of the payment's asset under the name and version it states. */
export function domainSeparator(payment: Domain): string {
  const { domainName, domainVersion, chainId, asset } = payment
  const kept = tokenSeparators.get(tokenKey(payment))
  if (kept?.name === domainName && kept.version === domainVersion) return kept.separator
  const packed = `${domainType}${hashText(domainName)}${hashText(domainVersion)}${numberWord(BigInt(chainId))}${addressWord(asset)}`
  return hashBytes(packed).toString('hex')
}

/** Keeps the payment's separator. Call it only when the token itself states this separator. */
export function keepSeparator(payment: Domain, separator: string): void {
  const { domainName: name, domainVersion: version } = payment
  tokenSeparators.set(tokenKey(payment), { name, version, separator })
}

export const countKeptSeparators = (): number => tokenSeparators.size

/**
 * The EIP-712 digest that the payer of an EIP-3009 `TransferWithAuthorization` signs. Packed by hand, with the types
 * hashed beforehand: a general encoder takes several times as long as all else that a verify computes.
 */
export function authorizationDigest(payment: Payment): Buffer {
  const terms = hashBytes(
    transferType +
      addressWord(payment.payer) +
      addressWord(payment.payTo) +
      numberWord(payment.amount) +
      numberWord(payment.validAfter) +
      numberWord(payment.validBefore) +
      payment.nonce.slice(2),
  )
  return hashBytes(`1901${domainSeparator(payment)}${terms.toString('hex')}`)
}

function hashBytes(digits: string): Buffer {
  const hash = keccak256(Buffer.from(digits, 'hex'), 'bytes')
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength)
}
