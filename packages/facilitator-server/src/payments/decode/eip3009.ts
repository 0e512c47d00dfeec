import { reasons } from '../reasons.ts'
import { FieldReader, type JsonObject } from './fields.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { Authorized, Terms } from './terms.ts'

/** Reads a payload with an authorization of EIP-3009. */
export function readEip3009(payload: JsonObject, terms: Terms): Authorized | Refusal {
  const { domainName, domainVersion } = terms
  if (domainName === '' || domainVersion === '') {
    return refuse(reasons.missingDomain, "The requirements must contain the asset's EIP-712 domain", [
      { path: 'paymentRequirements.extra', message: 'must contain name and version' },
    ])
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
    const message = 'The authorization pays another recipient than payTo'
    return { ...refuse(reasons.recipientMismatch, message), payer }
  }
  if (value !== terms.amount) {
    const message = 'The value of the authorization is not the required amount'
    return { ...refuse(reasons.valueMismatch, message), payer }
  }
  return { payer, nonce, signature, ...times, domain: terms.asset, domainName, domainVersion }
}
