import { createHash } from 'node:crypto'
import { createTestDatabase, type TestDatabase } from '@mintmark/sandbox/postgres'
import { type MigrationPlan, migrate } from '@mintmark/server-kit'
import pg from 'pg'

/**
 * The clock functions that the schema uses, with the time of the simulation. They precede PostgreSQL's own in
 * the search path, also for the defaults of columns, because the schema is migrated with this path. Each
 * reading is a microsecond later, so that rows have an order.
 */
const CLOCK_FUNCTIONS = ['clock_timestamp', 'statement_timestamp', 'transaction_timestamp', 'now']
  .map(
    (name) => `
      create function simulation.${name}() returns timestamptz language sql volatile as $$
        select coalesce(nullif(current_setting('simulation.now', true), '')::timestamptz, pg_catalog.clock_timestamp())
          + nextval('simulation.ticks') * interval '1 microsecond'
      $$;`,
  )
  .join('')

const SEARCH_PATH = '-c search_path=simulation,pg_catalog,public'

/** Creates a database with a schema whose functions read the simulation's clock. */
export async function createSimulationDatabase(plan: MigrationPlan): Promise<TestDatabase> {
  const functions = createHash('sha256').update(JSON.stringify(plan.functions ?? []))
  // A mutation of a function needs a template of its own.
  const name = `${plan.schema}_simulation_${functions.digest('hex').slice(0, 8)}`
  const { url, drop } = await createTestDatabase({ name, prepare: (created) => prepare(created, plan) })
  return { url: addSearchPath(url), drop }
}

function addSearchPath(url: string): string {
  const simulated = new URL(url)
  simulated.searchParams.set('options', SEARCH_PATH)
  return simulated.href
}

async function prepare(url: string, plan: MigrationPlan): Promise<void> {
  await execute(
    url,
    `create schema simulation; create sequence simulation.ticks cache 1;
      grant usage on schema simulation to public; grant usage on sequence simulation.ticks to public;
      ${CLOCK_FUNCTIONS}`,
  )
  await migrate(addSearchPath(url), plan)
  await execute(url, simulateFunctionClocks(plan.schema))
  await execute(url, stopAutovacuum(plan.schema))
}

async function execute(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statements)
  } finally {
    await client.end()
  }
}

/** Functions with a search path of their own read PostgreSQL's clock otherwise. */
const simulateFunctionClocks = (schema: string) => `
  do $$
  declare
    name text;
  begin
    for name in select p.oid::regprocedure from pg_proc p
        where p.pronamespace = '${schema}'::regnamespace and p.proconfig::text like '%search_path%' loop
      execute format('alter function %s set search_path = simulation, pg_catalog, pg_temp', name);
    end loop;
  end $$`

/**
 * An autovacuum locks a table while it returns pages at its end. A statement would wait for it, and not for a
 * transaction of the simulation.
 */
const stopAutovacuum = (schema: string) => `
  do $$
  declare
    name text;
  begin
    for name in select c.oid::regclass from pg_class c
        where c.relkind = 'r' and c.relnamespace in ('${schema}'::regnamespace, 'simulation'::regnamespace) loop
      execute format('alter table %s set (autovacuum_enabled = false)', name);
    end loop;
  end $$`

/** Restores the rows that the tables had when it was created. */
export interface TableReset {
  reset(): Promise<void>
  close(): Promise<void>
}

/** How many resets may leave dead rows behind. */
const RESETS_PER_VACUUM = 50

/** Saves the rows of all tables, to which every simulation returns. */
export async function createTableReset(url: string, { schema }: MigrationPlan): Promise<TableReset> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // The rows of partitions are those of their tables. Generated columns cannot be written.
  const { rows: tables } = await client.query<{ name: string; columns: string }>(`
    select t.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class t
    join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where t.relnamespace = '${schema}'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
      and t.relname not in ('migrations', 'sql_functions')
    group by t.relname order by t.relname`)
  const filled: (typeof tables)[number][] = []
  for (const table of tables) {
    const { name, columns } = table
    await client.query(`create table simulation.${name} as select ${columns} from ${schema}.${name}`)
    const { rowCount } = await client.query(`select from simulation.${name} limit 1`)
    if (rowCount !== 0) filled.push(table)
  }
  const { rows: sequences } = await client.query<{ name: string; value: string }>(`
    select sequencename as name, coalesce(last_value, 0) as value from pg_sequences where schemaname = '${schema}'
    order by sequencename`)
  const statements = [
    ...tables.map(({ name }) => `delete from ${schema}.${name};`),
    ...filled.map(
      ({ name, columns }) =>
        `insert into ${schema}.${name} (${columns}) overriding system value select ${columns} from simulation.${name};`,
    ),
    ...sequences.map(
      ({ name, value }) => `perform setval('${schema}.${name}', ${Number(value) + 1}, false);`,
    ),
    "perform setval('simulation.ticks', 1);",
  ]
  // A function plans its statements once. Append-only tables refuse changes by triggers, which a replica does
  // not run.
  await client.query(`
    create function simulation.reset() returns void language plpgsql set session_replication_role = replica as $$
    begin
      ${statements.join('\n')}
    end $$`)
  const vacuum = `vacuum ${tables.map(({ name }) => `${schema}.${name}`).join(', ')}`
  let count = 0
  return {
    async reset() {
      await client.query('select simulation.reset()')
      count += 1
      if (count % RESETS_PER_VACUUM === 0) await client.query(vacuum)
    },
    close: () => client.end(),
  }
}
