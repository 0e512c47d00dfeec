import { keccak256, stringToBytes } from 'viem'
import type { Payment } from './payment.ts'

const hashText = (text: string): string => keccak256(stringToBytes(text)).slice(2)
const domainType = hashText(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
)
const transferType = hashText(
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
)

const addressWord = (address: string): string => address.slice(2).padStart(64, '0')
const numberWord = (value: bigint): string => value.toString(16).padStart(64, '0')

/** Domain names come from callers, so what is remembered of them is bounded. */
const domainsKept = 1000
const domains = new Map<string, string>()

/** EIP-712 domain separator, hex digits without 0x, of the payment's asset under the name and version it states. */
export function domainSeparator(
  payment: Pick<Payment, 'domainName' | 'domainVersion' | 'chainId' | 'asset'>,
): string {
  const { domainName, domainVersion, chainId, asset } = payment
  const key = JSON.stringify([chainId, asset, domainVersion, domainName])
  const known = domains.get(key)
  if (known !== undefined) return known
  const packed = `${domainType}${hashText(domainName)}${hashText(domainVersion)}${numberWord(BigInt(chainId))}${addressWord(asset)}`
  const separator = hashBytes(packed).toString('hex')
  if (domains.size >= domainsKept) domains.clear()
  domains.set(key, separator)
  return separator
}

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
