import { computeDepositNonce } from '../../chains/evm/channels/channel-digests.ts'
import type { ChannelAction, Voucher } from '../../chains/evm/channels/channel-terms.ts'
import { formatNonce, permit2Address, spenders } from '../../chains/evm/methods/permit2-contracts.ts'
import { channelReasons } from '../channel-reasons.ts'
import type { Payment } from '../payment.ts'
import { reasons } from '../reasons.ts'
import { readApprovalTransaction } from './approval-transaction.ts'
import type { ChannelRequirements } from './channel-requirements.ts'
import { FieldReader, type Issue, isObject, type JsonObject } from './fields.ts'
import { readApproval } from './permit2.ts'
import { isRefusal, type Refusal, refuse } from './refusal.ts'

/** Amounts are below. */
export const UINT128_END = 1n << 128n
export const PATH = 'paymentPayload.payload'

/** What every payload of the scheme is read with. */
export interface ChannelContext extends ChannelChain {
  readonly required: ChannelRequirements
  readonly extensions: unknown
}

/** The chain of a channel, which is served. */
export interface ChannelChain {
  readonly chainId: number
  /** Whether we broadcast signed approval transactions on the chain. */
  readonly isApprovalChain: boolean
}

/** What a payload of the scheme does, and what identifies it. */
export type ChannelRead = Pick<Payment, 'payer' | 'amount' | 'nonce' | 'signature' | 'domain'> &
  Partial<Pick<Payment, 'validAfter' | 'validBefore' | 'domainName' | 'domainVersion' | 'permit2'>> & {
    readonly channel: ChannelAction
  }

/**
 * Reads a deposit and how its payer authorized it. The seller's method decides, otherwise the payload does,
 * as in the reference.
 */
export function readDepositAuthorization(
  value: unknown,
  voucher: Voucher,
  context: ChannelContext,
): ChannelRead | Refusal {
  const { transferMethod } = context.required
  const deposit = isObject(value) ? value : {}
  const { payer } = voucher.config
  const methods = isObject(deposit.authorization) ? deposit.authorization : {}
  const hasPermit2 = Object.hasOwn(methods, 'permit2Authorization')
  if (transferMethod === 'permit2' || (transferMethod === '' && hasPermit2)) {
    if (hasPermit2) return readPermit2Deposit(deposit, methods.permit2Authorization, voucher, context)
    return { ...refuse(channelReasons.payloadType, 'The deposit must be authorized for Permit2'), payer }
  }
  if (!Object.hasOwn(methods, 'erc3009Authorization')) {
    const message = 'The deposit must be authorized by EIP-3009'
    return { ...refuse(channelReasons.authorizationRequired, message), payer }
  }
  return readEip3009Deposit(deposit, methods.erc3009Authorization, voucher, context)
}

function readEip3009Deposit(
  deposit: JsonObject,
  authorization: unknown,
  voucher: Voucher,
  { required }: ChannelContext,
): ChannelRead | Refusal {
  const outer = new FieldReader(deposit, `${PATH}.deposit`)
  const amount = outer.amount('amount')
  const { payer } = voucher.config
  if (required.domainName === '' || required.domainVersion === '')
    return refuse(channelReasons.missingDomain, "The requirements must contain the asset's EIP-712 domain")
  const path = `${PATH}.deposit.authorization.erc3009Authorization`
  const reader = new FieldReader(authorization, path)
  const validAfter = reader.amount('validAfter')
  const validBefore = reader.amount('validBefore')
  const salt = BigInt(reader.nonce('salt') || 0)
  const signature = reader.signature('signature')
  const issues = [...outer.issues, ...reader.issues, ...checkDepositAmount(amount)]
  if (issues.length > 0)
    return { ...refuse(reasons.invalidPayload, 'The deposit is malformed', issues), payer }
  return {
    channel: { kind: 'deposit', voucher, salt },
    payer,
    amount,
    nonce: computeDepositNonce(voucher.channelId, salt),
    signature,
    validAfter,
    validBefore,
    domain: required.asset,
    domainName: required.domainName,
    domainVersion: required.domainVersion,
  }
}

