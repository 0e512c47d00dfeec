/** The end of the address of an uploaded picture. */
const UPLOADED = /^(?:\/[\w./-]*)?\/media\/[1-9]\d*\/[0-9a-f]{64}\.webp$/

/**
 * Returns the address at which the gateway serves an image that a tenant named: one that was uploaded to it, or
 * https. Undefined for any other text.
 */
export function toImageAddress(text: string): string | undefined {
  const origin = globalThis.location?.origin
  if (origin !== undefined && text.startsWith(`${origin}/`) && UPLOADED.test(text.slice(origin.length)))
    return text
  const address = toAddress(text, ['https:'])
  return address && `/console/images?address=${encodeURIComponent(address)}`
}

/**
 * Returns an address that the console may link to: https or http. Undefined for any other text, such as
 * `javascript:` and `data:`.
 */
export function toLinkAddress(text: string): string | undefined {
  return toAddress(text, ['https:', 'http:'])
}

function toAddress(text: string, protocols: readonly string[]): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, username, password, href } = new URL(text)
  return protocols.includes(protocol) && username === '' && password === '' ? href : undefined
}
