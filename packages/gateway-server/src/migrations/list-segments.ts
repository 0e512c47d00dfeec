import type { ListSegments, SegmentedTable, SqlFunction } from '@mintmark/server-kit'

interface CountedTable extends SegmentedTable {
  /** Whether the table has a column `deleted`. Lists do not contain removed rows. */
  readonly hasRemoved: boolean
}

/** Returns the SQL condition that lists contain a row. */
const isListed = ({ hasRemoved }: CountedTable, row: string): string =>
  hasRemoved ? `not ${row}.deleted` : 'true'

/**
 * The tables whose lists are counted in segments: all orders and those of each status or kind of sale, the cards and the verifications of each program, and all NFTs
 * and those of each contract.
 */
const tables: { readonly [relation: string]: CountedTable } = {
  orders: { column: 'created_at', fields: ['', 'status', 'market_type'], hasRemoved: true },
  cards: { column: 'id', fields: ['program'], hasRemoved: true },
  card_verifications: { column: 'created_at', fields: ['program'], hasRemoved: false },
  nfts: { column: 'created_at', fields: ['', 'nft_address'], hasRemoved: true },
}

export const listSegments: ListSegments = {
  schema: 'gateway',
  segments: 'list_segments',
  changes: 'list_segment_changes',
  tables,
}

/** The rows of a list between two keys. */
interface SegmentRows {
  readonly relation: string
  readonly field: string
  /** A literal of the field's value. */
  readonly value: string
  readonly project: string
  readonly start: string
  /** The SQL of the next segment's first key, which may be null. */
  readonly next: string
}

/** Selects the keys of the rows of a segment, each with the number of rows that have lower keys. Returns undefined for a table without segments. */
export function selectKeys({
  relation,
  field,
  value,
  project,
  start,
  next,
}: SegmentRows): string | undefined {
  const table = tables[relation]
  if (table === undefined) return undefined
  const isOfList = field === '' ? '' : `and r.${field} = ${value}`
  return `
    select ${createKey(table, 'r')} as key, rank() over (order by r.${table.column}) - 1 as place from gateway.${relation} r
    where r.project_id = ${project} and ${isListed(table, 'r')} ${isOfList} and r.${table.column} >= ${fromKey(table, start)}
      and (${next} is null or r.${table.column} < ${fromKey(table, next)})`
}

/** Returns the SQL of the key of a row: its id, or its creation time in microseconds. */
const createKey = ({ column }: SegmentedTable, row: string): string =>
  column === 'id' ? `${row}.id` : `(extract(epoch from ${row}.${column}) * 1000000)::bigint`

/** Returns the SQL of the column value that begins with a key. */
const fromKey = ({ column }: SegmentedTable, key: string): string =>
  column === 'id' ? key : `'epoch'::timestamptz + ${key} * interval '1 microsecond'`

/** Returns the SQL of the lists that a row belongs to. */
const createLists = ({ fields }: SegmentedTable, row: string): string => {
  const lists = fields.map((field) => (field === '' ? `('', '')` : `('${field}', ${row}.${field}::text)`))
  return `(values ${lists.join(', ')}) as list (field, value)`
}

/** The functions, and their triggers, that record the rows that are added to lists or removed from them. */
export const listSegmentFunctions: readonly SqlFunction[] = Object.entries(tables).map(([relation, table]) =>
  createFunction(relation, table),
)

function createFunction(relation: string, table: CountedTable): SqlFunction {
  const name = `record_${relation}_in_lists`
  const select = (row: 'old' | 'new', otherOperation: string, change: number) => `
      select ${row}.project_id, list.field, list.value, ${createKey(table, row)} as key, ${change} as change
      from ${createLists(table, row)}
      where tg_op <> '${otherOperation}' and ${isListed(table, row)}`
  const fields = table.fields.filter((field) => field !== '')
  const columns = [...(table.hasRemoved ? ['deleted'] : []), ...fields, table.column]
  return {
    name,
    sql: `
-- Records the lists that a row of gateway.${relation} is added to, and those that it is removed from.
create or replace function gateway.${name}() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into gateway.list_segment_changes (project_id, relation, field, value, key, change)
    select project_id, '${relation}', field, value, key, sum(change) from (${select('old', 'INSERT', -1)}
      union all${select('new', 'DELETE', 1)}
    ) as row_change group by project_id, field, value, key having sum(change) <> 0;
  return null;
end $$;

create or replace trigger ${name} after insert or delete or update of ${columns.join(', ')} on gateway.${relation}
  for each row execute function gateway.${name}();
`,
  }
}
