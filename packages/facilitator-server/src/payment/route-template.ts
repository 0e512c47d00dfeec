/** The longest address of a resource. */
export const MAX_URL_CHARACTERS = 1024
const ROUTE_TEMPLATE = /^\/[a-zA-Z0-9_/:.\-~%]+$/
const MAX_DECODE_PASSES = 5

/** Returns the template if it is one, such as `/users/:id`. The specification discards any other. */
export function parseRouteTemplate(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_URL_CHARACTERS || !ROUTE_TEMPLATE.test(value))
    return undefined
  const decoded = decodeFully(value)
  if (decoded === undefined || decoded.includes('..') || decoded.includes('://')) return undefined
  return value
}

/**
 * Decodes percent signs until none is left. Returns undefined for an invalid encoding, or one that is nested
 * too deep.
 */
export function decodeFully(text: string): string | undefined {
  let decoded = text
  for (let pass = 0; pass < MAX_DECODE_PASSES; pass += 1) {
    let next: string
    try {
      next = decodeURIComponent(decoded)
    } catch {
      return undefined
    }
    if (next === decoded) return decoded
    decoded = next
  }
  return undefined
}
