import { type RawBuilder, sql } from 'kysely'
import type { Cursor, ListQuery } from './list-query.ts'

/** A range of an index that has the rows of a list in their order. */
export interface IndexRange {
  /**
   * The columns of the index after the project and before the order column, with their values:
   * `{ program, creator }` for an index on `project_id, program, creator, id`. The list's query has no
   * conditions on them.
   */
  readonly columns?: { readonly [column: string]: unknown } | undefined
  /** The lowest value of the order column. The list's query has the same condition. */
  readonly from?: unknown
  /** The highest value of the order column. The list's query has the same condition. */
  readonly to?: unknown
}

/** The order of a list: the columns of an index range, then the order column, then the id. */
export interface ListOrder {
  readonly table: string
  readonly column: string
  readonly index: IndexRange
}

/**
 * Limits a query to its index range, after the cursor's row if there is one. The conditions are comparisons
 * of rows. After a condition like `creator = $1`, PostgreSQL ignores the creator in the order, so that any
 * index of the project is in order, and PostgreSQL chooses one by its statistics. They are wrong for young
 * tables and young projects, and then it reads the whole list.
 */
export function whereInRange(
  query: ListQuery<object>,
  order: ListOrder,
  descending: boolean,
  after: Cursor | undefined,
): ListQuery<object> {
  return createRangeConditions(order, descending, after).reduce(
    (rows, condition) => rows.where(condition),
    query,
  )
}

interface Bound {
  readonly names: readonly string[]
  readonly values: readonly unknown[]
}

function createRangeConditions(
  order: ListOrder,
  descending: boolean,
  after: Cursor | undefined,
): RawBuilder<boolean>[] {
  const { from, to } = order.index
  const cursor = after && createCursorBound(order, after)
  return [
    ...(cursor && !descending ? compare(order, '>', cursor) : compare(order, '>=', createBound(order, from))),
    ...(cursor && descending ? compare(order, '<', cursor) : compare(order, '<=', createBound(order, to))),
  ]
}

/** Creates the bound of a value of the order column, or of all values. */
function createBound({ column, index }: ListOrder, value: unknown): Bound {
  const { columns = {} } = index
  const [names, values] = [Object.keys(columns), Object.values(columns)]
  return value === undefined ? { names, values } : { names: [...names, column], values: [...values, value] }
}

function createCursorBound({ column, index }: ListOrder, cursor: Cursor): Bound {
  const { columns = {} } = index
  return {
    names: [...Object.keys(columns), ...getOrderColumns(column)],
    values: [...Object.values(columns), ...(column === 'id' ? [cursor[1]] : cursor)],
  }
}

const compare = (
  { table }: ListOrder,
  operator: '>' | '>=' | '<' | '<=',
  { names, values }: Bound,
): RawBuilder<boolean>[] =>
  names.length === 0
    ? []
    : [sql<boolean>`(${joinRefs(table, names)}) ${sql.raw(operator)} (${sql.join(values)})`]

const joinRefs = (table: string, names: readonly string[]) =>
  sql.join(names.map((name) => sql.ref(`${table}.${name}`)))

/** Orders a query like its index range. */
export function inIndexOrder(
  query: ListQuery<object>,
  order: ListOrder,
  descending: boolean,
): ListQuery<object> {
  return getIndexColumns(order).reduce(
    (rows, name) => rows.orderBy(sql.ref(`${order.table}.${name}`), descending ? 'desc' : 'asc'),
    query,
  )
}

/**
 * Orders a query such that only an index with its range is in order. Indexes with other order columns count
 * the same rows.
 */
export function inCountOrder(
  query: ListQuery<object>,
  { table, column, index }: ListOrder,
): ListQuery<object> {
  const isBounded = index.from !== undefined || index.to !== undefined
  const columns = [...Object.keys(index.columns ?? {}), ...(isBounded ? [column] : [])]
  return columns.reduce((rows, name) => rows.orderBy(sql.ref(`${table}.${name}`)), query)
}

const getIndexColumns = ({ column, index }: ListOrder) => [
  ...Object.keys(index.columns ?? {}),
  ...getOrderColumns(column),
]

const getOrderColumns = (column: string) => (column === 'id' ? ['id'] : [column, 'id'])

/**
 * Reduces a query to the row whose id is that of `source`. As a range with an order, it can only use an
 * index that begins with the id or with the project and the id. For a condition like `id = $1`, PostgreSQL
 * may use any index of the project and read all of its rows. `offset 0` keeps the order.
 */
export function whereSameRow(query: ListQuery<object>, table: string, source: string): ListQuery<object> {
  const id = sql.ref(`${table}.id`)
  const value = sql.ref(`${source}.id`)
  return query
    .where(sql<boolean>`(${id}) >= (${value})`)
    .where(sql<boolean>`(${id}) <= (${value})`)
    .orderBy(id)
    .offset(sql.lit(0))
}

/** Selects the ids of the rows with these values in an index, at most `limit` unless it is null. */
export function selectIdsInRange(
  table: string,
  condition: RawBuilder<boolean>,
  columns: { readonly [column: string]: unknown },
  limit: number | null,
): RawBuilder<{ id: number }> {
  const row = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  const values = sql.join(Object.values(columns))
  return sql`select id from ${sql.table(table)}
    where ${condition} and (${row}) >= (${values}) and (${row}) <= (${values}) order by ${row} limit ${limit}`
}
