import type { FacilitatorClient } from '@x402/core/server'
import type { PaymentPayload, SettleResponse } from '@x402/core/types'
import {
  type Address,
  encodeAbiParameters,
  type Hex,
  keccak256,
  type LocalAccount,
  parseAbiParameters,
  toHex,
} from 'viem'

/** A payment by the scheme `auth-capture`, as the customer has sent it. Keep it until it can no longer be refunded. */
export type AuthorizedPayment = Pick<PaymentPayload, 'accepted' | 'payload'>

/** What sends a capture, and the key that the payment names as `receiverAuthorizer`. */
export interface CaptureOptions {
  /** The facilitator that has authorized the payment, such as an `HTTPFacilitatorClient`. */
  readonly facilitator: Pick<FacilitatorClient, 'settle'>
  readonly authorizer: Pick<LocalAccount, 'signTypedData'>
}

/** What happened to a payment before, in base units of the token. Each signature is for one such state. */
export interface PaymentProgress {
  /** What was captured or charged. Default: nothing. */
  readonly captured?: bigint
  /** What was refunded of it. Default: nothing. */
  readonly refunded?: bigint
  /** Whether the rest was released. Default: it was not. */
  readonly isReleased?: boolean
}

/**
 * Takes an authorized payment, or a part of it, from the escrow to the seller. Repeating the same call returns the
 * first transaction: it is signed for what was captured and refunded before. `success` is false if the facilitator
 * refuses it, for example because that was another amount.
 *
 * @param amount Base units of the token.
 * @example
 * const { success, transaction } = await capture(payment, { amount: 60_000n, facilitator, authorizer })
 */
export async function capture(
  payment: AuthorizedPayment,
  { amount, ...options }: CaptureOptions & PaymentProgress & { readonly amount: bigint },
): Promise<SettleResponse> {
  const { info, paymentInfoHash } = readPayment(payment)
  const fee = { feeAmount: 0n, feeReceiver: info.feeReceiver }
  const terms = { amount, ...fee, ...expectState(payment, options) }
  const signature = await options.authorizer.signTypedData({
    domain: toDomain(payment),
    types: { Capture: CAPTURE },
    primaryType: 'Capture',
    message: { paymentInfoHash, ...terms },
  })
  return await send(payment, info, options, {
    type: 'capture',
    ...toJson(terms),
    authorizerSignature: signature,
  })
}

/**
 * Returns to the customer what was not captured of an authorized payment. Repeating the call returns the first
 * transaction; nothing can be captured afterwards.
 *
 * @example
 * const { amount } = await release(payment, { facilitator, authorizer })
 */
export async function release(payment: AuthorizedPayment, options: CaptureOptions): Promise<SettleResponse> {
  const { info, paymentInfoHash } = readPayment(payment)
  const signature = await options.authorizer.signTypedData({
    domain: toDomain(payment),
    types: { Void: [{ name: 'paymentInfoHash', type: 'bytes32' }] },
    primaryType: 'Void',
    message: { paymentInfoHash },
  })
  return await send(payment, info, options, { type: 'void', authorizerSignature: signature })
}

/**
 * Takes a payment with `paymentFlow: 'authorization'`, or less than its amount, from the customer to the seller at
 * once. The customer keeps the rest. Settles once: a repeated call is refused as `duplicate_settlement`.
 *
 * @param amount Base units of the token.
 * @example
 * const { success, transaction } = await charge(payment, { amount: 60_000n, facilitator, authorizer })
 */
export async function charge(
  payment: AuthorizedPayment,
  { amount, facilitator, authorizer }: CaptureOptions & { readonly amount: bigint },
): Promise<SettleResponse> {
  const { accepted, payload } = payment
  const { info, paymentInfoHash } = readPayment(payment)
  const fee = { feeAmount: 0n, feeReceiver: info.feeReceiver }
  const collectorDataHash = keccak256(payload.signature as Hex)
  const authorizerSignature = await authorizer.signTypedData({
    domain: toDomain(payment),
    types: { Charge: CHARGE },
    primaryType: 'Charge',
    message: { paymentInfoHash, amount, tokenCollector: PAYMENT_COLLECTOR, collectorDataHash, ...fee },
  })
  const body = { ...payload, ...toJson({ amount, ...fee }), authorizerSignature }
  return await facilitator.settle({ x402Version: 2, accepted, payload: body }, accepted)
}

