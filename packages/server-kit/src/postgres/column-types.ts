import pg from 'pg'

/** Thrown where a bigint read from the database does not fit a JavaScript number: it is never rounded. */
export class UnsafeInteger extends Error {
  override readonly name = 'UnsafeInteger'
}

function bigintAsNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new UnsafeInteger(`the bigint ${text} is beyond what a number holds exactly`)
  return value
}

const bigint = 20
// A list of bigints, which pg reads as a list of texts.
const bigintArray: number = 1016
const readTexts: (text: string) => (string | null)[] = pg.types.getTypeParser(bigintArray)

/**
 * How column values become JavaScript's: bigint a number (ids and counts), numeric a string (amounts of up to 78
 * digits), timestamptz a Date, and the others as `pg` reads them.
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser(id: number, format?: 'text' | 'binary') {
    if (format !== 'binary' && id === bigint) return bigintAsNumber
    if (format !== 'binary' && id === bigintArray) return bigintsAsNumbers
    // The declaration has an overload for each format; the choice is handed through.
    return format === 'binary' ? pg.types.getTypeParser(id, 'binary') : pg.types.getTypeParser(id, 'text')
  },
}

function bigintsAsNumbers(text: string): (number | null)[] {
  return readTexts(text).map((value) => (value === null ? null : bigintAsNumber(value)))
}
