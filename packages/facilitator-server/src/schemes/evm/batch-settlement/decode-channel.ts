import { FieldReader, isObject, type JsonObject } from '../../../payment/fields.ts'
import { reasons } from '../../../payment/reasons.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../../../payment/refusal.ts'
import { createDecodeRequest, PATH, type PayloadRead } from '../shared/decode-request.ts'
import { combineWords } from '../shared/typed-data.ts'
import { findConfigProblem, findTermsMismatch, readConfig } from './channel-config.ts'
import { batchSettlementAddress } from './channel-contracts.ts'
import {
  BELOW_UINT128,
  type ChannelContext,
  readDepositAuthorization,
  UINT128_END,
} from './channel-deposit.ts'
import { computeChannelId, computeClaimsDigest, computeRefundDigest } from './channel-digests.ts'
import { channelReasons } from './channel-reasons.ts'
import {
  type ChannelRequirements,
  channelTermNames,
  readChannelRequirements,
} from './channel-requirements.ts'
import { channelOperation, channelVoucher } from './channel-schemes.ts'
import type { Claim, Voucher } from './channel-terms.ts'

/** The most channels of one transaction. */
const MAX_CLAIMS = 100

/** Decodes a request of the scheme batch-settlement. */
export const decodeChannel = createDecodeRequest<ChannelRequirements>({
  name: channelOperation.name,
  readRequirements: readChannelRequirements,
  names: channelTermNames,
  payloadReason: reasons.invalidPayload,
  readPayload,
})

function readPayload(payload: JsonObject, context: ChannelContext): PayloadRead | Refusal {
  switch (payload.type) {
    case 'deposit':
      return readDeposit(payload, context)
    case 'voucher':
      return readVoucherPayload(payload, context, false)
    case 'refund':
      return Object.hasOwn(payload, 'refundNonce')
        ? readRefund(payload, context)
        : readVoucherPayload(payload, context, true)
    case 'claim':
      return readClaim(payload, context)
    case 'settle':
      return readSettle(payload, context)
    default:
      return refuseField(
        channelReasons.payloadType,
        `${PATH}.type`,
        'Expected "deposit", "voucher", "claim", "settle" or "refund"',
      )
  }
}

function readDeposit(payload: JsonObject, context: ChannelContext): PayloadRead | Refusal {
  const voucher = readPaidVoucher(payload, context)
  return isRefusal(voucher) ? voucher : readDepositAuthorization(payload.deposit, voucher, context)
}

function readVoucherPayload(
  payload: JsonObject,
  context: ChannelContext,
  refunds: boolean,
): PayloadRead | Refusal {
  const voucher = readPaidVoucher(payload, context)
  if (isRefusal(voucher)) return voucher
  const { channelId, signature, config } = voucher
  return {
    scheme: channelVoucher,
    details: { kind: 'voucher', voucher, refunds },
    payer: config.payer,
    amount: 0n,
    nonce: channelId,
    signature,
    domain: batchSettlementAddress,
  }
}

function readClaim(payload: JsonObject, context: ChannelContext): PayloadRead | Refusal {
  const claims = readClaims(payload.claims, context)
  if (isRefusal(claims)) return claims
  if (claims.length === 0)
    return refuseField(reasons.invalidPayload, `${PATH}.claims`, 'Expected at least one claim')
  const signature = readAuthorizerSignature(payload, 'claimAuthorizerSignature')
  if (typeof signature !== 'string') return signature
  return {
    scheme: channelOperation,
    details: { kind: 'claim', signed: { claims, signature } },
    payer: context.required.payTo,
    amount: 0n,
    nonce: computeClaimsDigest(claims, context.chainId),
    domain: batchSettlementAddress,
  }
}

/**
 * The nonce is preliminary: what was paid out before distinguishes one payout from the next (see
 * `bindPayout`).
 */
function readSettle(payload: JsonObject, { required }: ChannelContext): PayloadRead | Refusal {
  const reader = new FieldReader(payload, PATH)
  const receiver = reader.address('receiver')
  const token = reader.address('token')
  if (reader.issues.length > 0) return refuse(reasons.invalidPayload, reader.issues)
  if (receiver !== required.payTo) {
    const message = `Differs from paymentRequirements.payTo, ${required.payTo}`
    return refuseField(channelReasons.receiverMismatch, `${PATH}.receiver`, message)
  }
  if (token !== required.asset) {
    const message = `Differs from paymentRequirements.asset, ${required.asset}`
    return refuseField(channelReasons.tokenMismatch, `${PATH}.token`, message)
  }
  return {
    scheme: channelOperation,
    details: { kind: 'settle' },
    payer: receiver,
    amount: 0n,
    nonce: combineWords(receiver, token),
    domain: batchSettlementAddress,
  }
}

