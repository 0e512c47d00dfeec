import { addressWord, numberWord } from '../../../../chains/evm/reads/abi-words.ts'
import { hashText } from '../../../../chains/evm/signatures/keccak.ts'
import type { Payment } from '../../../../payment/payment.ts'
import { computeDigest, createStructHash } from '../typed-data.ts'
import { permit2Address } from './permit2-contracts.ts'
import type { Permit2Terms } from './permit2-terms.ts'

/** What a payer signs for a contract of x402 that calls Permit2. */
export interface SignedSpender<Details> {
  /** The contract's address, lower-case. */
  readonly spender: string
  /** The type of what the payer signs in addition to the transfer, such as `Witness(address to)`. */
  readonly witnessType: string
  /** Encodes what the payer signs in addition to the transfer. */
  encodeWitness(payment: Payment<Details>): string
}

const permissionsType = 'TokenPermissions(address token,uint256 amount)'
const hashPermissions = createStructHash(permissionsType)
const hashDomain = createStructHash('EIP712Domain(string name,uint256 chainId,address verifyingContract)')
const domainName = hashText('Permit2')
const transferStart =
  'PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,'

/** Creates the function that computes the EIP-712 digest which the payer of a Permit2 payment signs. */
export function createPermit2Digest<Details extends Permit2Terms>({
  spender,
  witnessType,
  encodeWitness,
}: SignedSpender<Details>): (payment: Payment<Details>) => Buffer {
  const [witnessName] = witnessType.split('(')
  // Types are in the order of their names.
  const types = [permissionsType, witnessType].toSorted().join('')
  const hashTransfer = createStructHash(`${transferStart}${witnessName} witness)${types}`)
  const hashWitness = createStructHash(witnessType)
  return (payment) => {
    const { asset, nonce, validBefore, chainId, details } = payment
    const terms = hashTransfer(
      hashPermissions(addressWord(asset), numberWord(details.maximum)),
      addressWord(spender),
      nonce.slice(2),
      // The deadline is the last second at which Permit2 accepts the signature.
      numberWord(validBefore - 1n),
      hashWitness(encodeWitness(payment)),
    )
    const separator = hashDomain(domainName, numberWord(chainId), addressWord(permit2Address))
    return Buffer.from(computeDigest(separator, terms), 'hex')
  }
}
