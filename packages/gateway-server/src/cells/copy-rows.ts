import type pg from 'pg'
import type { Table } from './tables.ts'

const ROWS_PER_STATEMENT = 1000

export interface CopiedRows {
  /** The condition of the rows, in which `t` is the table. */
  readonly where: string
  /** Expressions for columns that have another value in the target. */
  readonly values?: Readonly<Record<string, string>> | undefined
}

/**
 * Copies rows to another database with the same schema, within a transaction of each. They travel as the texts
 * of rows, which lose nothing of any type. Returns how many there are.
 */
export async function copyRows(
  source: pg.ClientBase,
  target: pg.ClientBase,
  { name: table, columns, generated }: Table,
  { where, values = {} }: CopiedRows,
): Promise<number> {
  const row = columns.map((column) => values[column] ?? `t.${column}`).join(', ')
  const written = columns.filter((column) => !generated.includes(column)).join(', ')
  await source.query(`
    declare copied no scroll cursor for select (row(${row})::${table})::text as row from ${table} t where ${where}`)
  let count = 0
  for (;;) {
    const { rows } = await source.query<{ row: string }>(`fetch ${ROWS_PER_STATEMENT} from copied`)
    if (rows.length === 0) break
    await target.query({
      name: table,
      text: `insert into ${table} (${written}) overriding system value select ${written} from unnest($1::${table}[])`,
      values: [rows.map((each) => each.row)],
    })
    count += rows.length
  }
  await source.query('close copied')
  return count
}
