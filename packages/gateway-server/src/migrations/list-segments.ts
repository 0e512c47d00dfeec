import {
  KEY_FACTOR,
  type ListSegments,
  type SegmentedTable,
  type SqlFunction,
  selectUniqueKey,
} from '@mintmark/server-kit'
import { type CountedOrder, createAmountOrder, createTimeOrder } from './segment-orders.ts'
import {
  type KeyRange,
  selectTransferKeys,
  TRANSFER_HISTORY,
  transferLists,
  transferSegmentFunctions,
} from './transfer-segments.ts'

/** A condition of all lists of a table. */
interface Condition {
  readonly column: string
  /** Returns its SQL for a row. */
  isListed(row: string): string
}

interface CountedTable extends SegmentedTable {
  readonly orders?: { readonly [column: string]: CountedOrder }
  /** Undefined if lists contain every row. */
  readonly condition: Condition | undefined
}

const existing: Condition = { column: 'deleted', isListed: (row) => `not ${row}.deleted` }
const owned: Condition = { column: 'quantity', isListed: (row) => `${row}.quantity > 0` }
const onShelf: Condition = { column: 'status', isListed: (row) => `${row}.status = 'ON'` }
const signed: Condition = { column: 'uid', isListed: (row) => `${row}.uid <> ''` }

/** The lists of listings. */
const shelves = [['market_type'], ['market_type', 'nft_address'], ['market_type', 'seller']]
/** The lists of listings with ranges of prices. */
const pricedShelves = [...shelves, ['market_type', 'pay_token_address']]

/**
 * The tables whose long lists are counted in segments. A writer looks up each list that a row is added to or
 * removed from. A migration that removes a list deletes its segments: without its trigger they would be wrong
 * when a later version adds it again.
 */
const tables: { readonly [relation: string]: CountedTable } = {
  address_book: { column: 'created_at', lists: [['owner']], condition: undefined },
  assets: {
    column: 'created_at',
    lists: [[], ['owner'], ['nft_address'], ['nft_type']],
    condition: owned,
  },
  card_verifications: {
    column: 'created_at',
    lists: [['program'], ['program', 'card_id'], ['program', 'verifier'], ['program', 'store']],
    condition: undefined,
  },
  cards: {
    column: 'id',
    lists: [
      ['program'],
      ['program', 'creator'],
      ['program', 'nft_address'],
      ['program', 'nft_address', 'nft_id'],
    ],
    orders: {
      start_time: createTimeOrder('start_time', [['program']]),
      end_time: createTimeOrder('end_time', [['program']]),
    },
    condition: existing,
  },
  contracts: { column: 'created_at', lists: [[], ['owner'], ['nft_type']], condition: existing },
  fans: { column: 'created_at', lists: [['fan'], ['address']], condition: undefined },
  lazy_nfts: { column: 'created_at', lists: [['contract_id']], condition: existing },
  listings: {
    column: 'created_at',
    lists: shelves,
    orders: {
      price_key: createAmountOrder('pay_price', pricedShelves),
      end_time: createTimeOrder('end_time', [['market_type']]),
    },
    condition: onShelf,
  },
  mint_reservations: {
    column: 'created_at',
    lists: [['collection_id'], ['collection_id', 'recipient']],
    condition: signed,
  },
  mint_whitelist: { column: 'created_at', lists: [['phase_id']], condition: undefined },
  nfts: { column: 'created_at', lists: [[], ['nft_address'], ['creator']], condition: existing },
  offers: {
    column: 'created_at',
    lists: [['offerer']],
    orders: { total_key: createAmountOrder('total_price', [['offerer']]) },
    condition: undefined,
  },
  orders: {
    column: 'created_at',
    lists: [
      [],
      ['status'],
      ['market_type'],
      ['status', 'market_type'],
      ['recipient'],
      ['recipient', 'status'],
      ['sender', 'status'],
    ],
    condition: existing,
  },
}

export const listSegments: ListSegments = {
  schema: 'gateway',
  segments: 'list_segments',
  changes: 'list_segment_changes',
  resets: 'list_segment_resets',
  uses: 'list_segment_uses',
  request: 'request_list_segments',
  tables: { ...tables, [TRANSFER_HISTORY]: transferLists },
}

