import { batchSettlementAddress } from '../../chains/evm/channels/channel-contracts.ts'
import {
  combineHashes,
  computeChannelId,
  computeClaimsDigest,
  computeRefundDigest,
} from '../../chains/evm/channels/channel-digests.ts'
import type { ChannelConfig, Claim, Voucher } from '../../chains/evm/channels/channel-terms.ts'
import { channelReasons } from '../channel-reasons.ts'
import type { Decoded } from '../payment.ts'
import { reasons } from '../reasons.ts'
import {
  type ChannelChain,
  type ChannelContext,
  type ChannelRead,
  PATH,
  readDepositAuthorization,
  UINT128_END,
} from './channel-deposit.ts'
import { type ChannelRequirements, checkAccepted, readChannelRequirements } from './channel-requirements.ts'
import { FieldReader, isObject, type JsonObject } from './fields.ts'
import { fingerprint } from './fingerprint.ts'
import { isRefusal, type Refusal, refuse, refuseNonObject } from './refusal.ts'

/** The scheme of payment channels. */
export const CHANNEL_SCHEME = 'batch-settlement'

/** The most channels of one transaction. */
const MAX_CLAIMS = 100

const DELAY_SECONDS = { least: 15 * 60, most: 30 * 24 * 60 * 60 }
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
/** No time limits an operation: its signatures stay valid. */
const NO_TIME_LIMIT = 253_402_300_799n

/**
 * Decodes a request of the scheme batch-settlement, x402 version 2, and checks everything that needs neither
 * the chain nor a key. Never throws.
 *
 * @param chain The chain of the requirements.
 */
export function decodeChannelPayment(
  paymentPayload: JsonObject,
  paymentRequirements: JsonObject,
  chain: ChannelChain,
): Decoded {
  const required = readChannelRequirements(
    paymentRequirements,
    'paymentRequirements',
    reasons.invalidRequirements,
  )
  if (isRefusal(required)) return required
  const mismatch = checkAccepted(paymentPayload.accepted, required)
  if (mismatch !== undefined) return mismatch
  const { payload, extensions } = paymentPayload
  if (!isObject(payload)) return refuseNonObject(reasons.invalidPayload, PATH)
  const read = readPayload(payload, { ...chain, required, extensions })
  if (isRefusal(read)) return read
  const { network, asset, payTo, maxTimeoutSeconds } = required
  const fields = {
    scheme: CHANNEL_SCHEME,
    network,
    asset,
    payTo,
    validAfter: 0n,
    validBefore: NO_TIME_LIMIT,
    domainName: '',
    domainVersion: '',
    ...read,
  } as const
  return {
    ok: true,
    payment: {
      ...fields,
      version: 2,
      wireNetwork: network,
      chainId: chain.chainId,
      maxTimeoutSeconds,
      fingerprint: fingerprint(fields),
      request: { x402Version: 2, paymentPayload, paymentRequirements },
    },
  }
}

function readPayload(payload: JsonObject, context: ChannelContext): ChannelRead | Refusal {
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
      return refuse(channelReasons.payloadType, 'The payload has no type of the scheme batch-settlement')
  }
}

function readDeposit(payload: JsonObject, context: ChannelContext): ChannelRead | Refusal {
  const voucher = readPaidVoucher(payload, context)
  return isRefusal(voucher) ? voucher : readDepositAuthorization(payload.deposit, voucher, context)
}

function readVoucherPayload(
  payload: JsonObject,
  context: ChannelContext,
  refunds: boolean,
): ChannelRead | Refusal {
  const voucher = readPaidVoucher(payload, context)
  if (isRefusal(voucher)) return voucher
  const { channelId, signature, config } = voucher
  return {
    channel: { kind: 'voucher', voucher, refunds },
    payer: config.payer,
    amount: 0n,
    nonce: channelId,
    signature,
    domain: batchSettlementAddress,
  }
}