/**
 * Returns captured or charged tokens to the customer until `refundDeadline`. The funder pays them: its signature is for
 * exactly this refund. Repeating the same call returns the first transaction.
 *
 * @param amount Base units of the token, at most what was captured and not refunded.
 * @param funder The wallet that pays, such as that of `payTo`.
 * @example
 * const { success } = await refund(payment, { amount: 10_000n, captured: 60_000n, funder, facilitator, authorizer })
 */
export async function refund(
  payment: AuthorizedPayment,
  {
    amount,
    funder,
    ...options
  }: CaptureOptions &
    PaymentProgress & {
      readonly amount: bigint
      readonly funder: Pick<LocalAccount, 'address' | 'signTypedData'>
    },
): Promise<SettleResponse> {
  const { info, paymentInfoHash } = readPayment(payment)
  const terms = { amount, ...expectState(payment, options) }
  const authorizerSignature = await options.authorizer.signTypedData({
    domain: toDomain(payment),
    types: { Refund: REFUND },
    primaryType: 'Refund',
    message: { paymentInfoHash, tokenCollector: REFUND_COLLECTOR, ...terms },
  })
  const { expectedCapturableAmount, expectedRefundableAmount } = terms
  const state = [paymentInfoHash, expectedCapturableAmount, expectedRefundableAmount] as const
  const { name, version } = readExtra(payment)
  const signature = await funder.signTypedData({
    domain: { name, version, chainId: chainIdOf(payment.accepted), verifyingContract: info.token },
    types: { ReceiveWithAuthorization: FUNDING },
    primaryType: 'ReceiveWithAuthorization',
    message: {
      from: funder.address,
      to: REFUND_COLLECTOR,
      value: amount,
      validAfter: 0n,
      validBefore: BigInt(info.refundExpiry),
      nonce: keccak256(encodeAbiParameters(STATE_WORDS, state)),
    },
  })
  const funding = { from: funder.address, signature }
  return await send(payment, info, options, {
    type: 'refund',
    ...toJson(terms),
    authorizerSignature,
    funding,
  })
}

/** What the escrow must hold of a payment, and have paid of it. */
function expectState(
  payment: AuthorizedPayment,
  {
    captured = 0n,
    refunded = 0n,
    isReleased = readExtra(payment).paymentFlow === 'authorization',
  }: PaymentProgress,
) {
  const expectedCapturableAmount = isReleased ? 0n : BigInt(payment.accepted.amount) - captured
  return { expectedCapturableAmount, expectedRefundableAmount: captured - refunded }
}

const CAPTURE = [
  { name: 'paymentInfoHash', type: 'bytes32' },
  { name: 'amount', type: 'uint256' },
  { name: 'feeAmount', type: 'uint256' },
  { name: 'feeReceiver', type: 'address' },
  { name: 'expectedCapturableAmount', type: 'uint256' },
  { name: 'expectedRefundableAmount', type: 'uint256' },
] as const

const CHARGE = [
  { name: 'paymentInfoHash', type: 'bytes32' },
  { name: 'amount', type: 'uint256' },
  { name: 'tokenCollector', type: 'address' },
  { name: 'collectorDataHash', type: 'bytes32' },
  { name: 'feeAmount', type: 'uint256' },
  { name: 'feeReceiver', type: 'address' },
] as const

const REFUND = [
  { name: 'paymentInfoHash', type: 'bytes32' },
  { name: 'amount', type: 'uint256' },
  { name: 'tokenCollector', type: 'address' },
  { name: 'expectedCapturableAmount', type: 'uint256' },
  { name: 'expectedRefundableAmount', type: 'uint256' },
] as const

/** The wallet that pays a refund signs an authorization by EIP-3009. */
const FUNDING = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

