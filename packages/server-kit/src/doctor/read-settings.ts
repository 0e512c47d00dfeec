import { ConfigurationError, type EnvironmentReader, readEnvironment } from '../environment.ts'
import { type Outcome, reportError, reportOk, reportWarning } from './finding.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** How a server reads its settings. */
export interface SettingsSource<Settings> {
  /** @throws ConfigurationError */
  read(env: EnvironmentReader): Settings
  /**
   * Settings that are valid together, which replace missing and invalid ones, so that the others are read
   * too.
   */
  readonly valid: Environment
}

/** The settings of an environment, and what is wrong with them. */
export interface CheckedSettings<Settings> {
  /** Undefined if an error has another reason than a setting. */
  readonly settings: Settings | undefined
  /** The settings that are missing or invalid. `settings` has other values for them. */
  readonly invalid: ReadonlySet<string>
  readonly outcomes: readonly Outcome[]
}

/** Names of other settings that begin like this exist in no other program's environment. */
const OWN_PREFIX = /^(?:DATABASE|METRICS|INDEXER|TREASURY|RATE_LIMIT|REVERT|WEBHOOK)_/

/** Reads all settings. Reports every invalid one, and variables that are probably misspelled. */
export function readSettings<Settings>(
  environment: Environment,
  source: SettingsSource<Settings>,
): CheckedSettings<Settings> {
  const known = listSettingNames(source)
  const misspelled = listMisspelled(Object.keys(environment), known)
  const invalid = new Set<string>()
  const problems = new Map<string, Outcome>()
  let settings: Settings | undefined
  for (;;) {
    try {
      settings = source.read(readEnvironment(replace(environment, invalid, source.valid)))
      break
    } catch (failure) {
      if (!(failure instanceof ConfigurationError)) throw failure
      const name = findNamedSetting(failure.message, known)
      problems.set(failure.message, reportError(failure.message, describeAction(name, environment)))
      if (name === undefined || invalid.has(name)) break
      invalid.add(name)
    }
  }
  const outcomes = [...problems.values(), ...misspelled]
  const summary = reportOk(`${known.length} settings are known, ${countSet(environment, known)} are set`)
  return { settings, invalid, outcomes: [summary, ...outcomes] }
}

/** Lists the names of all settings that a server reads. */
export function listSettingNames({ read, valid }: SettingsSource<unknown>): readonly string[] {
  const names = new Set<string>()
  const recorder = new Proxy<Record<string, string | undefined>>(
    { ...valid },
    {
      get(target, name) {
        if (typeof name !== 'string') return undefined
        names.add(name)
        return target[name]
      },
    },
  )
  read(readEnvironment(recorder))
  return [...names].filter((name) => !(name.endsWith('_FILE') && names.has(name.slice(0, -'_FILE'.length))))
}

function replace(environment: Environment, invalid: ReadonlySet<string>, valid: Environment): Environment {
  const replaced = { ...environment }
  for (const name of invalid) {
    replaced[name] = valid[name]
    replaced[`${name}_FILE`] = undefined
  }
  return replaced
}

/** Finds the setting that a message names first. */
function findNamedSetting(message: string, known: readonly string[]): string | undefined {
  const words = message.match(/[A-Z][A-Z0-9_]+/g) ?? []
  const names = words.map((word) => word.replace(/_FILE$/, ''))
  return names.find((name) => known.includes(name))
}

function describeAction(name: string | undefined, environment: Environment): string {
  if (name === undefined) return 'Correct the setting'
  if (/^tcp:/.test(environment[name] ?? ''))
    return `Kubernetes sets ${name} for a Service of this name. Set enableServiceLinks: false, and ${name} itself`
  const isFile = environment[`${name}_FILE`] !== undefined
  return isFile ? `Correct ${name}_FILE, its file, or who may read it` : `Correct ${name}`
}

const countSet = (environment: Environment, known: readonly string[]): number =>
  known.filter((name) => Boolean(environment[name]) || Boolean(environment[`${name}_FILE`])).length

function listMisspelled(names: readonly string[], known: readonly string[]): Outcome[] {
  const isKnown = (name: string) => known.includes(name) || known.includes(name.replace(/_FILE$/, ''))
  return names.filter((name) => !isKnown(name)).flatMap((name) => describeUnknown(name, known) ?? [])
}

function describeUnknown(name: string, known: readonly string[]): Outcome | undefined {
  const nearest = known.find((each) => isSimilar(name.toUpperCase().replaceAll('-', '_'), each))
  if (nearest !== undefined)
    return reportWarning(
      `${name} is not a setting and has no effect`,
      `Rename it to ${nearest}, or remove it`,
    )
  const prefix = OWN_PREFIX.exec(name)?.[0]
  if (prefix === undefined || !known.some((each) => each.startsWith(prefix))) return undefined
  return reportWarning(
    `${name} is not a setting and has no effect`,
    'Look its name up in the README, or remove it',
  )
}

/** Whether one name is the other with one typing mistake, in a long name two. */
function isSimilar(name: string, setting: string): boolean {
  const allowed = setting.length < 10 ? 1 : 2
  return Math.abs(name.length - setting.length) <= allowed && getDistance(name, setting) <= allowed
}

/** Counts the letters to insert, delete, replace or swap with the next one (optimal string alignment). */
function getDistance(one: string, other: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i += 1) {
    const current = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (previous[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const swapped = isSwap ? (beforePrevious[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      current[j] = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, replaced, swapped)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[other.length] ?? 0
}
