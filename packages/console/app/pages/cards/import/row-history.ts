import type { ImportRow } from './import-rows.ts'

/** A row of a file, as another import of equal rows finds it. */
export interface SentRow {
  /** The digest of the row's input. */
  readonly digest: string
  /** Names the row among all rows with the digest: its file, its round and its line. */
  readonly place: string
}

/** Remembers in the browser which rows were sent and not refused. */
export interface RowHistory {
  /** Whether anything was sent before. */
  isEmpty(): Promise<boolean>
  add(rows: readonly SentRow[]): Promise<void>
  remove(rows: readonly SentRow[]): Promise<void>
  /** Returns the places of rows with each digest. */
  listPlaces(digests: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
}

/** Names a row of a file. `file` begins the name, so that `findSentRows` recognizes rows of the same file. */
export function toPlace(file: string, round: number, line: number): string {
  return `${file} ${round} ${line}`
}

/** Returns the digests of valid rows, by line. Rows with equal fields have the same digest. */
export async function digestRows(
  rows: readonly ImportRow[],
  scope: string,
  digest: (text: string) => Promise<string>,
): Promise<ReadonlyMap<number, string>> {
  const valid = rows.filter(({ problems }) => problems.length === 0)
  const digests = await Promise.all(
    valid.map(async ({ line, input }) => [line, await digest(JSON.stringify([scope, input]))] as const),
  )
  return new Map(digests)
}

/**
 * Finds the rows that equal rows of other files which were sent before. As many rows are found as were sent:
 * a file with three equal rows of which another file had one has two new ones.
 *
 * @param digests The digests of the rows, by line.
 * @param file The file itself, whose earlier rows do not count: its import continues, or is repeated on
 * purpose.
 */
export function findSentRows(
  digests: ReadonlyMap<number, string>,
  places: ReadonlyMap<string, readonly string[]>,
  file: string,
): readonly number[] {
  const left = new Map(
    [...places].map(([digest, all]) => [digest, all.filter((place) => !place.startsWith(`${file} `)).length]),
  )
  return [...digests].flatMap(([line, digest]) => {
    const count = left.get(digest) ?? 0
    left.set(digest, count - 1)
    return count > 0 ? [line] : []
  })
}
