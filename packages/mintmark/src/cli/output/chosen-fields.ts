import type { OperationShape } from '@mintmark/operation'
import { UsageError } from '../errors.ts'
import { normalizeName, suggestName } from '../similar-names.ts'
import { isRecord, listColumns } from './rows.ts'

/**
 * Parses the value of `--fields`: names of fields, separated by commas. Throws a UsageError for a name that
 * the operation's records do not have.
 */
export function parseChosenFields(operation: OperationShape, text: string): string[] {
  const known = listColumns(operation)
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length === 0) throw new UsageError('--fields: Expected names of fields, separated by commas')
  return names.map((name) => {
    const field = known.find((each) => normalizeName(each) === normalizeName(name))
    if (field !== undefined) return field
    throw new UsageError(
      `--fields: The result has no field ${name}${suggestName(name, known) || `. Fields: ${known.join(', ')}`}`,
    )
  })
}

/** Returns a record with the chosen fields only, in their order. A value that is no record stays as it is. */
export function pickFields(record: unknown, fields: readonly string[] | undefined): unknown {
  if (fields === undefined || !isRecord(record)) return record
  return Object.fromEntries(fields.map((name) => [name, record[name]]))
}
