import { FieldReader, isObject, isSet, type JsonObject } from '../../../payment/fields.ts'
import { reasons } from '../../../payment/reasons.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../../../payment/refusal.ts'
import { createDecodeRequest, PATH, type PayloadContext, type PayloadRead } from '../shared/decode-request.ts'
import { authorizeScheme, operationScheme } from './auth-capture-schemes.ts'
import { collectorAddress, escrowAddress } from './escrow-addresses.ts'
import { computeNonce, computeSalt, computeStateKey } from './escrow-digests.ts'
import { escrowReasons } from './escrow-reasons.ts'
import {
  type EscrowRequirements,
  escrowTermNames,
  findTermsProblem,
  readEscrowRequirements,
  readWhole,
} from './escrow-requirements.ts'
import type { Capture, Charge, EscrowOperation, PaymentInfo, Refund } from './escrow-terms.ts'

type EscrowContext = PayloadContext<EscrowRequirements>

/** Decodes a request of the scheme auth-capture. Where another facilitator settles, it would be the operator. */
export const decodeAuthCapture = createDecodeRequest<EscrowRequirements>({
  name: authorizeScheme.name,
  readRequirements: readEscrowRequirements,
  names: escrowTermNames,
  findTermsProblem,
  payloadReason: escrowReasons.payloadFormat,
  readPayload: (payload, context) =>
    Object.hasOwn(payload, 'type') ? readOperation(payload, context) : readCollect(payload, context),
})

/** The part of a payment that the seller's requirements decide. */
const toInfo = (required: EscrowRequirements) => ({
  operator: required.operator,
  receiver: required.payTo,
  token: required.asset,
  maxAmount: required.amount,
  authorizationExpiry: required.captureDeadline,
  refundExpiry: required.refundDeadline,
  minFeeBps: required.minFeeBps,
  maxFeeBps: required.maxFeeBps,
  feeReceiver: required.feeRecipient,
})

function readCollect(payload: JsonObject, { required, chainId }: EscrowContext): PayloadRead | Refusal {
  if (Object.hasOwn(payload, 'permit2Authorization')) {
    const message = 'Expected an authorization by EIP-3009 instead'
    return refuseField(escrowReasons.methodMismatch, `${PATH}.permit2Authorization`, message)
  }
  const path = `${PATH}.authorization`
  const outer = new FieldReader(payload, PATH)
  const reader = new FieldReader(payload.authorization, path)
  const signed = {
    payer: reader.address('from'),
    to: reader.address('to'),
    value: reader.amount('value'),
    validAfter: reader.time('validAfter'),
    validBefore: reader.time('validBefore'),
    nonce: reader.nonce('nonce'),
  }
  const signature = outer.signature('signature')
  const salt = outer.nonce('salt')
  const saltNonce = outer.nonce('saltNonce')
  // The collector passes 0 to the token.
  if (signed.validAfter !== 0n) reader.addIssue('validAfter', 'Expected "0"')
  const issues = [...outer.issues, ...reader.issues]
  if (issues.length > 0) return refuse(escrowReasons.payloadFormat, issues)
  if (signed.to !== collectorAddress) {
    const message = `Another contract than the collector of the escrow. Sign for ${collectorAddress}`
    return refuseField(escrowReasons.collectorMismatch, `${path}.to`, message)
  }
  if (signed.value !== required.amount) {
    const message = `Another amount than the requirements have. Sign for ${required.amount}`
    return refuseField(escrowReasons.amountMismatch, `${path}.value`, message)
  }
  const { payer, validBefore, nonce } = signed
  if (validBefore > required.captureDeadline) {
    const message = 'After the captureDeadline. Sign an authorization that ends before it'
    return refuseField(escrowReasons.deadlineOrdering, `${path}.validBefore`, message)
  }
  const info: PaymentInfo = { ...toInfo(required), payer, preApprovalExpiry: validBefore, salt }
  if (computeSalt(required.receiverAuthorizer, saltNonce) !== salt) return SALT_MISMATCH
  if (computeNonce(info, chainId) !== nonce) {
    const message = 'Not the hash of the payment. Sign for the requirements that the payload repeats'
    return refuseField(escrowReasons.nonceMismatch, `${path}.nonce`, message)
  }
  const collected =
    required.paymentFlow === 'escrow'
      ? { details: { kind: 'authorize', info }, amount: required.amount }
      : readCharge(payload, required, info)
  if (isRefusal(collected)) return collected
  return {
    scheme: authorizeScheme,
    ...collected,
    payer,
    nonce,
    signature,
    validBefore,
    domain: required.asset,
    domainName: required.domainName,
    domainVersion: required.domainVersion,
  }
}

