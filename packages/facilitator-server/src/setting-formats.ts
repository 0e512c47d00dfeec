import { isAddress } from 'viem'

/** Parses an address into lower case. */
export function parseAddress(text: string | undefined, name: string): string | undefined {
  if (text !== undefined && !isAddress(text, { strict: false }))
    throw new Error(`${name}: expected an address`)
  return text?.toLowerCase()
}

/** Parses UPSTREAM_FACILITATOR_HEADERS. */
export function parseHeaders(text: string | undefined): Record<string, string> {
  if (text === undefined) return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  const isHeaders =
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((header) => typeof header === 'string')
  if (!isHeaders) throw new Error('UPSTREAM_FACILITATOR_HEADERS: expected a JSON object of strings')
  return value as Record<string, string>
}
