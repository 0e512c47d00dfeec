import { isObject, type JsonObject } from './fields.ts'
import type { Payment } from './payment.ts'
import { MAX_URL_CHARACTERS, parseRouteTemplate } from './route-template.ts'

/**
 * Reads what a payment pays for: the URL without its query, which may contain secrets, and with the path of the
 * route's template if the seller declares one. `''` if the payment names no URL. Payers can write any.
 */
export function readResource({ request }: Pick<Payment, 'request'>): string {
  const { x402Version, paymentPayload, paymentRequirements } = request
  const { resource } = (x402Version === 1 ? paymentRequirements : paymentPayload) as JsonObject
  const text = isObject(resource) ? resource.url : resource
  if (typeof text !== 'string' || text.length > MAX_URL_CHARACTERS || !URL.canParse(text)) return ''
  const { protocol, host, pathname } = new URL(text)
  const url = `${protocol}//${host}${readTemplate(paymentPayload as JsonObject) ?? pathname}`
  return url.length > MAX_URL_CHARACTERS ? '' : url
}

function readTemplate({ extensions }: JsonObject): string | undefined {
  const bazaar = isObject(extensions) ? extensions.bazaar : undefined
  return isObject(bazaar) ? parseRouteTemplate(bazaar.routeTemplate) : undefined
}
