import { toNetwork } from '@mintmark/server-kit'
import { version1Networks } from '../../chains/evm/known-chains.ts'
import { isSvmNetwork } from '../../chains/svm/svm-payment.ts'
import type { Decoded } from '../payment.ts'
import { reasons } from '../reasons.ts'
import { CHANNEL_SCHEME, decodeChannelPayment } from './channel.ts'
import { readEip3009 } from './eip3009.ts'
import { FieldReader, isObject, type JsonObject } from './fields.ts'
import { fingerprint } from './fingerprint.ts'
import { readIdentifier } from './identifier.ts'
import { type Permit2Context, readPermit2 } from './permit2.ts'
import { isRefusal, type Refusal, refuse, refuseNonObject } from './refusal.ts'
import { decodeSvmPayment } from './svm.ts'
import type { Authorized, Terms } from './terms.ts'

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
 * Permit2, or scheme upto with Permit2. Never throws. An invalid body returns an x402 reason and the invalid
 * fields. Fields that x402 does not define are ignored.
 */
export function decodePayment(body: unknown, served: Served): Decoded {
  const { networks, facilitators, approvalChains, feePayers = new Set() } = served
  if (!isObject(body)) return refuse(reasons.invalidPayload, 'The body must be an object')
  const { x402Version, paymentPayload, paymentRequirements } = body
  if (x402Version !== 1 && x402Version !== 2) {
    return refuse(reasons.invalidVersion, 'x402Version must be 1 or 2', [
      { path: 'x402Version', message: 'must be 1 or 2' },
    ])
  }
  if (!isObject(paymentPayload)) return refuseNonObject(reasons.invalidPayload, 'paymentPayload')
  if (!isObject(paymentRequirements))
    return refuseNonObject(reasons.invalidRequirements, 'paymentRequirements')
  if (paymentPayload.x402Version !== x402Version) {
    return refuse(reasons.invalidVersion, 'The version of the payload must be that of the request', [
      { path: 'paymentPayload.x402Version', message: `must be ${x402Version}` },
    ])
  }

  const { network } = paymentRequirements
  if (x402Version === 2 && typeof network === 'string' && isSvmNetwork(network))
    return withIdentifier(
      decodeSvmPayment(paymentPayload, paymentRequirements, { networks, feePayers }),
      paymentPayload,
    )

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
    return refuseScheme(terms.scheme)
  const accepted =
    x402Version === 1 ? compareVersion1(paymentPayload, terms) : compareAccepted(paymentPayload, terms)
  if (isRefusal(accepted)) return accepted

  const chainId = parseChainId(terms.wireNetwork, x402Version)
  if (chainId === undefined || !networks.has(toNetwork(chainId))) {
    return refuse(reasons.invalidNetwork, `The network ${quote(terms.wireNetwork)} is not served`)
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
  if (facilitators.size === 0) return refuseScheme(CHANNEL_SCHEME)
  const network = typeof requirements.network === 'string' ? requirements.network : ''
  const chainId = parseChainId(network, 2)
  if (chainId === undefined || !networks.has(toNetwork(chainId)))
    return refuse(reasons.invalidNetwork, `The network ${quote(network)} is not served`)
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
  const scheme = reader.text('scheme')
  const wireNetwork = reader.text('network')
  if (scheme !== 'exact' && scheme !== 'upto' && scheme !== '') return refuseScheme(scheme)
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
      const message = `must be at most ${MAX_DOMAIN_TEXT_LENGTH} characters`
      reader.issues.push({ path: `${path}.extra.${field}`, message })
    }
  }
  if (terms.payTo === ZERO_ADDRESS) {
    reader.issues.push({ path: `${path}.payTo`, message: 'must not be the zero address' })
  }
  if (reader.issues.length > 0) return refuse(reason, `${path} is malformed`, reader.issues)
  return terms
}

const refuseScheme = (scheme: string): Refusal =>
  refuse(reasons.unsupportedScheme, `The scheme ${quote(scheme)} is not supported`)

/** What the payer accepted. */
type Accepted = Pick<Terms, 'amount'>

/** In version 1, the payload repeats only scheme and network. */
function compareVersion1(payload: JsonObject, terms: Terms): Accepted | Refusal {
  const reader = new FieldReader(payload, 'paymentPayload')
  const scheme = reader.text('scheme')
  const network = reader.text('network')
  if (reader.issues.length > 0) {
    return refuse(reasons.invalidPayload, 'paymentPayload is malformed', reader.issues)
  }
  if (scheme !== terms.scheme)
    return refuse(reasons.invalidScheme, 'The scheme of the payload differs from the requirements')
  if (network !== terms.wireNetwork) {
    return refuse(reasons.networkMismatch, 'The network of the payload differs from the requirements')
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
  if (accepted.scheme !== terms.scheme) {
    return refuse(reasons.invalidScheme, 'The payer accepted another scheme than the one of the requirements')
  }
  if (accepted.wireNetwork !== terms.wireNetwork) {
    return refuse(
      reasons.networkMismatch,
      'The payer accepted another network than the one of the requirements',
    )
  }
  const issues = COMPARED_TERMS.filter((field) => field !== 'amount' || terms.scheme === 'exact')
    .filter((field) => accepted[field] !== terms[field])
    .map((field) => ({ path: `${path}.${toWireName(field)}`, message: 'differs from paymentRequirements' }))
  if (issues.length === 0) return accepted
  return refuse(reasons.invalidRequirements, 'The payer accepted other terms than the requirements', issues)
}

const COMPARED_TERMS = [
  'asset',
  'payTo',
  'amount',
  'maxTimeoutSeconds',
  'domainName',
  'domainVersion',
] as const

/**
 * The content of the payload decides the method, as in the reference. The seller receives the same either
 * way.
 */
function readAuthorized(
  { payload, extensions }: JsonObject,
  terms: Terms,
  context: Omit<Permit2Context, 'extensions'>,
): Authorized | Refusal {
  if (!isObject(payload)) return refuseNonObject(reasons.invalidPayload, 'paymentPayload.payload')
  const isPermit2 = Object.hasOwn(payload, 'permit2Authorization') && !Object.hasOwn(payload, 'authorization')
  if (isPermit2) return readPermit2(payload, terms, { ...context, extensions })
  if (terms.scheme === 'upto') {
    const message = 'The scheme upto requires an authorization for Permit2'
    return refuse(reasons.unsupportedPayload, message)
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

const toWireName = (field: string): string =>
  field === 'domainName' ? 'extra.name' : field === 'domainVersion' ? 'extra.version' : field

/** Quotes a caller's text in a message, shortened, so that it cannot be mistaken for our own. */
const quote = (text: string): string => JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text)
