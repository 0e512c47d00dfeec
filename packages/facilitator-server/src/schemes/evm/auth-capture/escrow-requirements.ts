import { FieldReader, isObject, isSet, type JsonObject } from '../../../payment/fields.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../../../payment/refusal.ts'
import type { Served } from '../../scheme.ts'
import type { SellerTerms } from '../shared/decode-request.ts'
import { listDomainIssues } from '../shared/domain.ts'
import { escrowAddress } from './escrow-addresses.ts'
import { escrowReasons } from './escrow-reasons.ts'

/** A seller's terms of the scheme auth-capture. Addresses are lower-case. */
export interface EscrowRequirements extends SellerTerms {
  readonly escrow: string
  readonly operator: string
  readonly operatorType: string
  /** The zero address if there is none. */
  readonly receiverAuthorizer: string
  readonly policy: string
  readonly captureDeadline: bigint
  readonly refundDeadline: bigint
  readonly feeRecipient: string
  readonly minFeeBps: bigint
  readonly maxFeeBps: bigint
  readonly paymentFlow: string
  readonly transferMethod: string
}

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
/** Longer than any token's name. */
const MAX_TEXT_LENGTH = 256
/** The escrow stores times in 48 bits and amounts in 120. */
const UINT48_END = 2 ** 48
const UINT120_END = 1n << 120n
const MAX_BPS = 10_000

/** Reads a whole number of a JSON object. A missing or invalid one adds an issue and reads as 0. */
export function readWhole(object: JsonObject, name: string, reader: FieldReader, end = UINT48_END): bigint {
  const value = Object.hasOwn(object, name) ? object[name] : undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < end) return BigInt(value)
  reader.addIssue(name, `${value === undefined ? 'Required: ' : 'Expected '}a whole number below ${end}`)
  return 0n
}

/** Reads the terms of a seller. @param reason That of malformed terms outside of `extra`. */
export function readEscrowRequirements(
  value: unknown,
  path: string,
  reason: string,
): EscrowRequirements | Refusal {
  const reader = new FieldReader(value, path)
  const body = isObject(value) ? value : {}
  const extra = isObject(body.extra) ? body.extra : {}
  const outer = {
    scheme: reader.text('scheme', '"auth-capture"'),
    network: reader.text('network', '"eip155:84532"'),
    asset: reader.address('asset'),
    payTo: reader.address('payTo'),
    amount: reader.amount('amount'),
    maxTimeoutSeconds: reader.seconds('maxTimeoutSeconds'),
  }
  if (outer.payTo === ZERO_ADDRESS)
    reader.addIssue('payTo', 'Expected the address of the seller, received the zero address')
  if (reader.issues.length > 0) return refuse(reason, reader.issues)
  const inner = readExtra(extra, new FieldReader(extra, `${path}.extra`))
  return isRefusal(inner) ? inner : { ...outer, ...inner }
}

type Extra = Omit<
  EscrowRequirements,
  'scheme' | 'network' | 'asset' | 'payTo' | 'amount' | 'maxTimeoutSeconds'
>

function readExtra(extra: JsonObject, reader: FieldReader): Extra | Refusal {
  const readText = (name: string, absent: string): string => {
    const text = isSet(extra, name) ? extra[name] : absent
    if (typeof text === 'string' && text.length <= MAX_TEXT_LENGTH) return text
    reader.addIssue(name, `Expected a text of at most ${MAX_TEXT_LENGTH} characters`)
    return ''
  }
  const readAddress = (name: string, absent: string) => (isSet(extra, name) ? reader.address(name) : absent)
  const read = {
    domainName: readText('name', ''),
    domainVersion: readText('version', ''),
    escrow: readAddress('authCaptureEscrow', escrowAddress),
    operator: reader.address('captureAuthorizer'),
    operatorType: readText('operatorType', 'delegated'),
    receiverAuthorizer: readAddress('receiverAuthorizer', ZERO_ADDRESS),
    policy: readAddress('policy', ZERO_ADDRESS),
    captureDeadline: readWhole(extra, 'captureDeadline', reader),
    refundDeadline: readWhole(extra, 'refundDeadline', reader),
    feeRecipient: reader.address('feeRecipient'),
    minFeeBps: readWhole(extra, 'minFeeBps', reader, MAX_BPS + 1),
    maxFeeBps: readWhole(extra, 'maxFeeBps', reader, MAX_BPS + 1),
    // Version 1.0 of the scheme chose the flow by `autoCapture`.
    paymentFlow: extra.autoCapture === true ? 'autoCapture' : readText('paymentFlow', 'escrow'),
    transferMethod: readText('assetTransferMethod', 'eip3009'),
  }
  return reader.issues.length === 0 ? read : refuse(escrowReasons.extra, reader.issues)
}

