import type pg from 'pg'

/**
 * Tables that describe the chain, which is not reverted, and those of the schemas themselves. The servers
 * continue with them: a restored nonce would be used twice, and a restored deposit would be credited twice.
 */
const KEPT_TABLES: ReadonlySet<string> = new Set([
  'gateway.migrations',
  'gateway.sql_functions',
  'gateway.chain_balances',
  'gateway.chain_blocks',
  'gateway.chain_cursors',
  'gateway.chain_transfers',
  'gateway.indexed_contracts',
  'gateway.used_signatures',
  'facilitator.migrations',
  'facilitator.sql_functions',
  'facilitator.audited_blocks',
  'facilitator.audits',
  'facilitator.chain_heads',
  'facilitator.deposit_cursors',
  'facilitator.deposits',
  'facilitator.observed_deposits',
  'facilitator.signer_nonces',
  'facilitator.treasury_withdrawals',
])

/** Tables of the job queues that contain settings and statistics. */
const JOB_TABLES: ReadonlySet<string> = new Set(['gateway_jobs.job', 'facilitator_jobs.job'])

/**
 * Deletes all rows of tables. Most tables of a test are empty, which their files, or those of their
 * partitions, show sooner than a statement does. Triggers, and those of foreign keys, do not run for a
 * replica: append-only tables refuse changes, and others would report events.
 */
const DELETE_ROWS = `
create or replace procedure sandbox.delete_rows(tables text[]) language plpgsql as $$
declare
  name text;
begin
  set local session_replication_role = replica;
  foreach name in array tables loop
    if pg_catalog.pg_relation_size(name::regclass) > 0
      or (select sum(pg_catalog.pg_relation_size(relid)) from pg_catalog.pg_partition_tree(name::regclass)) > 0 then
      execute 'delete from ' || name;
    end if;
  end loop;
end $$`

/** Drops the snapshots of an earlier start of the same database. */
const DROP_SNAPSHOTS = `
do $$
declare
  name text;
begin
  for name in select nspname from pg_catalog.pg_namespace where nspname ~ '^sandbox_snapshot_' loop
    execute format('drop schema %I cascade', name);
  end loop;
end $$`

/**
 * Waits for the transaction in which a gateway stores events. It has only read the changes that the events
 * are made from, so that the locks of tables would not end it before a restore deletes them.
 */
const WAIT_FOR_EVENTS = `
do $$ begin perform pg_catalog.pg_advisory_xact_lock(hashtextextended('gateway.events', 0)); end $$;`

/** The events of both servers, by the ids of their webhooks. */
const LIST_EVENTS = `
select 'evt_' || project_id || '_' || sequence as id, occurred_at from gateway.events
union all select 'evt_' || id, occurred_at from facilitator.events;`

/** How often rows are deleted before their space is reclaimed. */
const RESTORES_PER_VACUUM = 20
/**
 * A transaction of a server that has read rows and then writes may deadlock with a restore. One of the two is
 * repeated.
 */
const DEADLOCK = '40P01'
const SQLSTATE = /^[0-9A-Z]{5}$/
/** PostgreSQL ended the connection. */
const CONNECTION_ENDED = /^(08|57P)/
const MAX_ATTEMPTS = 10

interface Table {
  readonly name: string
  /** Without generated columns. */
  readonly columns: string
}

/** An event of either server. The gateway's ids are used again after a restore, at another time. */
export interface EventKey {
  readonly id: string
  readonly time: string
}

/** The rows of a moment. */
export interface RowSnapshot {
  /** Returns the events that it removed. Their webhooks may still be in progress. */
  restore(): Promise<readonly EventKey[]>
}

/** Saves and restores the rows of both servers in a database. */
export class RowSnapshots {
  readonly #admin: pg.Pool
  readonly #tables: readonly Table[]
  #saved = 0
  #restored = 0

  private constructor(admin: pg.Pool, tables: readonly Table[]) {
    this.#admin = admin
    this.#tables = tables
  }

