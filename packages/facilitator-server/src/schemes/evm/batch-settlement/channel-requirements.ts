import { FieldReader, isObject, isSet, type JsonObject } from '../../../payment/fields.ts'
import { type Refusal, refuse } from '../../../payment/refusal.ts'
import type { SellerTerms } from '../shared/decode-request.ts'

/**
 * A seller's terms of the scheme batch-settlement. Where the seller claims, the amount is 0, and that of a stock seller
 * has the `maxTimeoutSeconds` 0.
 */
export interface ChannelRequirements extends SellerTerms {
  readonly receiverAuthorizer: string | undefined
  /** Seconds. */
  readonly withdrawDelay: number | undefined
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

const readText = (object: JsonObject, name: string): string => {
  const value = Object.hasOwn(object, name) ? object[name] : undefined
  return typeof value === 'string' && value.length <= MAX_DOMAIN_TEXT_LENGTH ? value : ''
}

/** The names of the terms in a body. */
export const channelTermNames = {
  scheme: 'scheme',
  network: 'network',
  asset: 'asset',
  payTo: 'payTo',
  amount: 'amount',
  receiverAuthorizer: 'extra.receiverAuthorizer',
  withdrawDelay: 'extra.withdrawDelay',
  domainName: 'extra.name',
  domainVersion: 'extra.version',
  transferMethod: 'extra.assetTransferMethod',
}
