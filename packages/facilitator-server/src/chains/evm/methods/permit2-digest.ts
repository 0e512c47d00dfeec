import { keccak256, stringToBytes } from 'viem'
import type { Payment, Permit2Terms } from '../../../payments/payment.ts'
import { addressWord, numberWord } from '../abi-words.ts'
import { permit2Address, proxyOf } from './permit2-contracts.ts'

const hashText = (text: string): string => keccak256(stringToBytes(text)).slice(2)
const hashWords = (digits: string): string => keccak256(Buffer.from(digits, 'hex')).slice(2)

const domainType = hashText('EIP712Domain(string name,uint256 chainId,address verifyingContract)')
const permissionsType = 'TokenPermissions(address token,uint256 amount)'
const witnessTypes = {
  exact: 'Witness(address to,uint256 validAfter)',
  upto: 'Witness(address to,address facilitator,uint256 validAfter)',
}
const transferType =
  'PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Witness witness)'

const hashes = {
  domainName: hashText('Permit2'),
  permissions: hashText(permissionsType),
  witness: { exact: hashText(witnessTypes.exact), upto: hashText(witnessTypes.upto) },
  transfer: {
    exact: hashText(`${transferType}${permissionsType}${witnessTypes.exact}`),
    upto: hashText(`${transferType}${permissionsType}${witnessTypes.upto}`),
  },
}

/** Computes the EIP-712 digest that the payer of a Permit2 payment signs. */
export function computePermit2Digest(payment: Payment, { maximum, facilitator }: Permit2Terms): Buffer {
  const { scheme, asset, payTo, nonce, validAfter, validBefore, chainId } = payment
  const proxied = scheme === 'upto' ? 'upto' : 'exact'
  const witness = hashWords(
    hashes.witness[proxied] +
      addressWord(payTo) +
      (facilitator === undefined ? '' : addressWord(facilitator)) +
      numberWord(validAfter),
  )
  const permissions = hashWords(hashes.permissions + addressWord(asset) + numberWord(maximum))
  const terms = hashWords(
    hashes.transfer[proxied] +
      permissions +
      addressWord(proxyOf(scheme)) +
      nonce.slice(2) +
      // The deadline is the last second at which Permit2 accepts the signature.
      numberWord(validBefore - 1n) +
      witness,
  )
  const separator = hashWords(
    domainType + hashes.domainName + numberWord(chainId) + addressWord(permit2Address),
  )
  return Buffer.from(hashWords(`1901${separator}${terms}`), 'hex')
}
