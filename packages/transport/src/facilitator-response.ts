import * as v from 'valibot'
import { getField, getText } from './received.ts'
import type { ServiceAdapter } from './service-adapter.ts'

/**
 * Decodes the settlement in PAYMENT-RESPONSE: base64 of UTF-8 JSON. Returns the text when it is malformed.
 */
function decodeHeader(header: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(header), (character) => character.charCodeAt(0))
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return header
  }
}

/** How responses of the facilitator are read. */
export const readFacilitatorResponse: Pick<ServiceAdapter, 'pending' | 'payload'> = {
  pending({ status, body }) {
    const isPending = status === 503 && getField(body, 'error') === 'SettlementPending'
    return isPending ? { transaction: getText(body, 'transaction') } : undefined
  },
  payload({ result, data: schema }, { headers, body }) {
    if (result === 'none') return {}
    if (result !== 'header') return { data: body, value: body, schema }
    // The header is optional.
    const header = headers.get('payment-response')
    if (!header) return {}
    const data = decodeHeader(header)
    // An object around the data, so that the paths of issues begin with the header's name.
    const name = 'PAYMENT-RESPONSE'
    return { data, value: { [name]: data }, schema: v.looseObject({ [name]: schema }) }
  },
}
