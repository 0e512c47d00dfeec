import type pg from 'pg'
import type { Table } from './tables.ts'

const ROWS_PER_STATEMENT = 1000

/** Rows of a table in both databases. */
export interface Rows {
  readonly table: Table
  /** The condition of the rows, in which `t` is the table. */
  readonly where: string
  /** Expressions for columns that have another value in the target. */
  readonly values?: Readonly<Record<string, string>> | undefined
}

/** A transaction in each of two databases with the same schema. */
export interface Transactions {
  readonly source: pg.ClientBase
  readonly target: pg.ClientBase
}

/** A copy of a project. */
export interface Copy extends Transactions {
  readonly project: number
  /** Copies rows of a table. */
  readonly copy: (table: string, rows: Omit<Rows, 'table'>) => Promise<void>
}

/**
 * Copies rows. They travel as the texts of rows, which lose nothing of any type. Returns how many there are.
 *
 * @param into Default: the table.
 */
export async function copyRows(
  { source, target }: Transactions,
  { table: { name, columns, generated }, where, values = {} }: Rows,
  into = name,
): Promise<number> {
  const row = columns.map((column) => values[column] ?? `t.${column}`).join(', ')
  const written = columns.filter((column) => !generated.includes(column)).join(', ')
  await source.query(`
    declare copied no scroll cursor for select (row(${row})::${name})::text as row from ${name} t where ${where}`)
  let count = 0
  for (;;) {
    const { rows } = await source.query<{ row: string }>(`fetch ${ROWS_PER_STATEMENT} from copied`)
    if (rows.length === 0) break
    await target.query(
      `insert into ${into} (${written}) overriding system value select ${written} from unnest($1::${name}[])`,
      [rows.map((each) => each.row)],
    )
    count += rows.length
  }
  await source.query('close copied')
  return count
}

/**
 * Copies what has changed since a transaction of the source, of rows that were copied before. If the numbers of
 * rows differ then, rows were deleted. Returns how many rows were copied.
 *
 * @param since The oldest transaction that the copy before did not see, as the lower 32 bits of its id.
 */
export async function copyChanges(
  transactions: Transactions,
  all: readonly Rows[],
  since: string,
): Promise<number> {
  const { source, target } = transactions
  const [own, other] = [await countRows(source, all, since), await countRows(target, all)]
  let copied = 0
  for (const [at, rows] of all.entries()) {
    const { total = 0, changed = 0 } = own[at] ?? {}
    if (changed > 0 || total !== other[at]?.total) copied += await copyTable(transactions, rows, since)
  }
  return copied
}

/**
 * Every later version of a row has a later `xmin`. Ids of transactions are compared by their distance: rows that are
 * so old that their ids are used again are copied once more.
 */
const isChanged = (since: string) =>
  `mod(t.xmin::text::bigint - ${since} + 4294967296, 4294967296) < 2147483648`

async function copyTable(transactions: Transactions, rows: Rows, since: string): Promise<number> {
  const { source, target } = transactions
  const { table, where } = rows
  const { name, key } = table
  const written = table.columns.filter((column) => !table.generated.includes(column)).join(', ')
  await target.query(`create temp table changed as select ${written} from ${name} with no data`)
  const changes = { ...rows, where: `${where} and ${isChanged(since)}` }
  const changed = await copyRows(transactions, changes, 'changed')
  const isSame = key.map((column) => `t.${column} = c.${column}`).join(' and ')
  await target.query(`delete from ${name} t using changed c where ${isSame}`)
  const [own] = await countRows(source, [rows], since)
  const [unchanged] = await countRows(target, [rows])
  if (own?.total !== changed + (unchanged?.total ?? 0)) await deleteMissing(transactions, rows)
  await target.query(
    `insert into ${name} (${written}) overriding system value select ${written} from changed; drop table changed`,
  )
  const [other] = await countRows(target, [rows])
  if (own?.total === other?.total) return changed
  // Rows that have not changed belong to it now, such as those of a contract that was registered meanwhile.
  await target.query(`delete from ${name} t where ${where}`)
  return await copyRows(transactions, rows)
}

/** Counts the rows of each table, and those that have changed, by one statement. */
async function countRows(
  client: pg.ClientBase,
  all: readonly Rows[],
  since = '0',
): Promise<{ total: number; changed: number }[]> {
  const counts = all.map(
    ({ table, where }, at) => `
      select ${at} as at, count(*)::float8 as total, count(*) filter (where ${isChanged(since)})::float8 as changed
      from ${table.name} t where ${where}`,
  )
  // Workers of PostgreSQL return the results of many tables in any order.
  const { rows } = await client.query<{ total: number; changed: number }>(
    `${counts.join(' union all ')} order by at`,
  )
  return rows
}

/** Deletes the rows that the source does not have. */
async function deleteMissing(
  { source, target }: Transactions,
  { table, where, values = {} }: Rows,
): Promise<void> {
  const key = table.key.map((column) => values[column] ?? `t.${column}`).join(', ')
  await target.query('create temp table present (key text)')
  await source.query(
    `declare keys no scroll cursor for select row(${key})::text as key from ${table.name} t where ${where}`,
  )
  for (;;) {
    const { rows } = await source.query<{ key: string }>(`fetch ${ROWS_PER_STATEMENT} from keys`)
    if (rows.length === 0) break
    await target.query('insert into present select unnest($1::text[])', [rows.map((each) => each.key)])
  }
  await source.query('close keys')
  const own = table.key.map((column) => `t.${column}`).join(', ')
  await target.query(
    `delete from ${table.name} t where ${where} and not exists (select from present p where p.key = row(${own})::text);
     drop table present`,
  )
}