  /** @param admin Connections of a superuser. */
  static async open(admin: pg.Pool): Promise<RowSnapshots> {
    await admin.query(DROP_SNAPSHOTS)
    await admin.query(DELETE_ROWS)
    const { rows } = await admin.query<Table>(`
      select c.oid::regclass::text as name,
        (select string_agg(format('%I', a.attname), ', ' order by a.attnum) from pg_catalog.pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition
        and n.nspname in ('gateway', 'facilitator', 'gateway_jobs', 'facilitator_jobs')
      order by 1`)
    // A server adds and drops partitions meanwhile.
    const isRestored = ({ name }: Table) =>
      name.includes('_jobs.') ? JOB_TABLES.has(name) : !KEPT_TABLES.has(name)
    return new RowSnapshots(admin, rows.filter(isRestored))
  }

  /** Saves the present rows. */
  async save(): Promise<RowSnapshot> {
    this.#saved += 1
    const schema = `sandbox_snapshot_${this.#saved}`
    const filled = await this.#repeatWhileInterrupted(async (client) => {
      await client.query(
        `begin isolation level repeatable read; drop schema if exists ${schema} cascade; create schema ${schema}`,
      )
      const tables = await this.#listFilled(client)
      const copies = tables.map(
        ({ name, columns }) => `create table ${schema}."${name}" as select ${columns} from ${name}`,
      )
      // One request: the servers, which run in this process, would delay each response.
      await client.query([...copies, 'commit'].join(';\n'))
      return tables
    })
    const script = this.#createRestore(schema, filled)
    return { restore: () => this.#restore(script) }
  }

  async #listFilled(client: pg.PoolClient): Promise<readonly Table[]> {
    const checks = this.#tables.map(
      ({ name }) => `select '${name}' as name where exists (select from ${name})`,
    )
    const { rows } = await client.query<{ name: string }>(checks.join(' union all '))
    const filled = new Set(rows.map(({ name }) => name))
    return this.#tables.filter(({ name }) => filled.has(name))
  }

  #createRestore(schema: string, filled: readonly Table[]): string {
    const names = this.#tables.map(({ name }) => name)
    return [
      'begin;',
      WAIT_FOR_EVENTS,
      // Ends the transactions that write, so that none of them adds rows afterwards.
      `lock table ${names.join(', ')} in exclusive mode;`,
      LIST_EVENTS,
      `call sandbox.delete_rows('{${names.join(',')}}');`,
      ...filled.map(
        ({ name, columns }) =>
          `insert into ${name} (${columns}) overriding system value select ${columns} from ${schema}."${name}";`,
      ),
      LIST_EVENTS,
      'commit',
    ].join('\n')
  }

  async #restore(script: string): Promise<readonly EventKey[]> {
    const results = await this.#repeatWhileInterrupted(async (client) => {
      // A script of several statements has a result for each.
      return (await client.query(script)) as unknown as readonly pg.QueryResult<EventRow>[]
    })
    this.#restored += 1
    if (this.#restored % RESTORES_PER_VACUUM === 0) {
      await this.#admin.query(`vacuum ${this.#tables.map(({ name }) => name).join(', ')}`)
    }
    return listRemovedEvents(results)
  }

  /** Runs a transaction that can be repeated, on a new connection each time. */
  async #repeatWhileInterrupted<Result>(run: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      const client = await this.#admin.connect()
      try {
        const result = await run(client)
        client.release()
        return result
      } catch (error) {
        // PostgreSQL rolls back when the connection ends.
        client.release(true)
        if (!isInterruption(error) || attempt === MAX_ATTEMPTS) throw error
      }
    }
  }
}

interface EventRow {
  readonly id: string
  readonly occurred_at: Date
}

/** Lists the events before a restore that are not there after it. */
function listRemovedEvents(results: readonly pg.QueryResult<EventRow>[]): EventKey[] {
  const [before = [], after = []] = results
    .filter(({ command }) => command === 'SELECT')
    .map(({ rows }) => rows.map((row) => ({ id: row.id, time: row.occurred_at.toISOString() })))
  const kept = new Set(after.map(({ id, time }) => `${id} ${time}`))
  return before.filter(({ id, time }) => !kept.has(`${id} ${time}`))
}

/** Whether a transaction lost a deadlock or its connection. */
function isInterruption(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  return code === DEADLOCK || !SQLSTATE.test(code) || CONNECTION_ENDED.test(code)
}
