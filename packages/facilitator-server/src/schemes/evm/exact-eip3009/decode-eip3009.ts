import { FieldReader, type JsonObject } from '../../../payment/fields.ts'
import { reasons } from '../../../payment/reasons.ts'
import { type Refusal, refuse, refuseField } from '../../../payment/refusal.ts'
import type { Authorized, Terms } from '../../../payment/terms.ts'
import { listDomainIssues } from '../shared/domain.ts'

const PATH = 'paymentPayload.payload'

/** Reads a payload with an authorization of EIP-3009. */
export function readEip3009(payload: JsonObject, terms: Terms): Authorized | Refusal {
  const { domainName, domainVersion } = terms
  if (domainName === '' || domainVersion === '') {
    return refuse(reasons.missingDomain, listDomainIssues(terms))
  }
  const outer = new FieldReader(payload, PATH)
  const reader = new FieldReader(payload.authorization, `${PATH}.authorization`)
  const signature = outer.signature('signature')
  const payer = reader.address('from')
  const to = reader.address('to')
  const value = reader.amount('value')
  const times = { validAfter: reader.time('validAfter'), validBefore: reader.time('validBefore') }
  const nonce = reader.nonce('nonce')
  const issues = [...outer.issues, ...reader.issues]
  if (issues.length > 0) return refuse(reasons.invalidPayload, issues)
  if (to !== terms.payTo) {
    const message = `Another recipient than paymentRequirements.payTo. Sign for ${terms.payTo}`
    return refuseField(reasons.recipientMismatch, `${PATH}.authorization.to`, message)
  }
  if (value !== terms.amount) {
    const message = `Another amount than the requirements have. Sign for ${terms.amount}`
    return refuseField(reasons.valueMismatch, `${PATH}.authorization.value`, message)
  }
  const details = undefined
  return { payer, nonce, signature, ...times, domain: terms.asset, domainName, domainVersion, details }
}
