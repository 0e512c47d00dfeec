import { type Kysely, type RawBuilder, sql } from 'kysely'
import {
  findListSegments,
  KEY_FACTOR,
  type RegisteredListSegments,
  type SegmentedOrder,
  selectUniqueKey,
} from '../postgres/list-segments.ts'
import { PLANNED_AS_LIST, PLANNED_EACH_TIME } from '../postgres/statement-names.ts'
import type { Cursor, ListOrder } from './index-range.ts'
import { type CountedSegments, createKeyCursor, type Segment } from './segment-positions.ts'

/** Reads the segments of a list in the order of its pages. */
export interface SegmentReader {
  /** Returns undefined if the list has no segments yet. */
  read(): Promise<CountedSegments | undefined>
  /** Requests the segments. Idempotent. */
  request(): Promise<void>
}

/** A list that is counted in segments. */
export interface SegmentedList {
  readonly tables: RegisteredListSegments
  readonly relation: string
  readonly column: string
  /** Undefined for the order of creation. */
  readonly order: SegmentedOrder | undefined
  /** The columns of the list, separated by commas. In another order than that of creation with its column. */
  readonly field: string
  /** A text, or a JSON array of the texts of several columns. */
  readonly value: RawBuilder<string>
  readonly selectUnlisted: SegmentOptions['selectUnlisted']
  readonly range: KeyRange
}

/** The first key of a list, and the key that ends it. Undefined if the list has no such bound. */
interface KeyRange {
  readonly start: bigint | undefined
  readonly end: bigint | undefined
}

const isRange = ({ index }: ListOrder): boolean => index.from !== undefined || index.to !== undefined

/** Returns the key of a time. Throws for other values. */
function toTimeKey(value: unknown): bigint | undefined {
  if (value === undefined) return undefined
  if (!(value instanceof Date)) throw new TypeError('Expected a range of times')
  return BigInt(value.getTime()) * 1000n
}

/** A row that segments count but the list does not contain at present, with the columns of its keys. */
export interface UnlistedRow {
  readonly id: unknown
  readonly created_at: unknown
  /** Whether the row has the values of the list. Others are selected if no index distinguishes them. */
  readonly matches: boolean
}

/** How segments count a list. */
export interface SegmentOptions {
  /**
   * The columns that all rows of the list have in common, with their values. Undefined if the list has no
   * segments.
   */
  readonly columns: ListColumns | undefined
  readonly selectUnlisted: ((limit: number) => RawBuilder<UnlistedRow>) | undefined
}

/** The columns that the rows of a list have in common, with their values. */
type ListColumns = { readonly [column: string]: unknown }

/**
 * Finds the segments of the list of all rows with some values. Returns undefined for a list that has none.
 * The range of times of its order must include its first time and exclude its last one.
 */
export function findSegmentedList(
  db: Kysely<never>,
  order: ListOrder,
  { columns: values, selectUnlisted }: SegmentOptions,
): SegmentedList | undefined {
  const { table, column, index } = order
  const found = findTable(db, table)
  if (values === undefined || found === undefined) return undefined
  const { tables, relation, segmented } = found
  if (isRange(order) && (column === 'id' || column !== segmented.column)) return undefined
  const columns = segmented.lists.find((list) => hasColumns(values, list))
  if (columns === undefined) return undefined
  const value = createValue(columns, values)
  return {
    tables,
    relation,
    column: segmented.column,
    field: columns.join(),
    value,
    range: { start: toTimeKey(index.from), end: toTimeKey(index.to) },
    order: undefined,
    selectUnlisted,
  }
}

/**
 * Finds the segments of the list of all rows with some values, in the order of its pages. Returns undefined
 * for an order without segments, and for that of creation. A range includes its lowest and its highest value.
 */
export function findOrderedList(
  db: Kysely<never>,
  listOrder: ListOrder,
  { columns: values, selectUnlisted }: SegmentOptions,
): SegmentedList | undefined {
  const { table, column } = listOrder
  const found = findTable(db, table)
  const order = found?.segmented.orders?.[column]
  if (values === undefined || found === undefined || order === undefined) return undefined
  const { tables, relation } = found
  const range = findKeyRange(listOrder, order)
  if (range === undefined) return undefined
  const columns = order.lists.find((list) => hasColumns(values, list))
  if (columns === undefined) return undefined
  const value = createValue(columns, values)
  return {
    tables,
    relation,
    column,
    order,
    field: `${columns.join()} by ${column}`,
    value,
    selectUnlisted,
    range,
  }
}