/** The lists with segments, by their tables and columns. */
export const segmentedLists = Object.entries(listSegments.tables).flatMap(
  ([relation, { lists, orders = {} }]) => [
    ...lists.map((columns) => ({ relation, field: columns.join() })),
    ...Object.entries(orders).flatMap(([column, order]) =>
      order.lists.map((columns) => ({ relation, field: `${columns.join()} by ${column}` })),
    ),
  ],
)

/** The rows of a list between two keys. */
interface SegmentRows extends KeyRange {
  readonly relation: string
  /** The values of the columns: see `createValue`. */
  readonly value: string
  readonly project: string
}

/**
 * Selects the keys of the rows of a segment, with the column `position` that orders them. Throws for a list
 * that has no segments.
 *
 * @param quote Returns the SQL literal of a text.
 */
export function selectKeys(rows: SegmentRows, quote: (text: string) => string): string {
  const { relation, field, value, project, start, next } = rows
  if (!segmentedLists.some((list) => list.relation === relation && list.field === field))
    throw new Error(`${relation} (${field}) is no list with segments`)
  const [list = '', column = ''] = field.split(' by ')
  const columns = list === '' ? [] : list.split(',')
  const values: readonly string[] = columns.length > 1 ? JSON.parse(value) : [value]
  const table = tables[relation]
  if (table === undefined) return selectTransferKeys(rows, values.map(quote))
  const order = table.orders?.[column]
  if (order !== undefined)
    return selectOrderedKeys({ ...rows, table, order, column, columns, values: values.map(quote) })
  const conditions = [
    `r.project_id = ${project}`,
    isListed(table, 'r'),
    ...columns.map((column, index) => `r.${column} = ${quote(values[index] ?? '')}`),
    `r.${table.column} >= ${fromKey(table, start)}`,
    `(${next} is null or r.${table.column} < ${fromKey(table, next)})`,
  ]
  return `select ${createKey(table, 'r')} as key, r.${table.column} as position
    from gateway.${relation} r where ${conditions.join(' and ')}`
}

interface OrderedRows extends SegmentRows {
  readonly table: CountedTable
  readonly order: CountedOrder
  /** The column of the order. */
  readonly column: string
  readonly columns: readonly string[]
  readonly values: readonly string[]
}

/** Selects the first unique keys of a list, from the index that has the rows in their order. */
function selectOrderedKeys(rows: OrderedRows): string {
  const { relation, project, start, next, limit, table, order, column, columns, values } = rows
  const ofList = ['project_id', ...columns].map((name) => `r.${name}`).join(', ')
  const names = `${ofList}, r.${column}, r.id`
  const bound = [project, ...values].join(', ')
  const createBound = (key: string) =>
    `${bound}, ${order.selectValue(`div(${key}, ${KEY_FACTOR})`)}, mod(${key}, ${KEY_FACTOR})::bigint`
  return `select key, key as position from (
    select ${selectUniqueKey(order, 'r')} as key from gateway.${relation} r
    where ${isListed(table, 'r')} and (${names}) >= (${createBound(start)}) and (${ofList}) <= (${bound})
      and (${next} is null or (${names}) < (${createBound(next)}))
    order by ${names} limit ${limit}) as listed`
}

/** Returns the SQL condition that lists contain a row. */
const isListed = ({ condition }: CountedTable, row: string): string => condition?.isListed(row) ?? 'true'

/** Returns the SQL of the key of a row: its id, or its creation time in microseconds. */
const createKey = ({ column }: SegmentedTable, row: string): string =>
  column === 'id' ? `${row}.id` : `(extract(epoch from ${row}.${column}) * 1000000)::bigint`

/** Returns the SQL of the column value that begins with a key. */
const fromKey = ({ column }: SegmentedTable, key: string): string =>
  column === 'id' ? `(${key})::bigint` : `'epoch'::timestamptz + (${key})::bigint * interval '1 microsecond'`

/**
 * Returns the SQL of the value of a list that a row belongs to: a column as text, several as a JSON array.
 */
function createValue(columns: readonly string[], row: string): string {
  const values = columns.map((column) => `${row}.${column}::text`)
  if (values.length === 0) return "''"
  return values.length === 1 ? values.join() : `json_build_array(${values.join(', ')})::text`
}

