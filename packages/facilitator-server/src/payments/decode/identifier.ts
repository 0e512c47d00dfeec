import { reasons } from '../reasons.ts'
import { isObject } from './fields.ts'
import { type Refusal, refuse } from './refusal.ts'

/** The name of the extension that contains the payer's identifier of a payment. */
export const IDENTIFIER_EXTENSION = 'payment-identifier'

const PATH = `paymentPayload.extensions.${IDENTIFIER_EXTENSION}`
const IDENTIFIER = /^[a-zA-Z0-9_-]{16,128}$/

/**
 * Reads the payer's identifier of a payment from the extensions, if there is one. A malformed one is refused:
 * without its identifier, a second payment for the same request would be executed.
 */
export function readIdentifier(extensions: unknown): string | undefined | Refusal {
  if (!isObject(extensions) || !Object.hasOwn(extensions, IDENTIFIER_EXTENSION)) return undefined
  const extension = extensions[IDENTIFIER_EXTENSION]
  if (extension === undefined || extension === null) return undefined
  if (!isObject(extension)) return refuseField('', 'must be an object')
  // The extension's own schema is not evaluated, because the payer can write any schema.
  const { info } = extension
  if (!isObject(info)) return refuseField('.info', 'must be an object')
  if (typeof info.required !== 'boolean') return refuseField('.info.required', 'must be true or false')
  const { id } = info
  if (id === undefined) {
    return info.required ? refuseField('.info.id', 'is required by the seller') : undefined
  }
  const isValid = typeof id === 'string' && IDENTIFIER.test(id)
  return isValid ? id : refuseField('.info.id', 'must be 16 to 128 letters, digits, hyphens and underscores')
}

const refuseField = (field: string, message: string): Refusal => {
  const path = `${PATH}${field}`
  return refuse(reasons.invalidPayload, `${path} ${message}`, [{ path, message }])
}
