import { FieldReader, isObject, type JsonObject } from '../../../payment/fields.ts'
import { reasons } from '../../../payment/reasons.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../../../payment/refusal.ts'
import { PATH, type PayloadContext, type PayloadRead } from '../shared/decode-request.ts'
import { listDomainIssues } from '../shared/domain.ts'
import { readApprovals } from '../shared/permit2/decode-permit2.ts'
import { formatNonce, permit2Address } from '../shared/permit2/permit2-contracts.ts'
import { combineWords } from '../shared/typed-data.ts'
import { permit2CollectorAddress } from './channel-contracts.ts'
import { channelReasons } from './channel-reasons.ts'
import type { ChannelRequirements } from './channel-requirements.ts'
import { authorizedDeposit } from './channel-schemes.ts'
import type { Voucher } from './channel-terms.ts'
import { permittedDeposit } from './permit2-deposit.ts'

/** Amounts are below. */
export const UINT128_END = 1n << 128n
export const BELOW_UINT128 = 'Expected an amount below 2^128'
const METHODS = `${PATH}.deposit.authorization`
const PERMIT2 = `${METHODS}.permit2Authorization`

export type ChannelContext = PayloadContext<ChannelRequirements>

/**
 * Reads a deposit and how its payer authorized it. The seller's method decides, otherwise the payload does,
 * as in the reference.
 */
export function readDepositAuthorization(
  value: unknown,
  voucher: Voucher,
  context: ChannelContext,
): PayloadRead | Refusal {
  const { transferMethod } = context.required
  const deposit = isObject(value) ? value : {}
  const methods = isObject(deposit.authorization) ? deposit.authorization : {}
  const hasPermit2 = Object.hasOwn(methods, 'permit2Authorization')
  if (transferMethod === 'permit2' || (transferMethod === '' && hasPermit2)) {
    if (hasPermit2) return readPermit2Deposit(deposit, methods.permit2Authorization, voucher, context)
    const message = 'Required: the seller accepts deposits by Permit2 only'
    return refuseField(channelReasons.payloadType, `${METHODS}.permit2Authorization`, message)
  }
  if (!Object.hasOwn(methods, 'erc3009Authorization')) {
    const message = 'Required: the authorization of the deposit by EIP-3009'
    return refuseField(channelReasons.authorizationRequired, `${METHODS}.erc3009Authorization`, message)
  }
  return readEip3009Deposit(deposit, methods.erc3009Authorization, voucher, context)
}

function readEip3009Deposit(
  deposit: JsonObject,
  authorization: unknown,
  voucher: Voucher,
  { required }: ChannelContext,
): PayloadRead | Refusal {
  const outer = new FieldReader(deposit, `${PATH}.deposit`)
  const amount = outer.amount('amount')
  const { payer } = voucher.config
  if (required.domainName === '' || required.domainVersion === '')
    return refuse(channelReasons.missingDomain, listDomainIssues(required))
  const reader = new FieldReader(authorization, `${METHODS}.erc3009Authorization`)
  const validAfter = reader.time('validAfter')
  const validBefore = reader.time('validBefore')
  const salt = BigInt(reader.nonce('salt') || 0)
  const signature = reader.signature('signature')
  checkDepositAmount(amount, outer)
  const issues = [...outer.issues, ...reader.issues]
  if (issues.length > 0) return refuse(reasons.invalidPayload, issues)
  return {
    scheme: authorizedDeposit,
    details: { kind: 'deposit', voucher, salt },
    payer,
    amount,
    // Binds the deposit to its channel.
    nonce: combineWords(voucher.channelId, salt),
    signature,
    validAfter,
    validBefore,
    domain: required.asset,
    domainName: required.domainName,
    domainVersion: required.domainVersion,
  }
}

/** Adds an issue to the deposit's if its amount is out of range. A malformed amount has one already. */
function checkDepositAmount(amount: bigint, deposit: FieldReader): void {
  const isInRange = amount > 0n && amount < UINT128_END
  if (!isInRange && deposit.issues.length === 0)
    deposit.addIssue('amount', 'Expected an amount from 1 to 2^128 - 1')
}

