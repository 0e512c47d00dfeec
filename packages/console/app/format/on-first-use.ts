/**
 * Creates a value when it is first used. A formatter takes a phone several milliseconds, and a page uses few of them.
 *
 * @example const getCounts = onFirstUse(() => new Intl.NumberFormat(LOCALE))
 */
export function onFirstUse<Value extends object>(create: () => Value): () => Value {
  let value: Value | undefined
  return () => {
    value ??= create()
    return value
  }
}
