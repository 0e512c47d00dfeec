import pg from 'pg'

/** A bigint from the database exceeds the safe integers of JavaScript. It is never rounded. */
export class UnsafeIntegerError extends Error {
  override readonly name = 'UnsafeIntegerError'
}

function parseBigint(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new UnsafeIntegerError(`The bigint ${text} exceeds Number.MAX_SAFE_INTEGER`)
  return value
}

const BIGINT = 20
// pg parses an array of bigints as an array of texts.
const BIGINT_ARRAY: number = 1016
const parseTexts: (text: string) => (string | null)[] = pg.types.getTypeParser(BIGINT_ARRAY)

/**
 * Parsers of column values: bigint becomes a number (ids and counts), numeric a string (amounts of up to 78
 * digits), timestamptz a Date. Other types are parsed by `pg`.
 */
export const COLUMN_TYPES: pg.CustomTypesConfig = {
  getTypeParser(id: number, format?: 'text' | 'binary') {
    if (format !== 'binary' && id === BIGINT) return parseBigint
    if (format !== 'binary' && id === BIGINT_ARRAY) return parseBigints
    // The declaration has one overload per format, so the call is repeated for each.
    return format === 'binary' ? pg.types.getTypeParser(id, 'binary') : pg.types.getTypeParser(id, 'text')
  },
}

function parseBigints(text: string): (number | null)[] {
  return parseTexts(text).map((value) => (value === null ? null : parseBigint(value)))
}
