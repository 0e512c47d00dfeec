import Table from 'cli-table3'
import { findNumberName } from './named-numbers.ts'
import { isRecord, mergeColumns } from './rows.ts'
import { toJsonLine, toSafeLine } from './safe-text.ts'

/** The widest column of a list; longer values are cut. */
const MAX_COLUMN_WIDTH = 28
/** Columns that identify a record come first, where the operation's records have no order of their own. */
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

/** Fields that repeat another one, or that the specification requires and nothing sets. */
const REDUNDANT = /Long$|^deleted$/

function formatCell(value: unknown, field = ''): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number') return findNumberName(field, value) ?? String(value)
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

/** Whether a column is never cut: the beginning of an id finds nothing, and that of a URL opens nothing. */
function isWhole(name: string): boolean {
  return /^(?:id|key|code|reference|subject|transaction|hash|resource|.*(?:Id|No|Key|Code|Hash|Ref|Reference|[uU]rl|URL))$/.test(
    name,
  )
}

/** @param isIdentity Whether the column is what other commands find the record by, so that it is complete. */
function toColumn(name: string, rows: readonly unknown[], isIdentity: boolean): Column {
  const texts = rows.map((row) => formatCell(isRecord(row) ? row[name] : undefined, name))
  const cells = isIdentity ? texts : texts.map(shorten)
  const widest = Math.max(name.length, ...cells.map((cell) => cell.length))
  return { name, cells, width: isIdentity || isWhole(name) ? widest : Math.min(widest, MAX_COLUMN_WIDTH) }
}

/** Returns a column whose values are complete, because a person chose it. */
function toChosenColumn(name: string, rows: readonly unknown[]): Column {
  const cells = rows.map((row) => formatCell(isRecord(row) ? row[name] : undefined, name))
  return { name, cells, width: Math.max(name.length, ...cells.map((cell) => cell.length)) }
}

/** Whether a column shows nothing that a person looks for. */
function isUninformative({ name, cells }: Column): boolean {
  return REDUNDANT.test(name) || cells.every((cell) => cell === '' || cell === '[]' || cell === '{}')
}

/**
 * Chooses the columns that fit: those of the order, or without one all, those first that identify a record.
 */
function chooseColumns(columns: readonly Column[], order: readonly string[], width: number): Column[] {
  const ranked = order.length > 0 ? order : FIRST_COLUMNS
  const rank = ({ name }: Column) => {
    const index = ranked.indexOf(name)
    return index === -1 ? ranked.length : index
  }
  const candidates = order.length > 0 ? columns.filter(({ name }) => order.includes(name)) : columns
  const chosen: Column[] = []
  let used = 0
  for (const column of candidates.toSorted((a, b) => rank(a) - rank(b))) {
    if (chosen.length > 0 && used + column.width + 2 > width) continue
    chosen.push(column)
    used += column.width + 2
  }
  return chosen
}

/** Splits a text into lines of at most a width. */
function wrap(text: string, width: number): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length + 1 <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.map((line) => `${line}\n`).join('')
}

function formatColumns(columns: readonly Column[], rows: readonly unknown[]): string {
  const table = createTable(columns.map((column) => column.width))
  table.push(columns.map(({ name }) => name))
  for (const index of rows.keys()) table.push(columns.map(({ cells }) => cells[index] ?? ''))
  return trimLines(table.toString())
}

/** How a table is made. */
export interface TableOptions {
  readonly width: number
  /** The fields that people look for, the most important first: see `findColumnOrder`. */
  readonly order?: readonly string[]
  /** The fields that a person chose. Their values are complete, whatever the width. */
  readonly fields?: readonly string[] | undefined
  /** What shows the other fields, such as `--json shows all`. */
  readonly advice: string
}

/** Formats records as a table that fits a width. The last lines name the fields that it leaves out. */
export function formatTable(
  names: readonly string[],
  rows: readonly unknown[],
  { width, order = [], fields, advice }: TableOptions,
): string {
  if (fields !== undefined) {
    const chosen = fields.map((name) => toChosenColumn(name, rows))
    return formatColumns(chosen, rows)
  }
  const merged = mergeColumns(names, rows)
  const identity = (order.length > 0 ? order : FIRST_COLUMNS).find((name) => merged.includes(name))
  const columns = merged.map((name) => toColumn(name, rows, name === identity))
  if (columns.length === 0) return rows.map((row) => `${formatCell(row)}\n`).join('')
  const informative = columns.filter((column) => !isUninformative(column))
  const chosen = chooseColumns(informative, order, width)
  const left = informative.filter((column) => !chosen.includes(column))
  const hidden = left.map(({ name }) => toSafeLine(name)).join(', ')
  return formatColumns(chosen, rows) + (hidden === '' ? '' : wrap(`Not shown: ${hidden}. ${advice}`, width))
}

/** Whether a value is a list of records, which is shown as a table of its own. */
function isRecordList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord)
}

/**
 * Lists the fields whose lists have a value for each of the same things, such as days. They are shown as the columns
 * of one table.
 */
function listParallelFields(record: Readonly<Record<string, unknown>>): readonly string[] {
  const lists = Object.entries(record).filter(
    ([, value]) =>
      Array.isArray(value) && value.length > 1 && !value.some((each) => typeof each === 'object'),
  ) as [string, readonly unknown[]][]
  const parallel = lists.filter(([, { length }]) => length === lists[0]?.[1].length)
  return parallel.length > 1 ? parallel.map(([name]) => name) : []
}

/** Formats one record, a line for each field. Only the lists in it are cut, to the width. */
export function formatRecord(record: unknown, width: number): string {
  if (!isRecord(record)) return `${formatCell(record)}\n`
  const parallel = listParallelFields(record)
  const fields = Object.entries(record).filter(([name]) => !parallel.includes(name))
  const single = fields.filter(([, value]) => !isRecordList(value))
  const nameWidth = Math.max(0, ...single.map(([name]) => name.length))
  const lines = single.map(([name, value]) =>
    [name.padEnd(nameWidth), formatCell(value, name)].join('  ').trimEnd(),
  )
  const options = { width, advice: '--json shows all.' }
  const tables = fields.flatMap(([name, value]) =>
    isRecordList(value) ? [`\n${name}:\n${formatTable([], value, options)}`] : [],
  )
  if (parallel.length > 0) tables.unshift(`\n${formatTable([], toParallelRows(record, parallel), options)}`)
  return lines.map((line) => `${line}\n`).join('') + tables.join('')
}

function toParallelRows(record: Readonly<Record<string, unknown>>, names: readonly string[]) {
  const lists = names.map((name) => [name, record[name] as readonly unknown[]] as const)
  const length = lists[0]?.[1].length ?? 0
  return Array.from({ length }, (_, index) =>
    Object.fromEntries(lists.map(([name, values]) => [name, values[index]])),
  )
}
