/** Text of a cell that spreadsheets would execute. */
const FORMULA = /^[=+\-@\t\r]/
const NUMBER = /^-?\d+(\.\d+)?$/

/**
 * Formats a record as a line of CSV, with its line break. A cell that a spreadsheet would execute, because
 * other people chose a name such as `=HYPERLINK(…)`, begins with an apostrophe.
 */
export function formatCsvRecord(cells: readonly string[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`
}

/** Removes the apostrophe of a cell that `formatCsvRecord` protected. */
export function readCell(text: string): string {
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text
}

function formatCell(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