/** Returns the unique keys of a range of values. Returns undefined for an order that cannot parse values. */
function findKeyRange(listOrder: ListOrder, { parseValue }: SegmentedOrder): KeyRange | undefined {
  const { from, to } = listOrder.index
  if (!isRange(listOrder)) return { start: undefined, end: undefined }
  if (parseValue === undefined) return undefined
  return {
    start: from === undefined ? undefined : parseValue(String(from)) * KEY_FACTOR,
    end: to === undefined ? undefined : (parseValue(String(to)) + 1n) * KEY_FACTOR,
  }
}

/** Finds a table whose lists are counted in segments. */
function findTable(db: Kysely<never>, table: string) {
  const tables = findListSegments(db)
  const relation = table.slice(table.indexOf('.') + 1)
  const segmented = tables?.tables[relation]
  return tables === undefined || segmented === undefined ? undefined : { tables, relation, segmented }
}

const hasColumns = (values: ListColumns, columns: readonly string[]): boolean =>
  Object.keys(values).length === columns.length && columns.every((name) => Object.hasOwn(values, name))

/** PostgreSQL formats arrays, because its triggers do so too. */
function createValue(columns: readonly string[], list: ListColumns): RawBuilder<string> {
  const values = columns.map((name) => String(list[name]))
  const [value = ''] = values
  if (values.length <= 1) return sql<string>`${value}::text`
  return sql<string>`json_build_array(${sql.join(values.map((each) => sql`${each}::text`))})::text`
}

/**
 * Requests the segments of a list of the connection's project. Idempotent. Logs an error, because the list
 * can be read without segments.
 */
export async function requestSegments(
  db: Kysely<never>,
  { tables, relation, field, value }: SegmentedList,
): Promise<void> {
  const request = sql.raw(`${tables.schema}.${tables.request}`)
  try {
    await sql`select ${request}(${relation}, ${field}, ${value})`.execute(db)
  } catch (error) {
    tables.log?.warn({ err: error, relation, field }, 'Could not request the segments of a long list')
  }
}

/**
 * Returns the condition that a list has more rows than a number by its segments, without the changes that are
 * not part of them yet.
 */
export function isLongBySegments(
  { tables, range: { start, end }, ...list }: SegmentedList,
  rowCount: number,
): RawBuilder<boolean> {
  const isInRange = sql.join(
    [
      sql`true`,
      ...(start === undefined ? [] : [sql`start >= ${String(start)}::numeric`]),
      ...(end === undefined ? [] : [sql`start < ${String(end)}::numeric`]),
    ],
    sql` and `,
  )
  return sql<boolean>`(
    select sum(row_count) from ${sql.table(`${tables.schema}.${tables.segments}`)}
    where relation = ${list.relation} and field = ${list.field} and value = ${list.value} and ${isInRange}) > ${sql.lit(rowCount)}`
}

/** Creates a query that counts the rows of a list after a cursor, up to that of another one if there is one. */
export type CountBetween = (after: Cursor, last: Cursor | undefined) => RawBuilder<number>

/**
 * Reads the segments of a list of the connection's project, with the changes that are not part of them yet.
 * Returns undefined if it has none, or not all of them yet.
 *
 * @param countBetween Counts the rows of the first and the last segment that are in the range of the list.
 */
export async function readSegments(
  db: Kysely<never>,
  list: SegmentedList,
  countBetween: CountBetween,
): Promise<CountedSegments | undefined> {
  const all = await readAllSegments(db, list)
  if (all === undefined) return undefined
  const { start, end } = list.range
  const segments =
    start === undefined && end === undefined ? all : await limitToRange(db, list, all, countBetween)
  return {
    column: list.column,
    order: list.order,
    segments,
    totalRow: segments.reduce((sum, { rowCount }) => sum + rowCount, 0),
  }
}