function readPermit2Deposit(
  deposit: JsonObject,
  value: unknown,
  voucher: Voucher,
  { required, chainId, extensions, isApprovalChain }: ChannelContext,
): PayloadRead | Refusal {
  const outer = new FieldReader(deposit, `${PATH}.deposit`)
  const amount = outer.amount('amount')
  const { payer } = voucher.config
  const signed = readSignedDeposit(value)
  checkDepositAmount(amount, outer)
  const issues = [...outer.issues, ...signed.issues]
  if (issues.length > 0) return refuse(reasons.invalidPayload, issues)
  const mismatch = findDepositMismatch(signed, { amount, voucher, asset: required.asset })
  if (mismatch !== undefined) return mismatch
  const target = { payer, token: required.asset, maximum: amount }
  const approvals = readApprovals(extensions, target, isApprovalChain ? chainId : undefined)
  if (isRefusal(approvals)) return toChannelRefusal(approvals)
  return {
    scheme: permittedDeposit,
    payer,
    amount,
    nonce: formatNonce(signed.nonce),
    signature: signed.signature,
    // Permit2 accepts the signature until the deadline, including it.
    validBefore: signed.deadline + 1n,
    domain: permit2Address,
    details: {
      kind: 'deposit',
      voucher,
      maximum: amount,
      ...approvals,
    },
  }
}

/** What a payer signs for a deposit by Permit2. */
function readSignedDeposit(value: unknown) {
  const authorization = isObject(value) ? value : {}
  const reader = new FieldReader(value, PERMIT2)
  const permitted = new FieldReader(authorization.permitted, `${PERMIT2}.permitted`)
  const witness = new FieldReader(authorization.witness, `${PERMIT2}.witness`)
  return {
    from: reader.address('from'),
    spender: reader.address('spender'),
    nonce: reader.uint('nonce'),
    deadline: reader.time('deadline'),
    signature: reader.signature('signature'),
    token: permitted.address('token'),
    permitted: permitted.amount('amount'),
    channelId: witness.nonce('channelId'),
    issues: [...reader.issues, ...permitted.issues, ...witness.issues],
  }
}

/**
 * Finds the first difference between what the payer signed for Permit2 and the deposit, in the order of the
 * reference.
 */
function findDepositMismatch(
  signed: ReturnType<typeof readSignedDeposit>,
  { amount, voucher, asset }: { amount: bigint; voucher: Voucher; asset: string },
): Refusal | undefined {
  if (signed.from !== voucher.config.payer) {
    const message = `Another wallet than the payer of the channel, ${voucher.config.payer}`
    return refuseField(channelReasons.permit2Signature, `${PERMIT2}.from`, message)
  }
  const collector = permit2CollectorAddress
  if (signed.spender !== collector)
    return refuseField(
      channelReasons.permit2SpenderMismatch,
      `${PERMIT2}.spender`,
      `Another contract than x402's collector of deposits. Sign for ${collector}`,
    )
  if (signed.token !== asset)
    return refuseField(
      channelReasons.tokenMismatch,
      `${PERMIT2}.permitted.token`,
      `Another token than paymentRequirements.asset. Sign for ${asset}`,
    )
  if (signed.permitted !== amount)
    return refuseField(
      channelReasons.permit2AmountMismatch,
      `${PERMIT2}.permitted.amount`,
      `Another amount than the deposit. Sign for ${amount}`,
    )
  if (signed.channelId !== voucher.channelId)
    return refuseField(
      channelReasons.channelIdMismatch,
      `${PERMIT2}.witness.channelId`,
      `Another channel than the one of the voucher. Sign for ${voucher.channelId}`,
    )
  return undefined
}

/** The scheme has a reason of its own for an approval of another amount. */
const toChannelRefusal = (refusal: Refusal): Refusal =>
  refusal.reason === reasons.approvalAmountMismatch
    ? { ...refusal, reason: channelReasons.approvalAmountMismatch }
    : refusal
