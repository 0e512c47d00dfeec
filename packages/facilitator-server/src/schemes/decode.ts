import { toNetwork } from '@mintmark/evm-reader'
import { version1Networks } from '../chains/evm/settings/known-chains.ts'
import { isSvmNetwork } from '../chains/solana/svm-network.ts'
import { listDifferences, quote } from '../payment/compare-terms.ts'
import { describeProblem, FieldReader, isObject, type JsonObject, toObjectIssue } from '../payment/fields.ts'
import { fingerprint } from '../payment/fingerprint.ts'
import { readIdentifier } from '../payment/identifier.ts'
import type { Decoded } from '../payment/payment.ts'
import { reasons } from '../payment/reasons.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../payment/refusal.ts'
import type { Authorized, Terms } from '../payment/terms.ts'
import { CHANNEL_SCHEME, decodeChannelPayment } from './evm/batch-settlement/decode-channel.ts'
import { readEip3009 } from './evm/exact-eip3009/decode-eip3009.ts'
import { type Permit2Context, readPermit2 } from './evm/shared/permit2/decode-permit2.ts'
import { readPayer } from './read-payer.ts'
import { decodeSvmPayment } from './solana/exact/decode-svm.ts'

/** Longer than any token's name. */
const MAX_DOMAIN_TEXT_LENGTH = 256

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
/** What a facilitator serves. */
export interface Served {
  /** The CAIP-2 networks. Any other is `invalid_network`. */
  readonly networks: ReadonlySet<string>
  /**
   * The addresses of our signers, lower-case, for which payers sign in the scheme upto. Empty if another
   * facilitator settles.
   */
  readonly facilitators: ReadonlySet<string>
  /** The ids of the chains on which we broadcast payers' signed approval transactions. */
  readonly approvalChains?: ReadonlySet<number>
  /** The addresses of our fee payers on Solana, base58. */
  readonly feePayers?: ReadonlySet<string>
}

/**
 * Decodes the body of a verify or a settle: x402 version 1 or 2, on EVM, scheme exact with EIP-3009 or
 * Permit2, or scheme upto with Permit2. Never throws. An invalid body returns an x402 reason, the fields at
 * fault and, if it can be read, the payer. Fields that x402 does not define are ignored.
 */
export function decodePayment(body: unknown, served: Served): Decoded {
  const decoded = decode(body, served)
  if (decoded.ok) return decoded
  const payer = readPayer(body)
  return payer === undefined ? decoded : { ...decoded, payer }
}

function decode(body: unknown, served: Served): Decoded {
  const { networks, facilitators, approvalChains, feePayers = new Set() } = served
  if (!isObject(body)) return refuse(reasons.invalidPayload, [toObjectIssue(body, '')])
  const { x402Version, paymentPayload, paymentRequirements } = body
  if (x402Version !== 1 && x402Version !== 2) {
    const format = { expected: 'the number 1 or 2', example: '2' }
    return refuseField(reasons.invalidVersion, 'x402Version', describeProblem(x402Version, format))
  }
  if (!isObject(paymentPayload))
    return refuse(reasons.invalidPayload, [toObjectIssue(paymentPayload, 'paymentPayload')])
  if (!isObject(paymentRequirements))
    return refuse(reasons.invalidRequirements, [toObjectIssue(paymentRequirements, 'paymentRequirements')])
  if (paymentPayload.x402Version !== x402Version) {
    const message = `Expected ${x402Version}, the x402Version of the request`
    return refuseField(reasons.invalidVersion, 'paymentPayload.x402Version', message)
  }

  const { network } = paymentRequirements
  if (x402Version === 2 && typeof network === 'string' && isSvmNetwork(network))
    return withIdentifier(
      decodeSvmPayment(paymentPayload, paymentRequirements, { networks, feePayers }),
      paymentPayload,
    )

  // The addresses of another kind of chain are not malformed: its network is not served.
  if (x402Version === 2 && typeof network === 'string' && network !== '' && !parseChainId(network, 2))
    return refuseNetwork(network)

  if (x402Version === 2 && paymentRequirements.scheme === CHANNEL_SCHEME)
    return decodeChannel(paymentPayload, paymentRequirements, served)

  const terms = readTerms(
    paymentRequirements,
    x402Version,
    'paymentRequirements',
    reasons.invalidRequirements,
  )
  if (isRefusal(terms)) return terms
  // In version 1, and where another facilitator settles, payers cannot know for whom to sign.
  if (terms.scheme === 'upto' && (x402Version === 1 || facilitators.size === 0))
    return refuseScheme(terms.scheme, 'paymentRequirements')
  const accepted =
    x402Version === 1 ? compareVersion1(paymentPayload, terms) : compareAccepted(paymentPayload, terms)
  if (isRefusal(accepted)) return accepted

  const chainId = parseChainId(terms.wireNetwork, x402Version)
  if (chainId === undefined || !networks.has(toNetwork(chainId))) {
    return refuseNetwork(terms.wireNetwork)
  }
  const authorized = readAuthorized(paymentPayload, terms, {
    acceptedAmount: accepted.amount,
    facilitators,
    approvalChainId: approvalChains?.has(chainId) ? chainId : undefined,
  })
  if (isRefusal(authorized)) return authorized
  const fields = { network: toNetwork(chainId), chainId, ...terms, ...authorized }
  const decoded: Decoded = {
    ok: true,
    payment: {
      ...fields,
      version: x402Version,
      fingerprint: fingerprint(fields),
      request: { x402Version, paymentPayload, paymentRequirements },
    },
  }
  // Version 1 has no extensions.
  return x402Version === 1 ? decoded : withIdentifier(decoded, paymentPayload)
}

