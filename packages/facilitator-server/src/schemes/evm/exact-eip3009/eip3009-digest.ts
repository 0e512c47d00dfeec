import { addressWord, numberWord } from '../../../chains/evm/reads/abi-words.ts'
import type { Payment } from '../../../payment/payment.ts'
import { computeDigest, createStructHash, hashDomain } from '../shared/typed-data.ts'

const terms = 'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce'
const hashTransfer = createStructHash(`TransferWithAuthorization(${terms})`)
const hashReceive = createStructHash(`ReceiveWithAuthorization(${terms})`)

/** Encodes the terms of an authorization, whose tokens go to an address, as words without 0x. */
export const encodeTerms = (payment: Payment, to: string): string =>
  addressWord(payment.payer) +
  addressWord(to) +
  numberWord(payment.amount) +
  numberWord(payment.validAfter) +
  numberWord(payment.validBefore) +
  payment.nonce.slice(2)

/** Computes the EIP-712 domain separator of the payment's asset, in hex digits without 0x. */
export const domainSeparator = ({
  domainName: name,
  domainVersion: version,
  chainId,
  asset: contract,
}: Pick<Payment, 'domainName' | 'domainVersion' | 'chainId' | 'asset'>): string =>
  hashDomain({ name, version, chainId, contract })

/** Computes the EIP-712 digest that the payer of an EIP-3009 `TransferWithAuthorization` signs. */
export const computeTransferDigest = (payment: Payment): Buffer =>
  computeDigestBytes(payment, hashTransfer(encodeTerms(payment, payment.payTo)))

/** Computes the digest of a `ReceiveWithAuthorization`: a contract takes the tokens. */
export const computeReceiveDigest = (payment: Payment, collector: string): Buffer =>
  computeDigestBytes(payment, hashReceive(encodeTerms(payment, collector)))

const computeDigestBytes = (payment: Payment, struct: string): Buffer =>
  Buffer.from(computeDigest(domainSeparator(payment), struct), 'hex')