/** The names of the terms in a body. */
export const escrowTermNames = {
  scheme: 'scheme',
  network: 'network',
  asset: 'asset',
  payTo: 'payTo',
  amount: 'amount',
  maxTimeoutSeconds: 'maxTimeoutSeconds',
  domainName: 'extra.name',
  domainVersion: 'extra.version',
  escrow: 'extra.authCaptureEscrow',
  operator: 'extra.captureAuthorizer',
  operatorType: 'extra.operatorType',
  receiverAuthorizer: 'extra.receiverAuthorizer',
  policy: 'extra.policy',
  captureDeadline: 'extra.captureDeadline',
  refundDeadline: 'extra.refundDeadline',
  feeRecipient: 'extra.feeRecipient',
  minFeeBps: 'extra.minFeeBps',
  maxFeeBps: 'extra.maxFeeBps',
  paymentFlow: 'extra.paymentFlow',
  transferMethod: 'extra.assetTransferMethod',
}

const EXTRA = 'paymentRequirements.extra'

/**
 * Finds terms that cannot be settled here. A payment that nobody can charge, capture or void would only be held until
 * its deadline, so that it must have an authorizer and an operator of ours.
 */
export function findTermsProblem(
  required: EscrowRequirements,
  { facilitators }: Pick<Served, 'facilitators'>,
): Refusal | undefined {
  const { amount } = required
  if (required.domainName === '' || required.domainVersion === '')
    return refuse(escrowReasons.extra, listDomainIssues(required))
  if (amount === 0n || amount >= UINT120_END) {
    const reason = amount === 0n ? escrowReasons.amountMismatch : escrowReasons.amountOverflow
    return refuseField(reason, 'paymentRequirements.amount', 'Expected an amount from 1 to 2^120 - 1')
  }
  const refuseExtra = (reason: string, name: string, message: string) =>
    refuseField(reason, `${EXTRA}.${name}`, message)
  if (required.escrow !== escrowAddress)
    return refuseExtra(escrowReasons.extra, 'authCaptureEscrow', `Expected the escrow ${escrowAddress}`)
  if (required.paymentFlow !== 'escrow' && required.paymentFlow !== 'authorization') {
    const message = 'Expected "escrow", "authorization", or no such field'
    return refuseExtra(escrowReasons.unsupportedFlow, 'paymentFlow', message)
  }
  if (required.operatorType !== 'delegated') {
    const message = 'Expected "delegated", or no such field'
    return refuseExtra(escrowReasons.unsupportedOperator, 'operatorType', message)
  }
  if (!facilitators.has(required.operator)) {
    const message = 'No signer of this facilitator. Take the captureAuthorizer of the supported kinds'
    return refuseExtra(escrowReasons.operatorNotAdmitted, 'captureAuthorizer', message)
  }
  if (required.policy !== ZERO_ADDRESS)
    return refuseExtra(escrowReasons.policy, 'policy', 'Expected the zero address, or no such field')
  if (required.receiverAuthorizer === ZERO_ADDRESS) {
    const message = 'Required: the address that signs charges, captures, voids and refunds for the seller'
    return refuseExtra(escrowReasons.missingAuthorizer, 'receiverAuthorizer', message)
  }
  // The signer of a payment could take any fee in the range. This facilitator takes none.
  if (required.maxFeeBps !== 0n)
    return refuseExtra(escrowReasons.extra, 'maxFeeBps', 'Expected 0: there are no fees')
  if (required.minFeeBps !== 0n)
    return refuseExtra(escrowReasons.extra, 'minFeeBps', 'Expected 0: there are no fees')
  if (required.transferMethod !== 'eip3009')
    return refuseExtra(escrowReasons.unsupportedMethod, 'assetTransferMethod', 'Expected "eip3009"')
  if (required.refundDeadline < required.captureDeadline)
    return refuseExtra(escrowReasons.deadlineOrdering, 'refundDeadline', 'Before the captureDeadline')
  return undefined
}