/** Reads what the seller adds to a payment after its work: less than the maximum may be charged. */
function readCharge(
  payload: JsonObject,
  { amount: maximum, receiverAuthorizer: authorizer }: EscrowRequirements,
  info: PaymentInfo,
): { details: Charge; amount: bigint } | Refusal {
  const raw: Charge = { kind: 'charge', info, authorizer }
  if (!COMPLETION.some((name) => isSet(payload, name))) return { details: raw, amount: maximum }
  const reader = new FieldReader(payload, PATH)
  const amount = reader.amount('amount')
  const fee = readFee(reader)
  const authorizerSignature = reader.signature('authorizerSignature')
  if (reader.issues.length > 0) return refuse(escrowReasons.payloadFormat, reader.issues)
  if (amount === 0n) return NO_AMOUNT
  if (amount > maximum) {
    const message = `Above what the payer has signed, which is ${maximum}`
    return refuseField(escrowReasons.amountMismatch, `${PATH}.amount`, message)
  }
  return findFeeProblem(fee, info) ?? { details: { ...raw, authorizerSignature }, amount }
}

const COMPLETION = ['amount', 'feeAmount', 'feeReceiver', 'authorizerSignature']

const SALT_MISMATCH = refuseField(
  escrowReasons.saltMismatch,
  `${PATH}.salt`,
  'Not the hash of extra.receiverAuthorizer and saltNonce',
)

/** Reads a request of the seller about a payment that was collected. */
function readOperation(payload: JsonObject, context: EscrowContext): PayloadRead | Refusal {
  const { type } = payload
  if (type !== 'capture' && type !== 'void' && type !== 'refund')
    return refuseField(escrowReasons.payloadType, `${PATH}.type`, 'Expected "capture", "void" or "refund"')
  if (type !== 'refund' && context.required.paymentFlow !== 'escrow')
    return refuseField(escrowReasons.payloadType, `${PATH}.type`, 'Nothing is held of a charged payment')
  if (type === 'refund' && !isSet(payload, 'funding')) {
    const message = 'Required: the wallet that pays the refund, and its signature. This facilitator pays none'
    return refuseField(escrowReasons.refundUnavailable, `${PATH}.funding`, message)
  }
  if (isSet(payload, 'voidAuthorizerSignature')) {
    const message = 'Expected no such field. Settle the void by itself, after the capture'
    return refuseField(escrowReasons.voidSignature, `${PATH}.voidAuthorizerSignature`, message)
  }
  if (!isSet(payload, 'authorizerSignature')) {
    const message = 'Required: a signature of extra.receiverAuthorizer'
    return refuseField(escrowReasons.unauthenticatedAuthorizer, `${PATH}.authorizerSignature`, message)
  }
  const info = readInfo(payload.paymentInfo, context.required)
  if (isRefusal(info)) return info
  const reader = new FieldReader(payload, PATH)
  const saltNonce = reader.nonce('saltNonce')
  const signature = reader.signature('authorizerSignature')
  const amounts = type === 'void' ? undefined : readAmounts(reader)
  const fee = type === 'capture' ? readFee(reader) : undefined
  const funder = type === 'refund' ? new FieldReader(payload.funding, `${PATH}.funding`) : undefined
  const funding = funder && { from: funder.address('from'), signature: funder.signature('signature') }
  const issues = [...reader.issues, ...(funder?.issues ?? [])]
  if (issues.length > 0) return refuse(escrowReasons.payloadFormat, issues)
  const { receiverAuthorizer: authorizer } = context.required
  if (computeSalt(authorizer, saltNonce) !== info.salt) return SALT_MISMATCH
  const signed = { info, authorizer, signature }
  if (amounts === undefined) return toOperation({ kind: 'void', ...signed }, context.chainId)
  const operation: Capture | Refund =
    funding === undefined
      ? { kind: 'capture', ...signed, ...amounts }
      : { kind: 'refund', ...signed, ...amounts, funding }
  const problem = findAmountProblem(operation) ?? (fee && findFeeProblem(fee, info))
  return problem ?? toOperation(operation, context.chainId)
}

