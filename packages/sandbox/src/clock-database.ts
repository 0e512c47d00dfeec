import pg from 'pg'

/**
 * PostgreSQL's clock functions, ahead by what `sandbox.clock` contains. They precede PostgreSQL's own in the
 * search path. The defaults of columns call them too, because the schemas are migrated with this path.
 */
const CLOCK = `
create schema if not exists sandbox;
create table if not exists sandbox.clock (ahead interval not null);
insert into sandbox.clock select interval '0' where not exists (select from sandbox.clock);
create or replace function sandbox.clock_timestamp() returns timestamptz language sql volatile as
  $$ select pg_catalog.clock_timestamp() + c.ahead from sandbox.clock c $$;
create or replace function sandbox.statement_timestamp() returns timestamptz language sql stable as
  $$ select pg_catalog.statement_timestamp() + c.ahead from sandbox.clock c $$;
create or replace function sandbox.transaction_timestamp() returns timestamptz language sql stable as
  $$ select pg_catalog.transaction_timestamp() + c.ahead from sandbox.clock c $$;
create or replace function sandbox.now() returns timestamptz language sql stable as
  $$ select pg_catalog.now() + c.ahead from sandbox.clock c $$;
grant usage on schema sandbox to public;
grant select on sandbox.clock to public;
`

/** Functions with a search path of their own would read PostgreSQL's clock. */
const FUNCTIONS_WITH_PATH = `
select p.oid::regprocedure::text as signature
from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
where n.nspname in ('gateway', 'facilitator') and 'search_path=pg_catalog, pg_temp' = any (p.proconfig)`

/** The job queues read the time by a function of their own. */
const JOB_CLOCKS = ['gateway_jobs', 'facilitator_jobs']
  .map(
    (schema) =>
      `create or replace function ${schema}.job_now() returns timestamptz language sql stable as $$ select sandbox.now() $$;`,
  )
  .join('\n')

/** Returns a connection string whose sessions read the sandbox's clock. */
export function withSandboxClock(url: string): string {
  const clocked = new URL(url)
  clocked.searchParams.set('options', '-c search_path=sandbox,pg_catalog,public')
  return clocked.href
}

/**
 * Adds the sandbox's clock to a database, then migrates it. Idempotent.
 *
 * @param url Connection string of a superuser.
 */
export async function migrateWithClock(url: string, migrate: (url: string) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  // It waits for the migration, and without a listener the error would end the process. The next query fails
  // with it.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(CLOCK)
    await migrate(withSandboxClock(url))
    await client.query(JOB_CLOCKS)
    const { rows } = await client.query<{ signature: string }>(FUNCTIONS_WITH_PATH)
    for (const { signature } of rows) {
      await client.query(`alter function ${signature} set search_path = sandbox, pg_catalog, pg_temp`)
    }
  } finally {
    await client.end()
  }
}

/** Reads how many milliseconds the clock is ahead of the system's. */
export async function readAhead(admin: pg.Pool): Promise<number> {
  const { rows } = await admin.query<{ milliseconds: number }>(
    'select (extract(epoch from ahead) * 1000)::float8 as milliseconds from sandbox.clock',
  )
  return rows[0]?.milliseconds ?? 0
}
