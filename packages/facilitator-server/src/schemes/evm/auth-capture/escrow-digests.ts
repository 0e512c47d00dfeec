import { addressWord, numberWord } from '../../../chains/evm/reads/abi-words.ts'
import { hashDigits } from '../../../chains/evm/signatures/keccak.ts'
import type { Payment } from '../../../payment/payment.ts'
import { combineWords, computeDigest, createStructHash, hashDomain } from '../shared/typed-data.ts'
import { collectorAddress, escrowAddress, refundCollectorAddress } from './escrow-addresses.ts'
import type { Charge, EscrowBalances, EscrowOperation, PaymentInfo } from './escrow-terms.ts'

const hashInfoStruct = createStructHash(
  'PaymentInfo(address operator,address payer,address receiver,address token,uint120 maxAmount,uint48 preApprovalExpiry,uint48 authorizationExpiry,uint48 refundExpiry,uint16 minFeeBps,uint16 maxFeeBps,address feeReceiver,uint256 salt)',
)
const hashSaltBinding = createStructHash(
  'x402AuthCaptureSaltBinding(address receiverAuthorizer,address policy,uint256 saltNonce)',
)
const hashCapture = createStructHash(
  'Capture(bytes32 paymentInfoHash,uint256 amount,uint256 feeAmount,address feeReceiver,uint256 expectedCapturableAmount,uint256 expectedRefundableAmount)',
)
const hashCharge = createStructHash(
  'Charge(bytes32 paymentInfoHash,uint256 amount,address tokenCollector,bytes32 collectorDataHash,uint256 feeAmount,address feeReceiver)',
)
const hashRefund = createStructHash(
  'Refund(bytes32 paymentInfoHash,uint256 amount,address tokenCollector,uint256 expectedCapturableAmount,uint256 expectedRefundableAmount)',
)
const hashVoid = createStructHash('Void(bytes32 paymentInfoHash)')
const ZERO_WORD = '0'.repeat(64)

/** The fields of a `PaymentInfo`, each one word. */
export const WORDS_OF_INFO = 12

const toWords = (info: PaymentInfo): string =>
  addressWord(info.operator) +
  addressWord(info.payer) +
  addressWord(info.receiver) +
  addressWord(info.token) +
  numberWord(info.maxAmount) +
  numberWord(info.preApprovalExpiry) +
  numberWord(info.authorizationExpiry) +
  numberWord(info.refundExpiry) +
  numberWord(info.minFeeBps) +
  numberWord(info.maxFeeBps) +
  addressWord(info.feeReceiver) +
  info.salt.slice(2)

/** Computes the escrow's hash of a payment from the words of its `PaymentInfo`, hex digits. */
export const hashInfoWords = (words: string, chainId: number): string =>
  `0x${hashDigits(numberWord(chainId) + addressWord(escrowAddress) + hashInfoStruct(words))}`

/** Computes the nonce that the payer signs from the words of the payment. It does not depend on the payer. */
export const computeNonceOfWords = (words: string, chainId: number): string =>
  hashInfoWords(words.slice(0, 64) + ZERO_WORD + words.slice(128), chainId)

/** Computes the hash by which the escrow knows a payment. */
export const hashInfo = (info: PaymentInfo, chainId: number): string => hashInfoWords(toWords(info), chainId)

/** Computes the nonce of the payer's authorization. */
export const computeNonce = (info: PaymentInfo, chainId: number): string =>
  computeNonceOfWords(toWords(info), chainId)

/** Computes the salt that binds a payment to the seller's authorizer. */
export const computeSalt = (authorizer: string, saltNonce: string): string =>
  `0x${hashSaltBinding(addressWord(authorizer), ZERO_WORD, saltNonce.slice(2))}`

/** Computes what the seller's authorizer signs for an operation, hex digits without 0x. */
export const computeOperationDigest = (operation: EscrowOperation, chainId: number): string =>
  computeSellerDigest(operation.info, chainId, (id) => hashOperation(operation, id))

/** Computes what the seller's authorizer signs for a charge, hex digits without 0x. */
export const computeChargeDigest = ({ details, amount, signature, chainId }: Payment<Charge>): string =>
  computeSellerDigest(details.info, chainId, (id) =>
    hashCharge(
      id,
      numberWord(amount),
      addressWord(collectorAddress),
      hashDigits(signature.slice(2)),
      ZERO_WORD,
      addressWord(details.info.feeReceiver),
    ),
  )

function computeSellerDigest(info: PaymentInfo, chainId: number, hashStruct: (id: string) => string): string {
  const domain = { name: 'x402 Auth Capture Operator', version: '1', chainId, contract: info.operator }
  return computeDigest(hashDomain(domain), hashStruct(hashInfo(info, chainId).slice(2)))
}

function hashOperation(operation: EscrowOperation, id: string): string {
  if (operation.kind === 'void') return hashVoid(id)
  const { amount, expected, info } = operation
  if (operation.kind === 'refund')
    return hashRefund(id, numberWord(amount), addressWord(refundCollectorAddress), toStateWords(expected))
  return hashCapture(id, numberWord(amount), ZERO_WORD, addressWord(info.feeReceiver), toStateWords(expected))
}

const toStateWords = ({ capturable, refundable }: EscrowBalances): string =>
  numberWord(capturable) + numberWord(refundable)

/** Computes what all captures and refunds that are signed for one state of a payment have in common, or all of its voids. */
export function computeStateKey(operation: EscrowOperation, chainId: number): string {
  const id = hashInfo(operation.info, chainId)
  if (operation.kind === 'void') return combineWords(id, 0n)
  return combineWords(id, 1n, operation.expected.capturable, operation.expected.refundable)
}
