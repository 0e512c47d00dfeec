import { ConfigurationError, type EnvironmentReader, readEnvironment } from '../environment.ts'
import type { SettingDeclarations } from '../settings.ts'
import { findSimilarName } from '../similar-names.ts'
import { failIf, type Outcome, warnIf } from './check.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** How a server reads its settings. */
export interface SettingsSource<Settings> {
  readonly declarations: SettingDeclarations
  /** @throws ConfigurationError */
  read(env: EnvironmentReader): Settings
  /** Valid settings, which replace missing and invalid ones, so that the others are read too. */
  readonly valid: Environment
}

/** Reads all settings. Reports every invalid one, and variables that are probably misspelled. */
export function checkSettings<Settings>(environment: Environment, source: SettingsSource<Settings>) {
  const known = Object.keys(source.declarations)
  const invalid = new Set<string>()
  // By message: one message can name two settings that are missing.
  const failures = new Map<string, Outcome | undefined>()
  const misspelled = Object.keys(environment).map((name) => describeUnknown(name, known))
  for (;;) {
    const valid = [...invalid].flatMap((name) => [
      [name, source.valid[name]],
      [`${name}_FILE`, undefined],
    ])
    try {
      const env = readEnvironment({ ...environment, ...Object.fromEntries(valid) })
      return { settings: source.read(env), invalid, problems: [...failures.values(), ...misspelled] }
    } catch (failure) {
      if (!(failure instanceof ConfigurationError)) throw failure
      const names = failure.message.match(/[A-Z][A-Z0-9_]+/g)?.map((name) => name.replace(/_FILE$/, ''))
      const name = names?.find((each) => known.includes(each) && !invalid.has(each))
      failures.set(
        failure.message,
        failIf(true)`${failure.message}
          ${describeAction(name, environment)}`,
      )
      if (name === undefined) return { settings: undefined, invalid, problems: [...failures.values()] }
      invalid.add(name)
    }
  }
}

function describeAction(name: string | undefined, environment: Environment): string {
  if (name === undefined) return 'Correct the setting'
  if (/^tcp:/.test(environment[name] ?? ''))
    return `Kubernetes sets ${name} for a Service of this name. Set enableServiceLinks: false, and ${name} itself`
  const isFile = environment[`${name}_FILE`] !== undefined
  return isFile ? `Correct ${name}_FILE, its file, or who may read it` : `Correct ${name}`
}

/** Names of other settings that begin like this exist in no other program's environment. */
const OWN_PREFIX = /^(?:DATABASE|METRICS|INDEXER|TREASURY|RATE_LIMIT|REVERT|WEBHOOK)_/

function describeUnknown(name: string, known: readonly string[]): Outcome | undefined {
  if (known.includes(name) || known.includes(name.replace(/_FILE$/, ''))) return undefined
  const nearest = findSimilarName(name.replaceAll('-', '_'), known)
  const prefix = OWN_PREFIX.exec(name)?.[0]
  const isOwn = prefix !== undefined && known.some((each) => each.startsWith(prefix))
  return warnIf(nearest !== undefined || isOwn)`${name} is not a setting and has no effect
    ${nearest === undefined ? 'Look its name up in the output of `settings`' : `Rename it to ${nearest}`}, or remove it`
}
