import { ConfigurationError, type EnvironmentReader } from './environment.ts'

/** A setting of a server: how its text is read, and what the documentation says about it. */
export interface Setting<Value> {
  /** What it does, in Markdown. Links are relative to the folder `docs/reference`. */
  readonly meaning: string
  /** Its default as the documentation shows it. Empty if there is none. */
  readonly defaultText: string
  /** A variable that is read if this setting is not set, such as the `PORT` of many hosts. */
  readonly alternative?: string
  /** Reads its text, undefined if it is not set. @throws ConfigurationError that names the setting. */
  parse(text: string | undefined, name: string): Value
}

/** The settings of a server by name. */
export type SettingDeclarations = Readonly<Record<string, Setting<unknown>>>

/** The values of declared settings. Reading an invalid one throws a ConfigurationError. */
export type SettingValues<Declarations> = {
  readonly [Name in keyof Declarations]: Declarations[Name] extends Setting<infer Value> ? Value : never
}

/**
 * Reads the settings that a server declares, each when it is used: a command that needs no treasury does not
 * require one.
 */
export function readSettings<Declarations extends SettingDeclarations>(
  declarations: Declarations,
  env: EnvironmentReader,
): SettingValues<Declarations> {
  const values = {}
  for (const [name, setting] of Object.entries(declarations))
    Object.defineProperty(values, name, {
      enumerable: true,
      get() {
        const text = env.text(name)
        const { alternative = name } = setting
        return text === undefined
          ? setting.parse(env.text(alternative), alternative)
          : setting.parse(text, name)
      },
    })
  return values as SettingValues<Declarations>
}

/** Declares a text, or what `parse` makes of it. Its errors become errors of the setting. */
export function text(meaning: string): Setting<string | undefined>
export function text(meaning: string, options: { default: string }): Setting<string>
export function text<Value>(
  meaning: string,
  options: { parse: (text: string | undefined, name: string) => Value; defaultText?: string },
): Setting<Value>
export function text(
  meaning: string,
  options: {
    default?: string
    defaultText?: string
    parse?: (text: string | undefined, name: string) => unknown
  } = {},
): Setting<unknown> {
  const { parse = (value) => value ?? options.default } = options
  return {
    meaning,
    defaultText: options.defaultText ?? options.default ?? '',
    parse(value, name) {
      try {
        return parse(value, name)
      } catch (error) {
        // The parsers' messages name the setting and contain no secret.
        throw error instanceof Error ? new ConfigurationError(error.message) : error
      }
    },
  }
}

interface Limits {
  /** The smallest value. Default: 0. */
  readonly min?: number
  readonly max?: number
}

/** Declares an integer, undefined by default unless a default is given. */
export function integer(meaning: string, options: Limits & { default: number }): Setting<number>
export function integer(
  meaning: string,
  options: Limits & { defaultText: string },
): Setting<number | undefined>
export function integer(
  meaning: string,
  options: Limits & { default?: number; defaultText?: string },
): Setting<number | undefined> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = options
  return {
    meaning,
    defaultText: options.defaultText ?? `${options.default}`,
    parse(value, name) {
      if (value === undefined) return options.default
      const number = Number(value)
      if (!/^\d+$/.test(value) || number < min || number > max)
        throw createSettingError(name, `an integer from ${min} to ${max}`, value)
      return number
    },
  }
}

/** Declares the port of a server. Hosts that run one server each set `PORT`. */
export function port(server: string, { default: number, min = 0 }: { default: number; min?: number }) {
  const free = min === 0 ? '; 0 selects a free one' : ''
  const setting = integer(`the port of the ${server}, or \`PORT\`${free}`, {
    default: number,
    min,
    max: 65_535,
  })
  return { ...setting, alternative: 'PORT' }
}

/** Declares an integer that can exceed the safe integers, such as wei. */
export function amount(meaning: string, options: { default: bigint }): Setting<bigint> {
  return {
    meaning,
    defaultText: `${options.default}`,
    parse(value, name) {
      if (value === undefined) return options.default
      if (!/^\d+$/.test(value)) throw createSettingError(name, 'decimal digits', value)
      return BigInt(value)
    },
  }
}

/** Declares a setting that is true or false, false by default. */
export function flag(meaning: string): Setting<boolean> {
  return {
    meaning,
    defaultText: 'false',
    parse(value, name) {
      if (value === undefined) return false
      if (!/^(?:true|false|1|0)$/.test(value)) throw createSettingError(name, 'true or false', value)
      return value === 'true' || value === '1'
    },
  }
}

/** Declares one of several words. */
export function choice<const Choice extends string>(
  meaning: string,
  { choices, default: fallback }: { choices: readonly Choice[]; default: NoInfer<Choice> },
): Setting<Choice> {
  return {
    meaning,
    defaultText: fallback,
    parse(value, name) {
      if (value === undefined) return fallback
      const match = choices.find((each) => each === value)
      if (match === undefined) throw createSettingError(name, `one of ${choices.join(', ')}`, value)
      return match
    },
  }
}

/** Declares a list, separated by commas and empty by default. */
export function list(meaning: string): Setting<readonly string[]> {
  return { meaning, defaultText: '', parse: splitList }
}

/** Splits a list at its commas. */
export function splitList(value = ''): string[] {
  const parts = value.split(',').map((part) => part.trim())
  return parts.filter((part) => part !== '')
}

/** Declares an address that begins with http:// or https://. */
export function url(meaning: string, { defaultText = '' } = {}): Setting<URL | undefined> {
  return {
    meaning,
    defaultText,
    parse(value, name) {
      if (value === undefined) return undefined
      const parsed = URL.canParse(value) ? new URL(value) : undefined
      if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
        throw createSettingError(name, 'a URL that begins with http:// or https://', value)
      return parsed
    },
  }
}

function createSettingError(name: string, expected: string, value: string): ConfigurationError {
  return new ConfigurationError(`${name}: expected ${expected}, received ${JSON.stringify(value)}`)
}

/** Formats the name, the default and the meaning of every setting, for a terminal. */
export function formatSettings(declarations: SettingDeclarations): string {
  return Object.entries(declarations)
    .map(([name, { defaultText, meaning }]) => {
      const start = defaultText === '' ? name : `${name} (${defaultText})`
      return `${start}\n    ${meaning.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')}`
    })
    .join('\n')
}