function readClaim(payload: JsonObject, context: ChannelContext): ChannelRead | Refusal {
  const claims = readClaims(payload.claims, context)
  if (isRefusal(claims)) return claims
  if (claims.length === 0)
    return refuse(reasons.invalidPayload, 'There are no claims', [
      { path: `${PATH}.claims`, message: 'must not be empty' },
    ])
  const signature = readAuthorizerSignature(payload, 'claimAuthorizerSignature')
  if (typeof signature !== 'string') return signature
  return {
    channel: { kind: 'claim', signed: { claims, signature } },
    payer: context.required.payTo,
    amount: 0n,
    nonce: computeClaimsDigest(claims, context.chainId),
    signature: '0x',
    domain: batchSettlementAddress,
  }
}

/**
 * The nonce is preliminary: what was paid out before distinguishes one payout from the next (see
 * `bindPayout`).
 */
function readSettle(payload: JsonObject, { required }: ChannelContext): ChannelRead | Refusal {
  const reader = new FieldReader(payload, PATH)
  const receiver = reader.address('receiver')
  const token = reader.address('token')
  if (reader.issues.length > 0)
    return refuse(reasons.invalidPayload, 'The payout is malformed', reader.issues)
  if (receiver !== required.payTo)
    return refuse(channelReasons.receiverMismatch, 'The receiver is not payTo of the requirements')
  if (token !== required.asset)
    return refuse(channelReasons.tokenMismatch, 'The token is not the asset of the requirements')
  return {
    channel: { kind: 'settle' },
    payer: receiver,
    amount: 0n,
    nonce: combineHashes(receiver, token),
    signature: '0x',
    domain: batchSettlementAddress,
  }
}

function readRefund(payload: JsonObject, context: ChannelContext): ChannelRead | Refusal {
  const voucher = readPaidVoucher(payload, context)
  if (isRefusal(voucher)) return voucher
  const { config, channelId } = voucher
  const { payer } = config
  const reader = new FieldReader(payload, PATH)
  const amount = reader.amount('amount')
  const refundNonce = reader.amount('refundNonce')
  if (reader.issues.length > 0 || amount >= UINT128_END)
    return { ...refuse(reasons.invalidPayload, 'The refund is malformed', reader.issues), payer }
  const claims = readClaims(payload.claims, context)
  if (isRefusal(claims)) return { ...claims, payer }
  const signature = readAuthorizerSignature(payload, 'refundAuthorizerSignature')
  if (typeof signature !== 'string') return { ...signature, payer }
  const claimSignature =
    claims.length === 0 ? '0x' : readAuthorizerSignature(payload, 'claimAuthorizerSignature')
  if (typeof claimSignature !== 'string') return { ...claimSignature, payer }
  const { chainId } = context
  return {
    channel: {
      kind: 'refund',
      voucher,
      amount,
      refundNonce,
      signature,
      signed: claims.length === 0 ? undefined : { claims, signature: claimSignature },
    },
    payer,
    amount: 0n,
    nonce: combineHashes(
      computeRefundDigest({ channelId, refundNonce, amount }, chainId),
      computeClaimsDigest(claims, chainId),
    ),
    signature: '0x',
    domain: batchSettlementAddress,
  }
}

