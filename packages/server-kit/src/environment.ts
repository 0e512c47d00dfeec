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
  return { text: get }
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
