/**
 * Returns a value that only servers and documents read, such as the message of a rule: a client shows the
 * message that it received. Bundles for browsers contain `server-only.browser.ts` instead, by `#server-only`
 * in package.json, so that the value costs pages nothing. It is undefined there.
 */
export function serverOnly<const Value>(value: Value): Value {
  return value
}
