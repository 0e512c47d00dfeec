/** A setting is missing or invalid. The message names it and says what is expected. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
}

type Environment = Record<string, string | undefined>

/** Reads settings from the environment. An empty value counts as not set. */
export function readEnvironment(env: Environment = process.env) {
  const get = (name: string) => (env[name] === '' ? undefined : env[name])
  const wrong = (name: string, expected: string, value: string | undefined) =>
    new ConfigurationError(
      `${name}: expected ${expected}, received ${value === undefined ? 'nothing' : JSON.stringify(value)}`,
    )
  return {
    text: get,
    integer(name: string, fallback: number, from = 0, to = Number.MAX_SAFE_INTEGER): number {
      const value = get(name)
      if (value === undefined) return fallback
      const number = Number(value)
      if (!/^\d+$/.test(value) || number < from || number > to)
        throw wrong(name, `an integer from ${from} to ${to}`, value)
      return number
    },
    /** An integer that can exceed the safe integers, such as wei. */
    amount(name: string, fallback: bigint): bigint {
      const value = get(name)
      if (value === undefined) return fallback
      if (!/^\d+$/.test(value)) throw wrong(name, 'decimal digits', value)
      return BigInt(value)
    },
    flag(name: string, fallback: boolean): boolean {
      const value = get(name)
      if (value === undefined) return fallback
      if (!/^(?:true|false|1|0)$/.test(value)) throw wrong(name, 'true or false', value)
      return value === 'true' || value === '1'
    },
    choice<const C extends string>(name: string, choices: readonly C[], fallback: NoInfer<C>): C {
      const value = get(name)
      if (value === undefined) return fallback
      const match = choices.find((choice) => choice === value)
      if (match === undefined) throw wrong(name, `one of ${choices.join(', ')}`, value)
      return match
    },
    list(name: string): string[] {
      return (get(name) ?? '')
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean)
    },
    url(name: string): URL | undefined {
      const value = get(name)
      if (value === undefined) return undefined
      const url = URL.canParse(value) ? new URL(value) : undefined
      if (url === undefined || !/^https?:$/.test(url.protocol))
        throw wrong(name, 'a URL that begins with http:// or https://', value)
      return url
    },
  }
}
export type EnvironmentReader = ReturnType<typeof readEnvironment>