function readAuthorizerSignature(payload: JsonObject, name: string): string | Refusal {
  if (payload[name] === undefined) {
    const message = `${name} is missing. Configure a receiverAuthorizerSigner in the seller's server`
    return refuse(channelReasons.authorizerNotConfigured, message)
  }
  const reader = new FieldReader(payload, PATH)
  const signature = reader.signature(name)
  return reader.issues.length === 0
    ? signature
    : refuse(reasons.invalidPayload, 'The signature of the authorizer is malformed', reader.issues)
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
  const { payer } = config
  if (reader.issues.length > 0 || voucher.maximum >= UINT128_END)
    return { ...refuse(reasons.invalidPayload, 'The voucher is malformed', reader.issues), payer }
  const problem = findConfigProblem(config, required)
  if (problem !== undefined) return { ...problem, payer }
  if (computeChannelId(config, chainId) !== voucher.channelId) {
    const message = 'The channel id is not that of channelConfig'
    return { ...refuse(channelReasons.channelIdMismatch, message), payer }
  }
  const { receiverAuthorizer, withdrawDelay } = required
  if (receiverAuthorizer === undefined || config.receiverAuthorizer !== receiverAuthorizer) {
    const message = "The channel's receiverAuthorizer is not that of the requirements"
    return { ...refuse(channelReasons.receiverAuthorizerMismatch, message), payer }
  }
  if (withdrawDelay !== undefined && config.withdrawDelay !== withdrawDelay) {
    const message = "The channel's withdrawDelay is not that of the requirements"
    return { ...refuse(channelReasons.withdrawDelayMismatch, message), payer }
  }
  return voucher
}

function readClaims(value: unknown, context: ChannelContext): readonly Claim[] | Refusal {
  if (!Array.isArray(value) || value.length > MAX_CLAIMS) {
    const message = `must be an array of at most ${MAX_CLAIMS} claims`
    return refuse(reasons.invalidPayload, 'The claims are malformed', [{ path: `${PATH}.claims`, message }])
  }
  const claims: Claim[] = []
  for (const [index, entry] of value.entries()) {
    const claim = readOneClaim(entry, `${PATH}.claims.${index}`, context)
    if (isRefusal(claim)) return claim
    claims.push(claim)
  }
  const [first] = claims
  if (claims.some(({ config }) => config.receiverAuthorizer !== first?.config.receiverAuthorizer))
    return refuse(channelReasons.authorizerMismatch, 'The claims have different authorizers')
  return claims
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
  const issues = [...inner.issues, ...outer.issues]
  if (total > maximum || maximum >= UINT128_END)
    issues.push({ path: `${path}.totalClaimed`, message: 'must not be above maxClaimableAmount' })
  if (issues.length > 0) return refuse(reasons.invalidPayload, 'A claim is malformed', issues)
  const problem = findConfigProblem(config, required)
  return problem ?? { config, channelId: computeChannelId(config, chainId), maximum, total, signature }
}

function readConfig(value: unknown, path: string): ChannelConfig | Refusal {
  const reader = new FieldReader(value, path)
  const config = {
    payer: reader.address('payer'),
    payerAuthorizer: reader.address('payerAuthorizer'),
    receiver: reader.address('receiver'),
    receiverAuthorizer: reader.address('receiverAuthorizer'),
    token: reader.address('token'),
    withdrawDelay: reader.seconds('withdrawDelay'),
    salt: reader.nonce('salt'),
  }
  return reader.issues.length === 0
    ? config
    : refuse(reasons.invalidPayload, 'The configuration of a channel is malformed', reader.issues)
}

function findConfigProblem(
  { receiver, token, withdrawDelay, receiverAuthorizer }: ChannelConfig,
  required: ChannelRequirements,
): Refusal | undefined {
  if (receiver !== required.payTo)
    return refuse(channelReasons.receiverMismatch, 'The channel pays another recipient than payTo')
  if (token !== required.asset)
    return refuse(channelReasons.tokenMismatch, 'The channel is for another token than the asset')
  if (receiverAuthorizer === ZERO_ADDRESS)
    return refuse(channelReasons.receiverAuthorizerMismatch, 'The channel has no receiverAuthorizer')
  const { least, most } = DELAY_SECONDS
  if (!Number.isInteger(withdrawDelay) || withdrawDelay < least || withdrawDelay > most) {
    const message = `withdrawDelay must be from ${least} to ${most} seconds`
    return refuse(channelReasons.withdrawDelayOutOfRange, message)
  }
  return undefined
}
