import { readFileSync } from 'node:fs'

/** A setting is missing or invalid. The message names it and says what is expected. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
}

type Environment = Record<string, string | undefined>

/**
 * Reads settings from the environment. An empty value counts as not set. A setting can also be in a file,
 * whose path is the variable with `_FILE` after the setting's name:
 * `SECRET_KEYS_FILE=/run/secrets/secret-keys`. Line breaks at the end of the file are removed.
 */
export function readEnvironment(env: Environment = process.env) {
  const files = new Map<string, string>()
  const get = (name: string): string | undefined => {
    const value = env[name] || undefined
    const path = env[`${name}_FILE`] || undefined
    if (path === undefined) return value
    if (value !== undefined) throw new ConfigurationError(`${name} and ${name}_FILE are both set. Remove one`)
    const content = files.get(path) ?? readSettingFile(`${name}_FILE`, path)
    files.set(path, content)
    return content || undefined
  }
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

function readSettingFile(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/[\r\n]+$/, '')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new ConfigurationError(`${name}: the file ${path} cannot be read (${code})`, { cause: error })
  }
}
