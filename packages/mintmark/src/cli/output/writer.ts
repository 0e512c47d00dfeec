import type { OperationShape } from '@mintmark/operation'
import { type CommandEnvironment, getWidth, write } from '../environment.ts'
import { pickFields } from './chosen-fields.ts'
import { findColumnOrder } from './column-order.ts'
import { listColumns, mergeColumns, toRows } from './rows.ts'
import { toJsonLine, toSafeText } from './safe-text.ts'

/** How a result is written. `raw` is the whole data of a response, with the fields of a page. */
export const OUTPUT_FORMATS = ['table', 'json', 'csv', 'raw'] as const
export type OutputFormat = (typeof OUTPUT_FORMATS)[number]

/** Writes the results of an operation. */
export interface ResultWriter {
  readonly format: OutputFormat
  /** Writes the data of a response. A list that comes in parts has one header. */
  write(data: unknown): Promise<void>
}

/** Chooses a format: tables for people, JSON lines for programs. */
export function chooseFormat(
  options: { readonly json?: boolean | undefined; readonly output?: OutputFormat | undefined },
  { output }: CommandEnvironment,
): OutputFormat {
  if (options.output !== undefined) return options.output
  return options.json || output.isTTY !== true ? 'json' : 'table'
}

function createTableWriter(
  operation: OperationShape,
  fields: readonly string[] | undefined,
  { output, errors }: CommandEnvironment,
  formats: typeof import('./table.ts'),
): ResultWriter['write'] {
  const columns = listColumns(operation)
  return async (data) => {
    const { rows, isList, page } = toRows(operation, data)
    if (isList && rows.length === 0) return await write(errors, 'No results.\n')
    const width = getWidth(output)
    if (!isList) {
      const records = rows.map((row) => formats.formatRecord(pickFields(row, fields), width))
      return await write(output, records.join(''))
    }
    const order = findColumnOrder(operation)
    const advice = '--fields id,name chooses, --json shows all.'
    await write(output, formats.formatTable(columns, rows, { width, order, fields, advice }))
    if (page !== undefined && page.totalPage > 1) {
      const position = `Page ${page.pageNumber} of ${page.totalPage}, ${page.totalRow} in total.`
      const hint = page.lastPage ? '' : ` --page-number ${page.pageNumber + 1} for the next, --all for all.`
      await write(errors, `${position}${hint}\n`)
    }
  }
}

function createCsvWriter(
  operation: OperationShape,
  fields: readonly string[] | undefined,
  { output }: CommandEnvironment,
  { formatCsv }: typeof import('./csv.ts'),
): ResultWriter['write'] {
  let columns = fields
  let header = true
  return async (data) => {
    const { rows } = toRows(operation, data)
    // Later pages have the columns of the first one, because its header is written.
    columns ??= mergeColumns(listColumns(operation), rows)
    const text = formatCsv(columns, rows, { header })
    header = false
    await write(output, output.isTTY ? toSafeText(text) : text)
  }
}

/**
 * Creates the writer of an operation's results. Loads only what its format needs.
 *
 * @param fields The only fields of each record to write. `raw` has all.
 */
export async function createWriter(
  operation: OperationShape,
  format: OutputFormat,
  environment: CommandEnvironment,
  fields?: readonly string[],
): Promise<ResultWriter> {
  if (format === 'table') {
    return { format, write: createTableWriter(operation, fields, environment, await import('./table.ts')) }
  }
  if (format === 'csv') {
    return { format, write: createCsvWriter(operation, fields, environment, await import('./csv.ts')) }
  }
  const { output } = environment
  if (format === 'raw') return { format, write: (data) => write(output, `${toJsonLine(data)}\n`) }
  return {
    format,
    async write(data) {
      const { rows } = toRows(operation, data)
      await write(output, rows.map((row) => `${toJsonLine(pickFields(row, fields))}\n`).join(''))
    },
  }
}
