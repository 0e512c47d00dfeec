/**
 * A response after its body was read. The body is JSON where it could be parsed, text otherwise, and
 * undefined when empty.
 */
export interface Received {
  status: number
  headers: Headers
  body: unknown
  requestId: string | undefined
  /** Seconds that the server wants its callers to wait. */
  retryAfter: number | undefined
}

/** Gets a field of any value. */
export function getField(value: unknown, name: string): unknown {
  return Object(value)[name]
}

/** Gets the first of the fields that contains text, shortened to 500 characters. */
export function getText(value: unknown, ...names: string[]): string | undefined {
  for (const name of names) {
    const text = getField(value, name)
    if (text && typeof text === 'string') return text.slice(0, 500)
  }
  return undefined
}
