import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * The format of a text, and how it is stored and compared. Not applied to an empty text: its schema accepts
 * or refuses it.
 */
export interface TextFormat {
  /**
   * Completes "Expected …", such as `an address: 0x and 40 hexadecimal digits`. It appears in the
   * documentation.
   */
  readonly description: string
  /** A regular expression without anchors that every accepted text matches, for OpenAPI. */
  readonly pattern?: string
  /**
   * Returns what is wrong with a text, or undefined. `now` is in milliseconds since the epoch. Default: the
   * system's time.
   */
  readonly findProblem: (text: string, now?: number) => string | undefined
  /** Returns a correct text as it is stored. Default: unchanged. */
  readonly normalize?: (text: string) => string
}

/** A field with a format. */
export interface FormattedField {
  /** The names of its path, and `[]` for every item of an array. */
  readonly steps: readonly string[]
  readonly format: TextFormat
}

/** Creates a field from its path, which is written as in `cards[].nftAddress`. */
export function createFormattedField(path: string, format: TextFormat): FormattedField {
  return { steps: path.split(/\.|(?=\[\])/), format }
}

/** Checksum checks take tens of microseconds each. A list of thousands must not block other calls. */
const CHECKS_PER_TURN = 100

/** The step of a path that selects every item of an array. */
const EACH = '[]'

/** What a call checks its fields with. */
interface FormatContext {
  invalid(field: string, message: string): never
  /** Returns milliseconds since the epoch. */
  now(): number
}

/**
 * Checks the fields that have a format and replaces them with their stored form, in place, because an input
 * belongs to one call. Refuses the first field that does not match its format.
 */
export async function applyFormats(
  input: object,
  fields: readonly FormattedField[],
  { invalid, now }: FormatContext,
): Promise<void> {
  let checks = 0
  for (const { steps, format } of fields) {
    for (const { owner, key, field } of findPlaces(input, steps, '')) {
      const text: unknown = Reflect.get(owner, key)
      if (typeof text !== 'string' || text === '') continue
      checks += 1
      if (checks % CHECKS_PER_TURN === 0) await nextTurn()
      const problem = format.findProblem(text, now())
      if (problem !== undefined) invalid(field, problem)
      if (format.normalize !== undefined) Reflect.set(owner, key, format.normalize(text))
    }
  }
}

interface Place {
  readonly owner: object
  readonly key: string
  /** The path of the place as an issue names it. */
  readonly field: string
}

/** Finds the places in a value that a path selects: several if it contains arrays. */
function* findPlaces(value: unknown, [step, ...rest]: readonly string[], prefix: string): Generator<Place> {
  if (step === undefined || typeof value !== 'object' || value === null) return
  if (step === EACH && !Array.isArray(value)) return
  const keys = step === EACH ? Object.keys(value) : [step]
  for (const key of keys) {
    const field = prefix === '' ? key : `${prefix}.${key}`
    if (rest.length === 0) yield { owner: value, key, field }
    else yield* findPlaces(Reflect.get(value, key), rest, field)
  }
}
