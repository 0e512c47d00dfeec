import { toNetwork } from '@mintmark/evm-reader'
import { quote, refuseDifferences } from '../../payment/compare-terms.ts'
import { FieldReader, isObject, type JsonObject, toObjectIssue } from '../../payment/fields.ts'
import { fingerprint } from '../../payment/fingerprint.ts'
import { withIdentifier } from '../../payment/identifier.ts'
import type { Decoded } from '../../payment/payment.ts'
import { reasons } from '../../payment/reasons.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../../payment/refusal.ts'
import type { Terms } from '../../payment/terms.ts'
import { refuseNetwork, refuseScheme } from '../refusals.ts'
import type { DecodeRequest, DecodeScheme, Served, ServedScheme } from '../scheme.ts'
import type { TransferScheme } from './evm-scheme.ts'
import { parseChainId } from './shared/chain-id.ts'

/** Longer than any token's name. */
const MAX_DOMAIN_TEXT_LENGTH = 256

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

/** Creates the decoding of payments that are one transfer, in either version of x402. */
export const createDecodeTransfer =
  (schemes: readonly TransferScheme[]): DecodeScheme =>
  (request, served) =>
    decodeTransfer(schemes, request, served)

function decodeTransfer(
  schemes: readonly TransferScheme[],
  { version, paymentPayload, paymentRequirements }: DecodeRequest,
  { networks, facilitators, approvalChains }: Served,
): Decoded<ServedScheme> {
  const { invalidRequirements: reason } = reasons
  const terms = readTerms(paymentRequirements, schemes, { version, path: 'paymentRequirements', reason })
  if (isRefusal(terms)) return terms
  // In version 1, and where another facilitator settles, payers cannot know for whom to sign.
  if (isMetered(schemes, terms) && (version === 1 || facilitators.size === 0))
    return refuseScheme(terms.scheme, 'paymentRequirements')
  const accepted =
    version === 1 ? compareVersion1(paymentPayload, terms) : compareAccepted(paymentPayload, terms, schemes)
  if (isRefusal(accepted)) return accepted

  const chainId = parseChainId(terms.wireNetwork, version)
  if (chainId === undefined || !networks.has(toNetwork(chainId))) return refuseNetwork(terms.wireNetwork)
  const { payload, extensions } = paymentPayload
  if (!isObject(payload))
    return refuse(reasons.invalidPayload, [toObjectIssue(payload, 'paymentPayload.payload')])
  const scheme = chooseScheme(payload, terms, schemes)
  if (scheme === undefined) return refuseScheme(terms.scheme, 'paymentRequirements')
  const authorized = scheme.readAuthorization(payload, terms, {
    acceptedAmount: accepted.amount,
    extensions,
    facilitators,
    approvalChainId: approvalChains?.has(chainId) ? chainId : undefined,
  })
  if (isRefusal(authorized)) return authorized
  const fields = { network: toNetwork(chainId), chainId, ...terms, ...authorized, scheme }
  const decoded = {
    ok: true,
    payment: {
      ...fields,
      version,
      fingerprint: fingerprint(fields),
      request: { x402Version: version, paymentPayload, paymentRequirements },
    },
  } as const
  // Version 1 has no extensions.
  return version === 1 ? decoded : withIdentifier(decoded, paymentPayload)
}

const isMetered = (schemes: readonly TransferScheme[], terms: Terms): boolean =>
  schemes.some(({ name, isMetered }) => name === terms.scheme && isMetered === true)

function readTerms(
  requirements: unknown,
  schemes: readonly TransferScheme[],
  { version, path, reason }: { version: 1 | 2; path: string; reason: string },
): Terms | Refusal {
  const reader = new FieldReader(requirements, path)
  const scheme = reader.text('scheme', '"exact"')
  const wireNetwork = reader.text('network', NETWORK_EXAMPLES[version])
  if (scheme !== '' && !schemes.some(({ name }) => name === scheme)) return refuseScheme(scheme, path)
  const extra = isObject(requirements) && isObject(requirements.extra) ? requirements.extra : {}
  const terms: Terms = {
    scheme,
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
 * requirements, except for the amount of a metered scheme: the payer accepts a maximum, and the seller settles
 * what was used.
 */
function compareAccepted(
  payload: JsonObject,
  terms: Terms,
  schemes: readonly TransferScheme[],
): Accepted | Refusal {
  const path = 'paymentPayload.accepted'
  const accepted = readTerms(payload.accepted, schemes, { version: 2, path, reason: reasons.invalidPayload })
  if (isRefusal(accepted)) {
    return accepted.reason === reasons.unsupportedScheme
      ? { ...accepted, reason: reasons.invalidScheme }
      : accepted
  }
  const names = { ...COMPARED_TERMS, ...(!isMetered(schemes, terms) && { amount: 'amount' }) }
  return refuseDifferences(accepted, terms, names) ?? accepted
}

const COMPARED_TERMS = {
  scheme: 'scheme',
  wireNetwork: 'network',
  asset: 'asset',
  payTo: 'payTo',
  maxTimeoutSeconds: 'maxTimeoutSeconds',
  domainName: 'extra.name',
  domainVersion: 'extra.version',
}

/** The content of the payload decides the method, as in the reference. The seller receives the same either way. */
function chooseScheme(
  payload: JsonObject,
  terms: Terms,
  schemes: readonly TransferScheme[],
): TransferScheme | undefined {
  const named = schemes.filter(({ name }) => name === terms.scheme)
  return named.find((scheme) => scheme.accepts(payload)) ?? named[0]
}

const readOwnText = (object: JsonObject, name: string): string => {
  const value = Object.hasOwn(object, name) ? object[name] : undefined
  return typeof value === 'string' ? value : ''
}