function readRefund(payload: JsonObject, context: ChannelContext): PayloadRead | Refusal {
  const voucher = readPaidVoucher(payload, context)
  if (isRefusal(voucher)) return voucher
  const { config, channelId } = voucher
  const { payer } = config
  const reader = new FieldReader(payload, PATH)
  const amount = reader.amount('amount')
  const refundNonce = reader.uint('refundNonce')
  if (amount >= UINT128_END) reader.addIssue('amount', BELOW_UINT128)
  if (reader.issues.length > 0) return refuse(reasons.invalidPayload, reader.issues)
  const claims = readClaims(payload.claims, context)
  if (isRefusal(claims)) return claims
  const signature = readAuthorizerSignature(payload, 'refundAuthorizerSignature')
  if (typeof signature !== 'string') return signature
  const claimSignature =
    claims.length === 0 ? '0x' : readAuthorizerSignature(payload, 'claimAuthorizerSignature')
  if (typeof claimSignature !== 'string') return claimSignature
  const { chainId } = context
  return {
    scheme: channelOperation,
    details: {
      kind: 'refund',
      voucher,
      amount,
      refundNonce,
      signature,
      signed: claims.length === 0 ? undefined : { claims, signature: claimSignature },
    },
    payer,
    amount: 0n,
    nonce: combineWords(
      computeRefundDigest({ channelId, refundNonce, amount }, chainId),
      computeClaimsDigest(claims, chainId),
    ),
    domain: batchSettlementAddress,
  }
}

function readAuthorizerSignature(payload: JsonObject, name: string): string | Refusal {
  if (payload[name] === undefined) {
    const message = "Required: configure a receiverAuthorizerSigner in the seller's server"
    return refuseField(channelReasons.authorizerNotConfigured, `${PATH}.${name}`, message)
  }
  const reader = new FieldReader(payload, PATH)
  const signature = reader.signature(name)
  return reader.issues.length === 0 ? signature : refuse(reasons.invalidPayload, reader.issues)
}

/** Reads the voucher of a payload, whose channel must fit the requirements. */
function readPaidVoucher(payload: JsonObject, { required, chainId }: ChannelContext): Voucher | Refusal {
  const config = readConfig(payload.channelConfig, `${PATH}.channelConfig`)
  if (isRefusal(config)) return config
  const reader = new FieldReader(payload.voucher, `${PATH}.voucher`)
  const voucher = {
    config,
    channelId: reader.nonce('channelId'),
    maximum: reader.amount('maxClaimableAmount'),
    signature: reader.signature('signature'),
  }
  if (voucher.maximum >= UINT128_END) reader.addIssue('maxClaimableAmount', BELOW_UINT128)
  if (reader.issues.length > 0) return refuse(reasons.invalidPayload, reader.issues)
  const problem = findConfigProblem(config, required, `${PATH}.channelConfig`)
  if (problem !== undefined) return problem
  const channelId = computeChannelId(config, chainId)
  if (channelId !== voucher.channelId) {
    const message = `Not the id of channelConfig, which is ${channelId}`
    return refuseField(channelReasons.channelIdMismatch, `${PATH}.voucher.channelId`, message)
  }
  return findTermsMismatch(config, required, `${PATH}.channelConfig`) ?? voucher
}

function readClaims(value: unknown, context: ChannelContext): readonly Claim[] | Refusal {
  if (!Array.isArray(value) || value.length > MAX_CLAIMS) {
    const message = `Expected an array of at most ${MAX_CLAIMS} claims`
    return refuseField(reasons.invalidPayload, `${PATH}.claims`, message)
  }
  const claims: Claim[] = []
  for (const [index, entry] of value.entries()) {
    const claim = readOneClaim(entry, `${PATH}.claims.${index}`, context)
    if (isRefusal(claim)) return claim
    claims.push(claim)
  }
  const [first] = claims
  const other = claims.findIndex(
    ({ config }) => config.receiverAuthorizer !== first?.config.receiverAuthorizer,
  )
  if (other === -1) return claims
  const path = `${PATH}.claims.${other}.voucher.channel.receiverAuthorizer`
  const message = 'Differs from that of the first claim. Claim the channels of each authorizer by themselves'
  return refuseField(channelReasons.authorizerMismatch, path, message)
}

function readOneClaim(entry: unknown, path: string, { required, chainId }: ChannelContext): Claim | Refusal {
  const voucher = isObject(entry) && isObject(entry.voucher) ? entry.voucher : {}
  const config = readConfig(voucher.channel, `${path}.voucher.channel`)
  if (isRefusal(config)) return config
  const inner = new FieldReader(voucher, `${path}.voucher`)
  const outer = new FieldReader(entry, path)
  const maximum = inner.amount('maxClaimableAmount')
  const total = outer.amount('totalClaimed')
  const signature = outer.signature('signature')
  if (maximum >= UINT128_END) inner.addIssue('maxClaimableAmount', BELOW_UINT128)
  const issues = [...inner.issues, ...outer.issues]
  if (total > maximum)
    issues.push({ path: `${path}.totalClaimed`, message: 'Expected at most the maxClaimableAmount' })
  if (issues.length > 0) return refuse(reasons.invalidPayload, issues)
  const problem = findConfigProblem(config, required, `${path}.voucher.channel`)
  return problem ?? { config, channelId: computeChannelId(config, chainId), maximum, total, signature }
}