/**
 * The nonce is preliminary: of the captures and refunds for one state of a payment, one is settled (see
 * `prepareOperation`).
 */
const toOperation = (details: EscrowOperation, chainId: number): PayloadRead => ({
  scheme: operationScheme,
  details,
  payer: details.info.payer,
  // The payer pays nothing: the escrow has the tokens.
  amount: 0n,
  nonce: computeStateKey(details, chainId),
  domain: escrowAddress,
  ...(details.kind === 'refund' && {
    refund: { of: computeNonce(details.info, chainId), amount: details.amount },
  }),
})

const readAmounts = (reader: FieldReader) => ({
  amount: reader.amount('amount'),
  expected: {
    capturable: reader.amount('expectedCapturableAmount'),
    refundable: reader.amount('expectedRefundableAmount'),
  },
})

const readFee = (reader: FieldReader) => ({
  fee: reader.amount('feeAmount'),
  feeReceiver: reader.address('feeReceiver'),
})

/** The simulation of a refund compares its amount with what was captured. */
function findAmountProblem({ kind, amount, expected }: Capture | Refund): Refusal | undefined {
  if (amount === 0n) return NO_AMOUNT
  if (kind === 'capture' && amount > expected.capturable) {
    const message = 'Above expectedCapturableAmount, which is what the escrow holds'
    return refuseField(escrowReasons.insufficientAuthorization, `${PATH}.amount`, message)
  }
  return undefined
}

const NO_AMOUNT = refuseField(escrowReasons.amountMismatch, `${PATH}.amount`, 'Expected an amount above 0')

function findFeeProblem(
  { fee, feeReceiver }: ReturnType<typeof readFee>,
  info: PaymentInfo,
): Refusal | undefined {
  if (fee !== 0n) return refuseField(escrowReasons.feeOutOfRange, `${PATH}.feeAmount`, 'Expected "0"')
  if (feeReceiver !== info.feeReceiver) {
    const message = `Differs from extra.feeRecipient, which is ${info.feeReceiver}`
    return refuseField(escrowReasons.feeReceiver, `${PATH}.feeReceiver`, message)
  }
  return undefined
}

/** Reads the payment of an operation, which must be that of the requirements. */
function readInfo(value: unknown, required: EscrowRequirements): PaymentInfo | Refusal {
  const path = `${PATH}.paymentInfo`
  const object = isObject(value) ? value : {}
  const reader = new FieldReader(value, path)
  const readTime = (name: string) => readWhole(object, name, reader)
  const info: PaymentInfo = {
    operator: reader.address('operator'),
    payer: reader.address('payer'),
    receiver: reader.address('receiver'),
    token: reader.address('token'),
    maxAmount: reader.amount('maxAmount'),
    preApprovalExpiry: readTime('preApprovalExpiry'),
    authorizationExpiry: readTime('authorizationExpiry'),
    refundExpiry: readTime('refundExpiry'),
    minFeeBps: readTime('minFeeBps'),
    maxFeeBps: readTime('maxFeeBps'),
    feeReceiver: reader.address('feeReceiver'),
    salt: reader.nonce('salt'),
  }
  if (reader.issues.length > 0) return refuse(escrowReasons.payloadFormat, reader.issues)
  const terms = toInfo(required)
  const other = (Object.keys(terms) as (keyof typeof terms)[]).find((name) => info[name] !== terms[name])
  if (other === undefined) return info
  const reason = other === 'operator' ? escrowReasons.operatorMismatch : reasons.invalidRequirements
  return refuseField(reason, `${path}.${other}`, 'Differs from the requirements')
}