/** Returns the SQL of the lists that a row belongs to, with its key in each. */
function createLists(table: CountedTable, row: string): string {
  const { lists, orders = {} } = table
  const rows = [
    ...lists.map((columns) => [`'${columns.join()}'`, createValue(columns, row), createKey(table, row)]),
    ...Object.entries(orders).flatMap(([column, order]) =>
      order.lists.map((columns) => [
        `'${columns.join()} by ${column}'`,
        createValue(columns, row),
        selectUniqueKey(order, row),
      ]),
    ),
  ]
  return `(values ${rows.map((values) => `(${values.join(', ')})`).join(', ')}) as list (field, value, key)`
}

/**
 * The functions, and their triggers, that record the rows that are added to lists with segments or removed
 * from them.
 */
export const listSegmentFunctions: readonly SqlFunction[] = [
  ...Object.entries(tables).map(([relation, table]) => createFunction(relation, table)),
  ...transferSegmentFunctions,
]

function createFunction(relation: string, table: CountedTable): SqlFunction {
  const name = `record_${relation}_in_lists`
  const orders = Object.values(table.orders ?? {})
  const ofOrders = orders.flatMap(({ sources, lists }) => [...sources, ...lists.flat()])
  const columns = [...new Set([...table.lists.flat(), table.column, ...ofOrders])]
  const watched = table.condition === undefined ? columns : [table.condition.column, ...columns]
  const createState = (row: 'old' | 'new') =>
    [isListed(table, row), ...columns.map((column) => `${row}.${column}`)].join(', ')
  const selectImage = (row: 'old' | 'new', change: number) => `
        select ${row}.project_id, list.field, list.value, list.key, ${change} as change
        from ${createLists(table, row)} where ${isListed(table, row)}`
  return {
    name,
    // A transaction that sees an old snapshot does not see which lists have got segments since. The job
    // ignores changes of the others.
    sql: `
-- Records the lists with segments that rows of gateway.${relation} are added to, and those that they are removed from.
create or replace function gateway.${name}() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
declare
  sees_segments constant boolean := current_setting('transaction_isolation') = 'read committed';
begin
  if tg_op = 'UPDATE' then
    -- Most projects have no list with segments.
    if sees_segments and not exists (
      select from gateway.list_segments s where s.project_id = new.project_id and s.relation = '${relation}' offset 0
    ) then
      return null;
    end if;
    insert into gateway.list_segment_changes (project_id, relation, field, value, key, change)
      select c.project_id, '${relation}', c.field, c.value, c.key, c.change from (
        -- Lists that the row stays in are not looked up.
        select image.project_id, image.field, image.value, image.key, sum(image.change) as change from (${selectImage('old', -1)}
          union all${selectImage('new', 1)}
        ) as image
        group by image.project_id, image.field, image.value, image.key having sum(image.change) <> 0
      ) as c
      where ${hasSegments(relation, 'c', 'c')};
    return null;
  end if;
  if sees_segments and not exists (
    select from gateway.list_segments s
    where s.project_id in (select r.project_id from changed r) and s.relation = '${relation}' offset 0
  ) then
    return null;
  end if;
  insert into gateway.list_segment_changes (project_id, relation, field, value, key, change)
    select r.project_id, '${relation}', list.field, list.value, list.key, case tg_op when 'INSERT' then 1 else -1 end
    from changed r cross join lateral ${createLists(table, 'r')}
    where ${isListed(table, 'r')} and ${hasSegments(relation, 'r', 'list')};
  return null;
end $$;

create or replace trigger ${name} after insert on gateway.${relation}
  referencing new table as changed for each statement execute function gateway.${name}();
create or replace trigger ${name}_on_delete after delete on gateway.${relation}
  referencing old table as changed for each statement execute function gateway.${name}();
create or replace trigger ${name}_on_update after update of ${watched.join(', ')} on gateway.${relation}
  for each row when ((${createState('old')}) is distinct from (${createState('new')})) execute function gateway.${name}();
`,
  }
}

/**
 * Returns the SQL condition that a list has segments.
 *
 * @param row The name of the row with the project.
 * @param list The name of the row with the field and the value of the list.
 */
function hasSegments(relation: string, row: string, list: string): string {
  return `octet_length(${list}.value) <= 1000 and (not sees_segments or exists (
        select from gateway.list_segments s
        where s.project_id = ${row}.project_id and s.relation = '${relation}' and s.field = ${list}.field and s.value = ${list}.value
          and s.start = 0
        offset 0))`
}
