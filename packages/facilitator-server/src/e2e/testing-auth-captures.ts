// Requests of the scheme auth-capture: payments by the stock client, and what sellers sign for them.
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { authCaptureEscrowAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { signAuthorization } from '@mintmark/devkit/chain/authorization'
import {
  authCaptureEscrowAddress,
  paymentCollectorAddress,
  refundCollectorAddress,
} from '@mintmark/devkit/chain/chain'
import type { ConnectedChain } from '@mintmark/devkit/chain/connect'
import { AuthCaptureEvmScheme } from '@x402/evm/auth-capture/client'
import { type Address, encodeAbiParameters, type Hex, keccak256, parseAbiParameters, zeroAddress } from 'viem'
import type { LocalAccount } from 'viem/accounts'
import { fund, NETWORK, newAccount } from './testing-channels.ts'

const CHAIN_ID = 84532
/** The signer of the facilitators of these tests. */
export const OPERATOR = devAccount(9).address
export const AMOUNT = 100_000n

/** A wallet that signs for the stock client. */
type Payer = ConstructorParameters<typeof AuthCaptureEvmScheme>[0]

/** A payment with everything that its seller needs to capture it. */
export interface TestPayment {
  readonly payer: Payer
  readonly authorizer: LocalAccount
  readonly seller: LocalAccount
  readonly requirements: ReturnType<typeof toRequirements>
  readonly payload: StockPayload
  readonly body: ReturnType<typeof toBody>
}

interface StockPayload {
  readonly authorization: { readonly from: Hex; readonly validBefore: string; readonly nonce: Hex }
  readonly signature: Hex
  readonly salt: Hex
  readonly saltNonce: Hex
}

export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds

export const toRequirements = (
  chain: Pick<ConnectedChain, 'token'>,
  seller: Address,
  authorizer: Address,
) => ({
  scheme: 'auth-capture' as const,
  network: NETWORK,
  asset: chain.token,
  amount: AMOUNT.toString(),
  payTo: seller,
  maxTimeoutSeconds: 300,
  extra: {
    name: 'USDC',
    version: '2',
    captureAuthorizer: OPERATOR,
    receiverAuthorizer: authorizer,
    captureDeadline: inSeconds(3_600),
    refundDeadline: inSeconds(7_200),
    feeRecipient: zeroAddress as Address,
    minFeeBps: 0,
    maxFeeBps: 0,
  },
})

export const toBody = (requirements: object, payload: object) => ({
  x402Version: 2,
  paymentPayload: { x402Version: 2, accepted: requirements, payload },
  paymentRequirements: requirements,
})

/** Signs a payment of a new payer, as the stock client does. */
export async function signPayment(
  chain: ConnectedChain,
  given: {
    payer?: Payer
    /** Whether the payer has tokens. */
    isFunded?: boolean
    extra?: object
    terms?: object
    authorizer?: LocalAccount
    seller?: LocalAccount
    authorizerAddress?: Address
  } = {},
): Promise<TestPayment> {
  const payer = given.payer ?? newAccount()
  const authorizer = given.authorizer ?? newAccount()
  const seller = given.seller ?? newAccount()
  if (!given.isFunded) await fund(chain, payer.address, 1_000_000n)
  const terms = toRequirements(chain, seller.address, given.authorizerAddress ?? authorizer.address)
  const requirements = { ...terms, ...given.terms, extra: { ...terms.extra, ...given.extra } }
  const signed = await new AuthCaptureEvmScheme(payer).createPaymentPayload(2, requirements as never)
  const payload = signed.payload as unknown as StockPayload
  return { payer, authorizer, seller, requirements, payload, body: toBody(requirements, payload) }
}

/** The payment as the escrow knows it. */
const toPaymentInfo = ({ payer, requirements, payload }: Omit<TestPayment, 'body'>) => ({
  operator: requirements.extra.captureAuthorizer,
  payer: payer.address,
  receiver: requirements.payTo,
  token: requirements.asset,
  maxAmount: requirements.amount,
  preApprovalExpiry: Number(payload.authorization.validBefore),
  authorizationExpiry: requirements.extra.captureDeadline,
  refundExpiry: requirements.extra.refundDeadline,
  minFeeBps: requirements.extra.minFeeBps,
  maxFeeBps: requirements.extra.maxFeeBps,
  feeReceiver: requirements.extra.feeRecipient,
  salt: payload.salt,
})

/** The payment as an argument of the escrow's functions. */
const toStruct = (payment: TestPayment) => {
  const info = toPaymentInfo(payment)
  return { ...info, maxAmount: BigInt(info.maxAmount), salt: BigInt(info.salt) }
}

const escrow = { address: authCaptureEscrowAddress, abi: authCaptureEscrowAbi } as const

export const readPaymentHash = (chain: ConnectedChain, payment: TestPayment): Promise<Hex> =>
  chain.client.readContract({ ...escrow, functionName: 'getHash', args: [toStruct(payment)] })

/** Reads what can be captured of a payment, and what was captured. */
export async function readBalances(chain: ConnectedChain, payment: TestPayment) {
  const hash = await readPaymentHash(chain, payment)
  const [, capturable, refundable] = await chain.client.readContract({
    ...escrow,
    functionName: 'paymentState',
    args: [hash],
  })
  return { capturable, refundable }
}

const CAPTURE = [
  { name: 'paymentInfoHash', type: 'bytes32' },
  { name: 'amount', type: 'uint256' },
  { name: 'feeAmount', type: 'uint256' },
  { name: 'feeReceiver', type: 'address' },
  { name: 'expectedCapturableAmount', type: 'uint256' },
  { name: 'expectedRefundableAmount', type: 'uint256' },
] as const

const toDomain = ({ requirements }: TestPayment) => ({
  name: 'x402 Auth Capture Operator',
  version: '1',
  chainId: CHAIN_ID,
  verifyingContract: requirements.extra.captureAuthorizer,
})

/** Creates the request of a capture, signed for the present state of the payment unless another one is given. */
export async function captureBody(
  chain: ConnectedChain,
  payment: TestPayment,
  amount: bigint,
  given: { expected?: { capturable: bigint; refundable: bigint }; signer?: LocalAccount } = {},
) {
  const { capturable, refundable } = given.expected ?? (await readBalances(chain, payment))
  const { feeRecipient } = payment.requirements.extra
  const message = {
    paymentInfoHash: await readPaymentHash(chain, payment),
    amount,
    feeAmount: 0n,
    feeReceiver: feeRecipient,
    expectedCapturableAmount: capturable,
    expectedRefundableAmount: refundable,
  }
  const signature = await (given.signer ?? payment.authorizer).signTypedData({
    domain: toDomain(payment),
    types: { Capture: CAPTURE },
    primaryType: 'Capture',
    message,
  })
  return toBody(payment.requirements, {
    type: 'capture',
    paymentInfo: toPaymentInfo(payment),
    saltNonce: payment.payload.saltNonce,
    amount: amount.toString(),
    feeAmount: '0',
    feeReceiver: feeRecipient,
    expectedCapturableAmount: capturable.toString(),
    expectedRefundableAmount: refundable.toString(),
    authorizerSignature: signature,
  })
}

/** Completes a payment for its charge. */
export async function chargeBody(
  chain: ConnectedChain,
  payment: TestPayment,
  amount: bigint,
  signer: LocalAccount = payment.authorizer,
) {
  const { feeRecipient } = payment.requirements.extra
  const message = {
    paymentInfoHash: await readPaymentHash(chain, payment),
    amount,
    tokenCollector: paymentCollectorAddress,
    collectorDataHash: keccak256(payment.payload.signature),
    feeAmount: 0n,
    feeReceiver: feeRecipient,
  }
  const authorizerSignature = await signer.signTypedData({
    domain: toDomain(payment),
    types: { Charge: CHARGE },
    primaryType: 'Charge',
    message,
  })
  const completion = { amount: amount.toString(), feeAmount: '0', feeReceiver: feeRecipient }
  return toBody(payment.requirements, { ...payment.payload, ...completion, authorizerSignature })
}

const CHARGE = [
  { name: 'paymentInfoHash', type: 'bytes32' },
  { name: 'amount', type: 'uint256' },
  { name: 'tokenCollector', type: 'address' },
  { name: 'collectorDataHash', type: 'bytes32' },
  { name: 'feeAmount', type: 'uint256' },
  { name: 'feeReceiver', type: 'address' },
] as const

/** Creates the request of a refund that the seller pays, unless another wallet is given. */
export async function refundBody(
  chain: ConnectedChain,
  payment: TestPayment,
  amount: bigint,
  given: {
    expected?: { capturable: bigint; refundable: bigint }
    signer?: LocalAccount
    funder?: LocalAccount
    /** What the funder signs for. */
    funded?: bigint
    from?: Address
  } = {},
) {
  const { capturable, refundable } = given.expected ?? (await readBalances(chain, payment))
  const paymentInfoHash = await readPaymentHash(chain, payment)
  const authorizerSignature = await (given.signer ?? payment.authorizer).signTypedData({
    domain: toDomain(payment),
    types: { Refund: REFUND },
    primaryType: 'Refund',
    message: {
      paymentInfoHash,
      amount,
      tokenCollector: refundCollectorAddress,
      expectedCapturableAmount: capturable,
      expectedRefundableAmount: refundable,
    },
  })
  const funder = given.funder ?? payment.seller
  const authorization = {
    from: given.from ?? funder.address,
    to: refundCollectorAddress,
    value: given.funded ?? amount,
    validAfter: 0n,
    validBefore: BigInt(payment.requirements.extra.refundDeadline),
    nonce: keccak256(encodeAbiParameters(STATE, [paymentInfoHash, capturable, refundable])),
  }
  const signature = await signAuthorization(funder, authorization, 'ReceiveWithAuthorization')
  return toBody(payment.requirements, {
    type: 'refund',
    paymentInfo: toPaymentInfo(payment),
    saltNonce: payment.payload.saltNonce,
    amount: amount.toString(),
    expectedCapturableAmount: capturable.toString(),
    expectedRefundableAmount: refundable.toString(),
    authorizerSignature,
    funding: { from: authorization.from, signature },
  })
}

const STATE = parseAbiParameters('bytes32, uint256, uint256')
const REFUND = [
  { name: 'paymentInfoHash', type: 'bytes32' },
  { name: 'amount', type: 'uint256' },
  { name: 'tokenCollector', type: 'address' },
  { name: 'expectedCapturableAmount', type: 'uint256' },
  { name: 'expectedRefundableAmount', type: 'uint256' },
] as const
/** Creates the request of a void. */
export async function voidBody(
  chain: ConnectedChain,
  payment: TestPayment,
  signer: LocalAccount = payment.authorizer,
) {
  const signature = await signer.signTypedData({
    domain: toDomain(payment),
    types: { Void: [{ name: 'paymentInfoHash', type: 'bytes32' }] },
    primaryType: 'Void',
    message: { paymentInfoHash: await readPaymentHash(chain, payment) },
  })
  return toBody(payment.requirements, {
    type: 'void',
    paymentInfo: toPaymentInfo(payment),
    saltNonce: payment.payload.saltNonce,
    authorizerSignature: signature,
  })
}