const checkDepositAmount = (amount: bigint): readonly Issue[] =>
  amount > 0n && amount < UINT128_END
    ? []
    : [{ path: `${PATH}.deposit.amount`, message: 'must be from 1 to 2^128 - 1' }]

function readPermit2Deposit(
  deposit: JsonObject,
  value: unknown,
  voucher: Voucher,
  { required, chainId, extensions, isApprovalChain }: ChannelContext,
): ChannelRead | Refusal {
  const outer = new FieldReader(deposit, `${PATH}.deposit`)
  const amount = outer.amount('amount')
  const { payer } = voucher.config
  const signed = readSignedDeposit(value)
  const issues = [...outer.issues, ...signed.issues, ...checkDepositAmount(amount)]
  if (issues.length > 0)
    return { ...refuse(reasons.invalidPayload, 'The deposit is malformed', issues), payer }
  const mismatch = findDepositMismatch(signed, { amount, voucher, asset: required.asset })
  if (mismatch !== undefined) return { ...mismatch, payer }
  const target = { payer, token: required.asset, maximum: amount }
  const approval = readApproval(extensions, target)
  if (approval !== undefined && isRefusal(approval)) return { ...toChannelRefusal(approval), payer }
  const approvalTransaction =
    approval === undefined && isApprovalChain
      ? readApprovalTransaction(extensions, { ...target, chainId })
      : undefined
  if (approvalTransaction !== undefined && isRefusal(approvalTransaction))
    return { ...approvalTransaction, payer }
  return {
    channel: { kind: 'deposit', voucher, salt: undefined },
    payer,
    amount,
    nonce: formatNonce(signed.nonce),
    signature: signed.signature,
    // Permit2 accepts the signature until the deadline, including it.
    validBefore: signed.deadline + 1n,
    domain: permit2Address,
    permit2: {
      maximum: amount,
      ...(approval && { approval }),
      ...(approvalTransaction && { approvalTransaction }),
    },
  }
}

/** What a payer signs for a deposit by Permit2. */
function readSignedDeposit(value: unknown) {
  const path = `${PATH}.deposit.authorization.permit2Authorization`
  const authorization = isObject(value) ? value : {}
  const reader = new FieldReader(value, path)
  const permitted = new FieldReader(authorization.permitted, `${path}.permitted`)
  const witness = new FieldReader(authorization.witness, `${path}.witness`)
  return {
    from: reader.address('from'),
    spender: reader.address('spender'),
    nonce: reader.amount('nonce'),
    deadline: reader.amount('deadline'),
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
  if (signed.from !== voucher.config.payer)
    return refuse(channelReasons.permit2Signature, 'The payer of the channel has not signed the deposit')
  const collector = spenders['batch-settlement']
  if (signed.spender !== collector)
    return refuse(
      channelReasons.permit2SpenderMismatch,
      `The payer must sign for x402's collector of deposits, ${collector}`,
    )
  if (signed.token !== asset)
    return refuse(channelReasons.tokenMismatch, 'The payer signed for another token than the asset')
  if (signed.permitted !== amount)
    return refuse(
      channelReasons.permit2AmountMismatch,
      'The payer signed for another amount than the deposit',
    )
  if (signed.channelId !== voucher.channelId)
    return refuse(
      channelReasons.channelIdMismatch,
      'The payer signed for another channel than the one of the voucher',
    )
  return undefined
}

/** The scheme has a reason of its own for an approval of another amount. */
const toChannelRefusal = (refusal: Refusal): Refusal =>
  refusal.reason === reasons.approvalAmountMismatch
    ? { ...refusal, reason: channelReasons.approvalAmountMismatch }
    : refusal
