import { addressWord, numberWord } from '../../../../chains/evm/reads/abi-words.ts'
import { hashDigits, hashText } from '../../../../chains/evm/signatures/keccak.ts'
import type { Payment, Permit2Terms, Scheme } from '../../../../payment/payment.ts'
import { permit2Address, spenders } from './permit2-contracts.ts'

const domainType = hashText('EIP712Domain(string name,uint256 chainId,address verifyingContract)')
const permissionsType = 'TokenPermissions(address token,uint256 amount)'
const witnessTypes = {
  exact: 'Witness(address to,uint256 validAfter)',
  upto: 'Witness(address to,address facilitator,uint256 validAfter)',
  'batch-settlement': 'DepositWitness(bytes32 channelId)',
}
const transferStart =
  'PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,'

const hashes = {
  domainName: hashText('Permit2'),
  permissions: hashText(permissionsType),
  witness: {
    exact: hashText(witnessTypes.exact),
    upto: hashText(witnessTypes.upto),
    'batch-settlement': hashText(witnessTypes['batch-settlement']),
  },
  transfer: {
    exact: hashText(`${transferStart}Witness witness)${permissionsType}${witnessTypes.exact}`),
    upto: hashText(`${transferStart}Witness witness)${permissionsType}${witnessTypes.upto}`),
    // Types are in the order of their names.
    'batch-settlement': hashText(
      `${transferStart}DepositWitness witness)${witnessTypes['batch-settlement']}${permissionsType}`,
    ),
  },
} satisfies Record<string, string | Record<Scheme, string>>

/** Encodes what the payer signs in addition to the transfer. */
function encodeWitness({ channel, payTo, validAfter }: Payment, facilitator: string | undefined): string {
  if (channel?.kind === 'deposit') return channel.voucher.channelId.slice(2)
  return (
    addressWord(payTo) + (facilitator === undefined ? '' : addressWord(facilitator)) + numberWord(validAfter)
  )
}

/** Computes the EIP-712 digest that the payer of a Permit2 payment signs. */
export function computePermit2Digest(payment: Payment, { maximum, facilitator }: Permit2Terms): Buffer {
  const { scheme, asset, nonce, validBefore, chainId } = payment
  const witness = hashDigits(hashes.witness[scheme] + encodeWitness(payment, facilitator))
  const permissions = hashDigits(hashes.permissions + addressWord(asset) + numberWord(maximum))
  const terms = hashDigits(
    hashes.transfer[scheme] +
      permissions +
      addressWord(spenders[scheme]) +
      nonce.slice(2) +
      // The deadline is the last second at which Permit2 accepts the signature.
      numberWord(validBefore - 1n) +
      witness,
  )
  const separator = hashDigits(
    domainType + hashes.domainName + numberWord(chainId) + addressWord(permit2Address),
  )
  return Buffer.from(hashDigits(`1901${separator}${terms}`), 'hex')
}
