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

/** A payment by the scheme `auth-capture`, as the customer has sent it. Keep it until it is captured or voided. */
export type AuthorizedPayment = Pick<PaymentPayload, 'accepted' | 'payload'>

/** What sends a capture, and the key that the payment names as `receiverAuthorizer`. */
export interface CaptureOptions {
  /** The facilitator that has authorized the payment, such as an `HTTPFacilitatorClient`. */
  readonly facilitator: Pick<FacilitatorClient, 'settle'>
  readonly authorizer: Pick<LocalAccount, 'signTypedData'>
}

/**
 * Takes an authorized payment, or a part of it, from the escrow to the seller. Repeating the same call returns the
 * first transaction: it is signed for what was captured before. `success` is false if the facilitator refuses it,
 * for example because that was another amount.
 *
 * @param amount Base units of the token.
 * @param captured What was captured of the payment before, in base units. Default: nothing.
 * @example
 * const { success, transaction } = await capture(payment, { amount: 60_000n, facilitator, authorizer })
 */
export async function capture(
  payment: AuthorizedPayment,
  {
    amount,
    captured = 0n,
    ...options
  }: CaptureOptions & { readonly amount: bigint; readonly captured?: bigint },
): Promise<SettleResponse> {
  const { info, paymentInfoHash } = readPayment(payment)
  const terms = {
    amount,
    feeAmount: 0n,
    feeReceiver: info.feeReceiver,
    expectedCapturableAmount: info.maxAmount - captured,
    expectedRefundableAmount: captured,
  }
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

const CAPTURE = [
  { name: 'paymentInfoHash', type: 'bytes32' },
  { name: 'amount', type: 'uint256' },
  { name: 'feeAmount', type: 'uint256' },
  { name: 'feeReceiver', type: 'address' },
  { name: 'expectedCapturableAmount', type: 'uint256' },
  { name: 'expectedRefundableAmount', type: 'uint256' },
] as const

/** The escrow 1.1, at the same address on every chain. */
const ESCROW = '0xf96815976523E00e65Be8f34cA5e64b4f41EB19c'
const INFO =
  'PaymentInfo(address operator,address payer,address receiver,address token,uint120 maxAmount,uint48 preApprovalExpiry,uint48 authorizationExpiry,uint48 refundExpiry,uint16 minFeeBps,uint16 maxFeeBps,address feeReceiver,uint256 salt)'
const INFO_WORDS = parseAbiParameters(
  'bytes32, address, address, address, address, uint120, uint48, uint48, uint48, uint16, uint16, address, uint256',
)
const HASH_WORDS = parseAbiParameters('uint256, address, bytes32')

/** What the requirements of the scheme have. */
interface Extra {
  readonly captureAuthorizer: Address
  readonly captureDeadline: number
  readonly refundDeadline: number
  readonly feeRecipient: Address
  readonly minFeeBps: number
  readonly maxFeeBps: number
}

/** Reads the payment as the escrow knows it, and its hash there. */
function readPayment({ accepted, payload }: AuthorizedPayment) {
  if (accepted.scheme !== 'auth-capture') throw new TypeError('Expected a payment by the scheme auth-capture')
  const extra = accepted.extra as unknown as Extra
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

const toDomain = ({ accepted }: AuthorizedPayment) => ({
  name: 'x402 Auth Capture Operator',
  version: '1',
  chainId: chainIdOf(accepted),
  verifyingContract: (accepted.extra as unknown as Extra).captureAuthorizer,
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