/** Decodes a request of a payment channel. Where another facilitator settles, there are none. */
function decodeChannel(
  payload: JsonObject,
  requirements: JsonObject,
  { networks, facilitators, approvalChains }: Served,
): Decoded {
  if (facilitators.size === 0) return refuseScheme(CHANNEL_SCHEME, 'paymentRequirements')
  const network = typeof requirements.network === 'string' ? requirements.network : ''
  const chainId = parseChainId(network, 2)
  if (chainId === undefined || !networks.has(toNetwork(chainId))) return refuseNetwork(network)
  const decoded = decodeChannelPayment(payload, requirements, {
    chainId,
    isApprovalChain: approvalChains?.has(chainId) === true,
  })
  return decoded.ok && decoded.payment.channel?.kind === 'deposit'
    ? withIdentifier(decoded, payload)
    : decoded
}

/** Adds the payer's identifier to a payment. */
function withIdentifier(decoded: Decoded, { extensions }: JsonObject): Decoded {
  if (!decoded.ok) return decoded
  const identifier = readIdentifier(extensions)
  if (typeof identifier === 'object') return identifier
  return identifier === undefined ? decoded : { ok: true, payment: { ...decoded.payment, identifier } }
}

function readTerms(requirements: unknown, version: 1 | 2, path: string, reason: string): Terms | Refusal {
  const reader = new FieldReader(requirements, path)
  const scheme = reader.text('scheme', '"exact"')
  const wireNetwork = reader.text('network', NETWORK_EXAMPLES[version])
  if (scheme !== 'exact' && scheme !== 'upto' && scheme !== '') return refuseScheme(scheme, path)
  const extra = isObject(requirements) && isObject(requirements.extra) ? requirements.extra : {}
  const terms: Terms = {
    scheme: scheme === 'upto' ? 'upto' : 'exact',
    wireNetwork,
    asset: reader.address('asset'),
    payTo: reader.address('payTo'),
    amount: reader.amount(version === 1 ? 'maxAmountRequired' : 'amount'),
    maxTimeoutSeconds: reader.seconds('maxTimeoutSeconds'),
    domainName: readOwnText(extra, 'name'),
    domainVersion: readOwnText(extra, 'version'),
  }
  for (const [field, text] of [
    ['name', terms.domainName],
    ['version', terms.domainVersion],
  ] as const) {
    if (text.length > MAX_DOMAIN_TEXT_LENGTH) {
      reader.addIssue(`extra.${field}`, `Expected at most ${MAX_DOMAIN_TEXT_LENGTH} characters`)
    }
  }
  if (terms.payTo === ZERO_ADDRESS) {
    reader.addIssue('payTo', 'Expected the address of the seller, received the zero address')
  }
  if (reader.issues.length > 0) return refuse(reason, reader.issues)
  return terms
}

