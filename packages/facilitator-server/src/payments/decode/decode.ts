import { toNetwork } from '@mintmark/server-kit'
import { version1Networks } from '../../chains/evm/known-chains.ts'
import type { Decoded } from '../payment.ts'
import { reasons } from '../reasons.ts'
import { FieldReader, type Issue, isObject, type JsonObject } from './fields.ts'
import { fingerprint } from './fingerprint.ts'

/** A seller's terms, from requirements of either version. */
interface Terms {
  scheme: 'exact'
  wireNetwork: string
  asset: string
  payTo: string
  amount: bigint
  maxTimeoutSeconds: number
  domainName: string
  domainVersion: string
}

/** Longer than any token's name. */
const MAX_DOMAIN_TEXT_LENGTH = 256

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
const isRefusal = (value: object): value is Decoded & { ok: false } => 'ok' in value

const refuse = (reason: string, message: string, issues: Issue[] = []): Decoded & { ok: false } => ({
  ok: false,
  reason,
  message,
  ...(issues.length > 0 && { issues }),
})

/**
 * Decodes the body of a verify or a settle: x402 version 1 or 2, scheme exact on EVM with EIP-3009. Never throws. An invalid body returns an
 * x402 reason and the invalid fields. Fields that x402 does not define are ignored.
 *
 * @param networks The CAIP-2 networks that are served. Any other is `invalid_network`.
 */
export function decodePayment(body: unknown, networks: ReadonlySet<string>): Decoded {
  if (!isObject(body)) return refuse(reasons.invalidPayload, 'The body must be an object')
  const { x402Version, paymentPayload, paymentRequirements } = body
  if (x402Version !== 1 && x402Version !== 2) {
    return refuse(reasons.invalidVersion, 'x402Version must be 1 or 2', [
      { path: 'x402Version', message: 'must be 1 or 2' },
    ])
  }
  if (!isObject(paymentPayload)) return notAnObject(reasons.invalidPayload, 'paymentPayload')
  if (!isObject(paymentRequirements)) return notAnObject(reasons.invalidRequirements, 'paymentRequirements')
  if (paymentPayload.x402Version !== x402Version) {
    return refuse(reasons.invalidVersion, 'The version of the payload must be that of the request', [
      { path: 'paymentPayload.x402Version', message: `must be ${x402Version}` },
    ])
  }

  const terms = readTerms(
    paymentRequirements,
    x402Version,
    'paymentRequirements',
    reasons.invalidRequirements,
  )
  if (isRefusal(terms)) return terms
  const mismatch =
    x402Version === 1 ? compareVersion1(paymentPayload, terms) : compareAccepted(paymentPayload, terms)
  if (mismatch) return mismatch

  const chainId = parseChainId(terms.wireNetwork, x402Version)
  if (chainId === undefined || !networks.has(toNetwork(chainId))) {
    return refuse(reasons.invalidNetwork, `The network ${quote(terms.wireNetwork)} is not served`)
  }
  if (terms.domainName === '' || terms.domainVersion === '') {
    return refuse(reasons.missingDomain, "The requirements must contain the asset's EIP-712 domain", [
      { path: 'paymentRequirements.extra', message: 'must contain name and version' },
    ])
  }
  const authorized = readAuthorized(paymentPayload.payload, terms)
  if (isRefusal(authorized)) return authorized
  const decoded = {
    network: toNetwork(chainId),
    chainId,
    ...terms,
    ...authorized,
  }
  return {
    ok: true,
    payment: {
      ...decoded,
      version: x402Version,
      fingerprint: fingerprint(decoded),
      request: { x402Version, paymentPayload, paymentRequirements },
    },
  }
}

function notAnObject(reason: string, path: string): Decoded & { ok: false } {
  return refuse(reason, `${path} must be an object`, [{ path, message: 'must be an object' }])
}

function readTerms(
  requirements: unknown,
  version: 1 | 2,
  path: string,
  reason: string,
): Terms | (Decoded & { ok: false }) {
  const reader = new FieldReader(requirements, path)
  const scheme = reader.text('scheme')
  const wireNetwork = reader.text('network')
  if (scheme !== 'exact' && scheme !== '') {
    return refuse(reasons.unsupportedScheme, `The scheme ${quote(scheme)} is not supported`)
  }
  const extra = isObject(requirements) && isObject(requirements.extra) ? requirements.extra : {}
  const terms: Terms = {
    scheme: 'exact',
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

/** In version 1, the payload repeats only scheme and network. */
function compareVersion1(payload: JsonObject, terms: Terms): (Decoded & { ok: false }) | undefined {
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
  return undefined
}

/** In version 2, the payload repeats the requirements that the payer accepted. They must equal the seller's requirements. */
function compareAccepted(payload: JsonObject, terms: Terms): (Decoded & { ok: false }) | undefined {
  const path = 'paymentPayload.accepted'
  const accepted = readTerms(payload.accepted, 2, path, reasons.invalidPayload)
  if (isRefusal(accepted)) {
    // The requirements have the scheme exact, so any other accepted scheme differs from them.
    return accepted.reason === reasons.unsupportedScheme
      ? { ...accepted, reason: reasons.invalidScheme }
      : accepted
  }
  if (accepted.wireNetwork !== terms.wireNetwork) {
    return refuse(
      reasons.networkMismatch,
      'The payer accepted another network than the one of the requirements',
    )
  }
  const issues = (['asset', 'payTo', 'amount', 'maxTimeoutSeconds', 'domainName', 'domainVersion'] as const)
    .filter((field) => accepted[field] !== terms[field])
    .map((field) => ({ path: `${path}.${toWireName(field)}`, message: 'differs from paymentRequirements' }))
  if (issues.length === 0) return undefined
  return refuse(reasons.invalidRequirements, 'The payer accepted other terms than the requirements', issues)
}

function readAuthorized(payload: unknown, terms: Terms) {
  if (!isObject(payload)) return notAnObject(reasons.invalidPayload, 'paymentPayload.payload')
  if (!Object.hasOwn(payload, 'authorization') && Object.hasOwn(payload, 'permit2Authorization')) {
    return refuse(reasons.unsupportedPayload, 'Permit2 payments are not supported. Pay with EIP-3009')
  }
  const outer = new FieldReader(payload, 'paymentPayload.payload')
  const reader = new FieldReader(payload.authorization, 'paymentPayload.payload.authorization')
  const signature = outer.signature('signature')
  const payer = reader.address('from')
  const to = reader.address('to')
  const value = reader.amount('value')
  const times = { validAfter: reader.amount('validAfter'), validBefore: reader.amount('validBefore') }
  const nonce = reader.nonce('nonce')
  const issues = [...outer.issues, ...reader.issues]
  if (issues.length > 0) return refuse(reasons.invalidPayload, 'The authorization is malformed', issues)
  if (to !== terms.payTo) {
    return {
      ...refuse(reasons.recipientMismatch, 'The authorization pays another recipient than payTo'),
      payer,
    }
  }
  if (value !== terms.amount) {
    return {
      ...refuse(reasons.valueMismatch, 'The value of the authorization is not the required amount'),
      payer,
    }
  }
  return { payer, nonce, signature, ...times }
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
