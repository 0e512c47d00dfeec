/**
 * A value of a row that is passed to PostgreSQL. Large integers and decimals are texts or bigints, because
 * numbers lose digits.
 */
export type ColumnValue = string | number | bigint | boolean | null

/** The text of these values needs no quotes. */
const PLAIN = /^[\w.:-]+$/

/**
 * Formats a row as the text of a composite type, for a parameter such as
 * `$1::facilitator.requested_settlement[]`. PostgreSQL reads it in half the time of JSON.
 *
 * @param columns All columns of the type, in its order.
 */
export function formatComposite<Column extends string>(
  columns: readonly Column[],
  row: Readonly<Record<Column, ColumnValue>>,
): string {
  return `(${columns.map((column) => formatValue(row[column])).join(',')})`
}

function formatValue(value: ColumnValue): string {
  if (value === null) return ''
  const text = String(value)
  return PLAIN.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}