/** Returns the segments within the range of a list. */
async function limitToRange(
  db: Kysely<never>,
  { column, order, range }: SegmentedList,
  all: readonly Segment[],
  countBetween: CountBetween,
): Promise<readonly Segment[]> {
  const { start = 0n, end } = range
  const keys = all.map(({ key }) => BigInt(key))
  const inRange = all.flatMap(({ rowCount }, index) => {
    const [key = 0n, next] = keys.slice(index, index + 2)
    if ((end !== undefined && key >= end) || (next !== undefined && next <= start)) return []
    const isCutBelow = key < start
    const isCut = isCutBelow || (end !== undefined && (next === undefined || next > end))
    return [{ from: isCutBelow ? start : key, to: findLower(next, end), rowCount, isCut }]
  })
  // At most the first and the last segment.
  const cut = inRange.filter(({ isCut }) => isCut)
  const counts = cut.map(({ from, to }) => {
    const last = to === undefined ? undefined : createKeyCursor({ column, order }, to)
    return sql`(${countBetween(createKeyCursor({ column, order }, from), last)})`
  })
  const counted = cut.length === 0 ? [] : await readCounts(db, counts)
  const countOf = new Map(cut.map(({ from }, index) => [from, counted[index] ?? 0]))
  return inRange.map(({ from, rowCount }) => ({
    key: String(from),
    rowCount: countOf.get(from) ?? rowCount,
  }))
}

const findLower = (one: bigint | undefined, other: bigint | undefined): bigint | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one

async function readCounts(
  db: Kysely<never>,
  counts: readonly RawBuilder<unknown>[],
): Promise<readonly number[]> {
  const { rows } = await sql<{ counts: readonly number[] }>`${sql.raw(PLANNED_EACH_TIME)}
    select array[${sql.join(counts)}]::int[] as counts`.execute(db)
  return rows[0]?.counts ?? []
}

/** A list with more unlisted rows than this is counted without segments. */
const MAX_UNLISTED = 10_000

async function readAllSegments(
  db: Kysely<never>,
  list: SegmentedList,
): Promise<readonly Segment[] | undefined> {
  const { tables, relation, column, order, field, value, selectUnlisted } = list
  const isOfList = sql`relation = ${relation} and field = ${field} and value = ${value}`
  const unlisted = selectUnlisted
    ? sql`select ${selectKey(column, order)} as key, matches from (${selectUnlisted(MAX_UNLISTED + 1)}) as unlisted_row`
    : sql`select 0 as key, false as matches where false`
  // One text instead of a row for each segment, which are up to a thousand.
  const { rows } = await sql<{
    segments: string | null
    isCounted: boolean | null
    unlisted: number
    isUsed: boolean
  }>`${sql.raw(PLANNED_AS_LIST)}
    with segment as materialized (
      select start, row_count, row_number() over (order by start) as number
      from ${sql.table(`${tables.schema}.${tables.segments}`)} where ${isOfList}
    ), unlisted as materialized (
      ${unlisted}
    ), change as materialized (
      select width_bucket(key::numeric, (select array_agg(start::numeric order by start) from segment)) as number, sum(change)::bigint as change
      from (
        select key, change from ${sql.table(`${tables.schema}.${tables.changes}`)} where ${isOfList}
        union all select key, -1 from unlisted where matches
      ) as key_change group by 1
    )
    select string_agg(start || ' ' || (row_count + coalesce(change, 0)), ',' order by start) as segments,
      bool_and(row_count is not null) as "isCounted", (select count(*)::int from unlisted) as unlisted,
      exists (
        select from ${sql.table(`${tables.schema}.${tables.uses}`)} where ${isOfList} and used_on = (now() at time zone 'UTC')::date) as "isUsed"
    from segment left join change using (number)
    where not exists (select from ${sql.table(`${tables.schema}.${tables.resets}`)} where relation = ${relation})`.execute(
    db,
  )
  const [row] = rows
  if (row?.segments == null || !row.isCounted || row.unlisted > MAX_UNLISTED) return undefined
  const segments = row.segments.split(',').map((text): Segment => {
    const [key = '', rowCount] = text.split(' ')
    return { key, rowCount: Number(rowCount) }
  })
  // Without its first segment, the others are those of an earlier request, and miss changes.
  if (segments[0]?.key !== '0') return undefined
  // Once a day.
  if (!row.isUsed) await requestSegments(db, list)
  return segments
}

/** Returns the key of a row that the list does not contain. */
function selectKey(column: string, order: SegmentedOrder | undefined): RawBuilder<unknown> {
  if (order !== undefined) return sql.raw(selectUniqueKey(order, 'unlisted_row'))
  return column === 'id' ? sql`id` : sql`(extract(epoch from ${sql.ref(column)}) * 1000000)::bigint`
}
