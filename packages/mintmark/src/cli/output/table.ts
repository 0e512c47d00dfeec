import Table from 'cli-table3'
import { isRecord, mergeColumns } from './rows.ts'
import { toJsonLine, toSafeLine } from './safe-text.ts'

/** The widest column of a list; longer values are cut. */
const MAX_COLUMN_WIDTH = 28
/** Columns that identify a record come first. */
const FIRST_COLUMNS = ['id', 'orderNo', 'name', 'type', 'status', 'address', 'nftAddress', 'nftId']

const BORDERLESS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
}

function formatCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? toJsonLine(value) : toSafeLine(String(value))
}

/** Shortens an address or a hash in the middle, because its ends are what people compare. */
function shorten(text: string): string {
  return /^0x[0-9a-fA-F]{40,64}$/.test(text) ? `${text.slice(0, 6)}…${text.slice(-4)}` : text
}

function createTable(widths: readonly number[]) {
  return new Table({
    chars: BORDERLESS,
    colWidths: [...widths],
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  })
}

/** Removes the spaces at the ends of lines. */
function trimLines(text: string): string {
  return `${text.replace(/ +$/gm, '')}\n`
}

interface Column {
  readonly name: string
  readonly cells: readonly string[]
  readonly width: number
}

function toColumn(name: string, rows: readonly unknown[]): Column {
  const cells = rows.map((row) => shorten(formatCell(isRecord(row) ? row[name] : undefined)))
  const widest = Math.max(name.length, ...cells.map((cell) => cell.length))
  return { name, cells, width: Math.min(widest, MAX_COLUMN_WIDTH) }
}

/** Chooses the columns that fit, those first that identify a record. */
function chooseColumns(columns: readonly Column[], width: number): Column[] {
  const rank = ({ name }: Column) => {
    const index = FIRST_COLUMNS.indexOf(name)
    return index === -1 ? FIRST_COLUMNS.length : index
  }
  const chosen: Column[] = []
  let used = 0
  for (const column of columns.toSorted((a, b) => rank(a) - rank(b))) {
    const isEmpty = column.cells.every((cell) => cell === '')
    if (isEmpty || used + column.width + 2 > width) continue
    chosen.push(column)
    used += column.width + 2
  }
  return chosen
}

/** Formats records as a table that fits a width. The last line names what it leaves out. */
export function formatTable(names: readonly string[], rows: readonly unknown[], width: number): string {
  const columns = mergeColumns(names, rows).map((name) => toColumn(name, rows))
  if (columns.length === 0) return rows.map((row) => `${formatCell(row)}\n`).join('')
  const chosen = chooseColumns(columns, width)
  const table = createTable(chosen.map((column) => column.width))
  table.push(chosen.map(({ name }) => name))
  for (const index of rows.keys()) table.push(chosen.map(({ cells }) => cells[index] ?? ''))
  const left = columns.length - chosen.length
  const note = left > 0 ? `${left} more fields: --json\n` : ''
  return trimLines(table.toString()) + note
}

/** Whether a value is a list of records, which is shown as a table of its own. */
function isRecordList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord)
}

/** Formats one record, a line for each field. Only the lists of records in it are cut, to the width. */
export function formatRecord(record: unknown, width: number): string {
  if (!isRecord(record)) return `${formatCell(record)}\n`
  const fields = Object.entries(record)
  const single = fields.filter(([, value]) => !isRecordList(value))
  const nameWidth = Math.max(0, ...single.map(([name]) => name.length))
  const lines = single.map(([name, value]) =>
    [name.padEnd(nameWidth), formatCell(value)].join('  ').trimEnd(),
  )
  const tables = fields.flatMap(([name, value]) =>
    isRecordList(value) ? [`\n${name}:\n${formatTable([], value, width)}`] : [],
  )
  return lines.map((line) => `${line}\n`).join('') + tables.join('')
}
