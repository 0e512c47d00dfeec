/** Makes a value once for each key, for as long as the key lives. */
/* @__NO_SIDE_EFFECTS__ */
export function kept<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, Value>()
  return (key) => {
    const value = values.get(key) ?? make(key)
    values.set(key, value)
    return value
  }
}
