import { sql } from 'kysely'
import type { TestGateway } from './gateway.ts'

/** Columns that identify the subject of a row, whether or not they belong to a unique index. */
const IDENTITY_COLUMNS = ['chain_id', 'nft_address', 'nft_id', 'creator']
/** The distance of the ids of consecutive copies. */
const ID_STEP = 1_000_000

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  /** It belongs to a unique index. */
  readonly unique: boolean
  /** It has a check constraint of its own, such as a list of values. */
  readonly checked: boolean
  /** The table that it refers to by its id. */
  readonly target: string | null
}

/** Turns autovacuum off for every table, so that no table ever has statistics. */
export async function keepWithoutStatistics({ owner }: TestGateway): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'gateway'::regnamespace and relkind = 'r'`.execute(
    owner.system,
  )
  for (const { name } of rows) {
    await sql`alter table ${sql.table(`gateway.${name}`)} set (autovacuum_enabled = false)`.execute(
      owner.system,
    )
  }
}

/** The tables among these that were analyzed or vacuumed, and so have statistics. */
export async function withStatistics({ owner }: TestGateway, tables: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'gateway'::regnamespace and relname = any(${[...tables]}::text[]) and reltuples <> -1`.execute(
    owner.system,
  )
  return rows.map(({ name }) => name)
}

/**
 * The tables of projects that these tables and views read, by the catalog, and those whose ids theirs are: a
 * view of a message has the message's id.
 */
export async function projectTablesOf({ owner }: TestGateway, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with mentioned as (
      select unnest(${[...names]}::text[]) as name
      union
      select table_name from information_schema.view_table_usage
      where view_schema = 'gateway' and view_name = any(${[...names]}::text[])
    ), related as (
      select name from mentioned
      union
      select f.relname from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
        join mentioned on mentioned.name = c.relname
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[cardinality(k.conkey)]
      where c.relnamespace = 'gateway'::regnamespace and k.contype = 'f' and a.attname = 'id'
    )
    select c.relname as name from pg_class c join related on related.name = c.relname
    where c.relnamespace = 'gateway'::regnamespace and c.relkind in ('r', 'p')
      and exists (select from pg_attribute where attrelid = c.oid and attname = 'project_id')
    order by 1`.execute(owner.system)
  return rows.map(({ name }) => name)
}

/**
 * Copies a project's rows of some tables `copies` times. Each copy has ids, references to other copied rows
 * and identity columns of its own, and keeps the values that `pinned` holds, so that what a list of those
 * values finds grows with the copies.
 */
export async function copyRows(
  { owner }: TestGateway,
  project: number,
  tables: readonly string[],
  pinned: readonly string[],
  copies: number,
): Promise<void> {
  const columns = await columnsOf(owner.system, tables)
  const checked = columns.filter((column) => column.checked).map(({ name }) => name)
  const unique = columns.filter((column) => column.unique).map(({ name }) => name)
  const names = new Set([...unique, ...IDENTITY_COLUMNS].filter((name) => !checked.includes(name)))
  await owner.system.connection().execute(async (db) => {
    // Copies need neither triggers nor foreign keys, because referenced rows are copied too.
    await sql`set session_replication_role = replica`.execute(db)
    for (const table of tables) {
      const own = columns.filter((column) => column.table === table)
      const values = own.map((column) => copyOf(column, names, tables, pinned))
      await sql`
        insert into ${sql.table(`gateway.${table}`)} (${sql.join(own.map(({ name }) => sql.ref(name)))})
        overriding system value
        select ${sql.join(values)} from ${sql.table(`gateway.${table}`)} t, generate_series(1, ${copies}::int) n
        where t.project_id = ${project} on conflict do nothing`.execute(db)
    }
    await sql`reset session_replication_role`.execute(db)
  })
}

function copyOf(
  { name, type, unique, target }: Column,
  names: ReadonlySet<string>,
  tables: readonly string[],
  pinned: readonly string[],
) {
  const value = sql.ref(`t.${name}`)
  const refersToCopy = target !== null && tables.includes(target)
  if (name === 'id' || refersToCopy) return sql`${value} + n * ${ID_STEP}::bigint`
  if (name === 'project_id' || target !== null) return value
  if (type === 'bigint' && unique) return sql`${value} + n`
  if (type !== 'text' || !names.has(name)) return value
  return sql`case when ${value} = '' or ${value} = any(${[...pinned]}::text[]) then ${value} else ${value} || '~' || n end`
}

async function columnsOf(db: TestGateway['owner']['system'], tables: readonly string[]): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select c.relname as "table", a.attname as name, format_type(a.atttypid, null) as type,
      exists (select from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum = any(i.indkey)) as unique,
      exists (
        select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]) as checked,
      (select f.relname from pg_constraint k join pg_class f on f.oid = k.confrelid
        join pg_attribute key on key.attrelid = f.oid and key.attnum = k.confkey[cardinality(k.confkey)]
        where k.conrelid = c.oid and k.contype = 'f' and k.conkey[cardinality(k.conkey)] = a.attnum and key.attname = 'id'
          and a.attname <> 'project_id' limit 1) as target
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'gateway'::regnamespace and c.relname = any(${[...tables]}::text[])
    order by c.relname, a.attnum`.execute(db)
  return rows
}
