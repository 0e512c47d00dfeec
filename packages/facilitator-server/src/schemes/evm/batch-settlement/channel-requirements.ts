import { listDifferences } from '../../../payment/compare-terms.ts'
import { FieldReader, isObject, type JsonObject } from '../../../payment/fields.ts'
import { reasons } from '../../../payment/reasons.ts'
import { isRefusal, type Refusal, refuse } from '../../../payment/refusal.ts'

/** A seller's terms of the scheme batch-settlement. Addresses are lower-case. */
export interface ChannelRequirements {
  readonly scheme: string
  readonly network: string
  readonly asset: string
  readonly payTo: string
  /** The price of the request, in base units. 0 where the seller claims. */
  readonly amount: bigint
  /** Seconds. A stock seller that claims sends 0. */
  readonly maxTimeoutSeconds: number
  readonly receiverAuthorizer: string | undefined
  readonly withdrawDelay: number | undefined
  readonly domainName: string
  readonly domainVersion: string
  readonly transferMethod: string
}

/** Longer than any token's name. */
const MAX_DOMAIN_TEXT_LENGTH = 256

export function readChannelRequirements(
  value: unknown,
  path: string,
  reason: string,
): ChannelRequirements | Refusal {
  const reader = new FieldReader(value, path)
  const body = isObject(value) ? value : {}
  const extra = isObject(body.extra) ? body.extra : {}
  const extraReader = new FieldReader(extra, `${path}.extra`)
  const { maxTimeoutSeconds } = body
  const requirements = {
    scheme: reader.text('scheme', '"batch-settlement"'),
    network: reader.text('network', '"eip155:84532"'),
    asset: reader.address('asset'),
    payTo: reader.address('payTo'),
    amount: reader.amount('amount'),
    maxTimeoutSeconds: typeof maxTimeoutSeconds === 'number' ? maxTimeoutSeconds : 0,
    receiverAuthorizer: isSet(extra, 'receiverAuthorizer')
      ? extraReader.address('receiverAuthorizer')
      : undefined,
    withdrawDelay: isSet(extra, 'withdrawDelay') ? extraReader.seconds('withdrawDelay') : undefined,
    domainName: readText(extra, 'name'),
    domainVersion: readText(extra, 'version'),
    transferMethod: readText(extra, 'assetTransferMethod'),
  }
  const issues = [...reader.issues, ...extraReader.issues]
  return issues.length > 0 ? refuse(reason, issues) : requirements
}

const isSet = (object: JsonObject, name: string): boolean =>
  Object.hasOwn(object, name) && object[name] !== undefined && object[name] !== null

const readText = (object: JsonObject, name: string): string => {
  const value = Object.hasOwn(object, name) ? object[name] : undefined
  return typeof value === 'string' && value.length <= MAX_DOMAIN_TEXT_LENGTH ? value : ''
}

const COMPARED = {
  asset: 'asset',
  payTo: 'payTo',
  amount: 'amount',
  receiverAuthorizer: 'extra.receiverAuthorizer',
  withdrawDelay: 'extra.withdrawDelay',
  domainName: 'extra.name',
  domainVersion: 'extra.version',
  transferMethod: 'extra.assetTransferMethod',
}

/** Compares what the payer accepted with the seller's requirements. */
export function checkAccepted(value: unknown, required: ChannelRequirements): Refusal | undefined {
  const path = 'paymentPayload.accepted'
  const accepted = readChannelRequirements(value, path, reasons.invalidPayload)
  if (isRefusal(accepted)) return accepted
  const scheme = listDifferences(accepted, required, { scheme: 'scheme' })
  if (scheme.length > 0) return refuse(reasons.invalidScheme, scheme)
  const network = listDifferences(accepted, required, { network: 'network' })
  if (network.length > 0) return refuse(reasons.networkMismatch, network)
  const issues = listDifferences(accepted, required, COMPARED)
  return issues.length === 0 ? undefined : refuse(reasons.invalidRequirements, issues)
}