/** As in JSON. */
const NETWORK_EXAMPLES = { 1: '"base-sepolia"', 2: '"eip155:84532"' }

const refuseScheme = (scheme: string, path: string): Refusal =>
  refuseField(
    reasons.unsupportedScheme,
    `${path}.scheme`,
    `The scheme ${quote(scheme)} is not supported here. Take one of the supported kinds`,
  )

const refuseNetwork = (network: string): Refusal =>
  refuseField(
    reasons.invalidNetwork,
    'paymentRequirements.network',
    `The network ${quote(network)} is not served. Take one of the supported kinds`,
  )

/** What the payer accepted. */
type Accepted = Pick<Terms, 'amount'>

/** In version 1, the payload repeats only scheme and network. */
function compareVersion1(payload: JsonObject, terms: Terms): Accepted | Refusal {
  const reader = new FieldReader(payload, 'paymentPayload')
  const scheme = reader.text('scheme', '"exact"')
  const network = reader.text('network', NETWORK_EXAMPLES[1])
  if (reader.issues.length > 0) return refuse(reasons.invalidPayload, reader.issues)
  if (scheme !== terms.scheme) {
    const message = `Differs from paymentRequirements.scheme, which is ${quote(terms.scheme)}`
    return refuseField(reasons.invalidScheme, 'paymentPayload.scheme', message)
  }
  if (network !== terms.wireNetwork) {
    const message = `Differs from paymentRequirements.network, which is ${quote(terms.wireNetwork)}`
    return refuseField(reasons.networkMismatch, 'paymentPayload.network', message)
  }
  return terms
}

/**
 * In version 2, the payload repeats the requirements that the payer accepted. They must equal the seller's
 * requirements, except for the amount of the scheme upto: the payer accepts a maximum, and the seller settles
 * what was used.
 */
function compareAccepted(payload: JsonObject, terms: Terms): Accepted | Refusal {
  const path = 'paymentPayload.accepted'
  const accepted = readTerms(payload.accepted, 2, path, reasons.invalidPayload)
  if (isRefusal(accepted)) {
    return accepted.reason === reasons.unsupportedScheme
      ? { ...accepted, reason: reasons.invalidScheme }
      : accepted
  }
  const scheme = listDifferences(accepted, terms, { scheme: 'scheme' })
  if (scheme.length > 0) return refuse(reasons.invalidScheme, scheme)
  const network = listDifferences(accepted, terms, { wireNetwork: 'network' })
  if (network.length > 0) return refuse(reasons.networkMismatch, network)
  const issues = listDifferences(accepted, terms, {
    ...COMPARED_TERMS,
    ...(terms.scheme === 'exact' && { amount: 'amount' }),
  })
  return issues.length === 0 ? accepted : refuse(reasons.invalidRequirements, issues)
}

const COMPARED_TERMS = {
  asset: 'asset',
  payTo: 'payTo',
  maxTimeoutSeconds: 'maxTimeoutSeconds',
  domainName: 'extra.name',
  domainVersion: 'extra.version',
}

/**
 * The content of the payload decides the method, as in the reference. The seller receives the same either
 * way.
 */
function readAuthorized(
  { payload, extensions }: JsonObject,
  terms: Terms,
  context: Omit<Permit2Context, 'extensions'>,
): Authorized | Refusal {
  if (!isObject(payload))
    return refuse(reasons.invalidPayload, [toObjectIssue(payload, 'paymentPayload.payload')])
  const isPermit2 = Object.hasOwn(payload, 'permit2Authorization') && !Object.hasOwn(payload, 'authorization')
  if (isPermit2) return readPermit2(payload, terms, { ...context, extensions })
  if (terms.scheme === 'upto') {
    const message = 'Required: the scheme upto is paid by an authorization for Permit2'
    return refuseField(reasons.unsupportedPayload, 'paymentPayload.payload.permit2Authorization', message)
  }
  return readEip3009(payload, terms)
}

function parseChainId(wireNetwork: string, version: 1 | 2): number | undefined {
  if (version === 1) return version1Networks.get(wireNetwork)
  const digits = /^eip155:([1-9][0-9]{0,15})$/.exec(wireNetwork)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

const readOwnText = (object: JsonObject, name: string): string => {
  const value = Object.hasOwn(object, name) ? object[name] : undefined
  return typeof value === 'string' ? value : ''
}
