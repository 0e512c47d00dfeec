import { isObject, type JsonObject, toObjectIssue } from './fields.ts'
import type { Decoded, Payment } from './payment.ts'
import { reasons } from './reasons.ts'
import { type Refusal, refuse, refuseField } from './refusal.ts'
import type { Scheme } from './scheme.ts'

/** The name of the extension that contains the payer's identifier of a payment. */
export const IDENTIFIER_EXTENSION = 'payment-identifier'

const PATH = `paymentPayload.extensions.${IDENTIFIER_EXTENSION}`
const ID_FORMAT = '16 to 128 letters, digits, hyphens and underscores. Example: "pay_7d5d747be160e280"'
const IDENTIFIER = /^[a-zA-Z0-9_-]{16,128}$/

/**
 * Reads the payer's identifier of a payment from the extensions, if there is one. A malformed one is refused:
 * without its identifier, a second payment for the same request would be executed.
 */
function readIdentifier(extensions: unknown): string | undefined | Refusal {
  if (!isObject(extensions) || !Object.hasOwn(extensions, IDENTIFIER_EXTENSION)) return undefined
  const extension = extensions[IDENTIFIER_EXTENSION]
  if (extension === undefined || extension === null) return undefined
  if (!isObject(extension)) return refuse(reasons.invalidPayload, [toObjectIssue(extension, PATH)])
  // The extension's own schema is not evaluated, because the payer can write any schema.
  const { info } = extension
  if (!isObject(info)) return refuse(reasons.invalidPayload, [toObjectIssue(info, `${PATH}.info`)])
  if (typeof info.required !== 'boolean') return refuseInfo('required', 'Expected true or false')
  const { id } = info
  if (id === undefined) {
    return info.required ? refuseInfo('id', `Required by the seller: ${ID_FORMAT}`) : undefined
  }
  const isValid = typeof id === 'string' && IDENTIFIER.test(id)
  return isValid ? id : refuseInfo('id', `Expected ${ID_FORMAT}`)
}

/** Adds the payer's identifier to a payment. */
export function withIdentifier<PaymentScheme extends Scheme>(
  decoded: Decoded<PaymentScheme>,
  { extensions }: JsonObject,
): Decoded<PaymentScheme> {
  if (!decoded.ok) return decoded
  const identifier = readIdentifier(extensions)
  if (typeof identifier === 'object') return identifier
  return identifier === undefined ? decoded : { ok: true, payment: { ...decoded.payment, identifier } }
}

const refuseInfo = (field: string, message: string): Refusal =>
  refuseField(reasons.invalidPayload, `${PATH}.info.${field}`, message)

/**
 * Whether a call asks for the success of a settlement again, under the payer's identifier. The payer can add an
 * identifier to every payment, because it is not signed. So the seller must ask for it: otherwise one payment
 * would release the goods of every seller again and again.
 */
export const isRepeatOf = (
  settlement: { readonly identifier: string | null },
  { identifier }: Pick<Payment, 'identifier'>,
  { repeatsSuccess = false }: { readonly repeatsSuccess?: boolean },
): boolean => repeatsSuccess && identifier !== undefined && settlement.identifier === identifier