/** The escrow 1.1, and its collectors of payments and refunds by EIP-3009, at the same addresses on every chain. */
const ESCROW = '0xf96815976523E00e65Be8f34cA5e64b4f41EB19c'
const PAYMENT_COLLECTOR = '0x8612dfdc421f80336cd14E8EF9cb1E765dB5ab88'
const REFUND_COLLECTOR = '0x9A1149775f8bCd47fa9823C0608948E0b92182f4'
const INFO =
  'PaymentInfo(address operator,address payer,address receiver,address token,uint120 maxAmount,uint48 preApprovalExpiry,uint48 authorizationExpiry,uint48 refundExpiry,uint16 minFeeBps,uint16 maxFeeBps,address feeReceiver,uint256 salt)'
const INFO_WORDS = parseAbiParameters(
  'bytes32, address, address, address, address, uint120, uint48, uint48, uint48, uint16, uint16, address, uint256',
)
const HASH_WORDS = parseAbiParameters('uint256, address, bytes32')
const STATE_WORDS = parseAbiParameters('bytes32, uint256, uint256')

/** What the requirements of the scheme have. */
interface Extra {
  readonly name: string
  readonly version: string
  readonly paymentFlow?: string
  readonly captureAuthorizer: Address
  readonly captureDeadline: number
  readonly refundDeadline: number
  readonly feeRecipient: Address
  readonly minFeeBps: number
  readonly maxFeeBps: number
}

const readExtra = ({ accepted }: AuthorizedPayment) => accepted.extra as unknown as Extra

/** Reads the payment as the escrow knows it, and its hash there. */
function readPayment(payment: AuthorizedPayment) {
  const { accepted, payload } = payment
  if (accepted.scheme !== 'auth-capture') throw new TypeError('Expected a payment by the scheme auth-capture')
  const extra = readExtra(payment)
  const { authorization, salt } = payload as {
    readonly authorization: { readonly from: Address; readonly validBefore: string }
    readonly salt: Hex
  }
  const info = {
    operator: extra.captureAuthorizer,
    payer: authorization.from,
    receiver: accepted.payTo as Address,
    token: accepted.asset as Address,
    maxAmount: BigInt(accepted.amount),
    preApprovalExpiry: Number(authorization.validBefore),
    authorizationExpiry: extra.captureDeadline,
    refundExpiry: extra.refundDeadline,
    minFeeBps: extra.minFeeBps,
    maxFeeBps: extra.maxFeeBps,
    feeReceiver: extra.feeRecipient,
    salt,
  }
  const words = Object.values({ ...info, salt: BigInt(salt) }) as unknown as InfoWords
  const inner = keccak256(encodeAbiParameters(INFO_WORDS, [keccak256(toHex(INFO)), ...words]))
  const hashed = [BigInt(chainIdOf(accepted)), ESCROW, inner] as const
  return { info, paymentInfoHash: keccak256(encodeAbiParameters(HASH_WORDS, hashed)) }
}

type InfoWords = [
  Address,
  Address,
  Address,
  Address,
  bigint,
  number,
  number,
  number,
  number,
  number,
  Address,
  bigint,
]

const chainIdOf = ({ network }: AuthorizedPayment['accepted']) => Number(network.replace('eip155:', ''))

const toDomain = (payment: AuthorizedPayment) => ({
  name: 'x402 Auth Capture Operator',
  version: '1',
  chainId: chainIdOf(payment.accepted),
  verifyingContract: readExtra(payment).captureAuthorizer,
})

const toJson = <Value>(terms: Readonly<Record<string, Value>>) =>
  Object.fromEntries(Object.entries(terms).map(([name, value]) => [name, String(value)]))

async function send(
  { accepted, payload }: AuthorizedPayment,
  info: ReturnType<typeof readPayment>['info'],
  { facilitator }: CaptureOptions,
  request: object,
): Promise<SettleResponse> {
  const paymentInfo = { ...info, maxAmount: accepted.amount }
  const body = { ...request, paymentInfo, saltNonce: payload.saltNonce }
  return await facilitator.settle({ x402Version: 2, accepted, payload: body }, accepted)
}
