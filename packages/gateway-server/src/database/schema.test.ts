import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../testing/gateway.ts'
import { migrations } from './migrations.ts'

/**
 * Tables whose rows belong to no project, each with the reason. On a distributed PostgreSQL they are reference
 * tables, or stay on one node.
 */
const GLOBAL_TABLES: Readonly<Record<string, string>> = {
  chain_balances: 'A chain is the same for all projects',
  chain_blocks: 'A chain is the same for all projects',
  chain_cursors: 'A chain is the same for all projects',
  chain_transfers: 'A chain is the same for all projects',
  indexed_contracts: 'A chain is the same for all projects',
  migrations: 'Belongs to the schema',
  operator_invitations: 'Operators serve all projects',
  people: 'A person has roles in any number of projects',
  people_accounts: 'Belongs to a person',
  people_challenges: 'Belongs to somebody who signs in',
  people_passkeys: 'Belongs to a person',
  people_rate_limits: 'Belongs to an address',
  people_second_factors: 'Belongs to a person',
  people_secret: 'Belongs to the server',
  people_sessions: 'Belongs to a person',
  projects: 'The projects themselves',
  session_ends: 'Belongs to the server',
  sql_functions: 'Belongs to the schema',
}

/** Tables of projects without row-level security: their rows say to which project a caller belongs. */
const AUTHENTICATION_TABLES = [
  'api_key_secrets',
  'api_keys',
  'invitations',
  'members',
  'publishable_keys',
  'used_signatures',
]

/** Unique without the project: authentication knows only these random values. */
const RANDOM_KEYS = [
  'api_keys_api_key_key',
  'invitations_token_hash_key',
  'publishable_keys_publishable_key_key',
]

/** Foreign keys of tables of projects to global tables, apart from the one to `projects`. */
const GLOBAL_REFERENCES = ['deliveries_transfer_id_fkey', 'members_person_id_fkey']

/**
 * Functions that jobs and metrics call for all projects. They run as the schema's owner, outside any project,
 * and read or postpone rows without combining rows of several projects. All other functions work on rows of
 * one project.
 */
const JOB_FUNCTIONS = [
  'claim_due_mints',
  'claim_due_orders',
  'collections_with_lapsed_mints',
  'count_shared_payments',
  'ended_auctions',
  'ended_listings',
  'ended_offers',
  'list_payment_uses',
  'oldest_stuck_orders',
  'oldest_unfinished_orders',
  'undecided_mints',
]

/**
 * They read an index that row-level security does not let the servers' role use, and limit themselves to the
 * project of the connection.
 */
const SEARCH_FUNCTIONS = ['search_cards', 'search_nfts']

/**
 * It reads the transfers of the contracts of the connection's project. `transfers.test.ts` tests what it
 * returns to others.
 */
const LIST_FUNCTIONS = ['list_transfer_ids']

/**
 * Triggers run for rows of one project, or record changes of rows without a project: for all lists, or for
 * the projects of a contract.
 */
const TRIGGER_FUNCTIONS = [
  'capture_changes',
  'capture_row_changes',
  'capture_transfers',
  'count_asset_reservations',
  'hold_project',
  'keep_card_stores',
  'set_time_due',
]

let gateway: TestGateway
let client: pg.Client
beforeAll(async () => {
  gateway = await testGateway()
  client = new pg.Client({ connectionString: gateway.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await gateway.close()
})

async function select<Row extends object>(text: string): Promise<Row[]> {
  return (await client.query<Row>(text)).rows
}

/** Tables of the gateway's schema, without the partitions of others. */
const IS_TABLE = `c.relnamespace = 'gateway'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`
const HAS_PROJECT = `exists (
  select from pg_attribute a where a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped)`
const IS_TENANT_TABLE = `${IS_TABLE} and ${HAS_PROJECT}`

it('limits the size of every text, array and JSON column of a tenant table', async () => {
  const rows = await select<{ name: string }>(`
    select c.relname || '.' || a.attname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where ${IS_TENANT_TABLE} and a.atttypid in ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype, 'json'::regtype)
      and not exists (
        select from pg_constraint k where k.conrelid = c.oid and k.contype in ('c', 'f') and a.attnum = any (k.conkey))
    order by 1`)
  expect(rows.map(({ name }) => name)).toEqual([])
})

it('compares times in SQL functions with that of the statement, so that an index finds the rows', async () => {
  // An index cannot find the rows of a comparison with a volatile function: the condition is checked for each row.
  const rows = await select<{ name: string }>(`
    select p.proname as name from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'gateway'::regnamespace and l.lanname = 'sql' and p.prosrc ~ '[<>]=? clock_timestamp'`)
  expect(rows).toEqual([])
})

it('refuses a longer text than a column without its own limit may have', async () => {
  await client.query(`insert into gateway.projects (name) values ('limited')`)
  const insert = client.query(`
    insert into gateway.token_data (project_id, nft, version, data, updated_by)
    select id, 1, 1, '{}', repeat('x', 32769) from gateway.projects where name = 'limited'`)
  await expect(insert).rejects.toThrow('token_data_sizes')
})

it('allows the servers to write no rows without row-level security but used signatures', async () => {
  const rows = await select<{ name: string }>(`
    select c.relname as name from pg_class c
    where ${IS_TABLE} and not exists (
        select from pg_policies p where p.schemaname = 'gateway' and p.tablename = c.relname and p.policyname = 'tenant')
      and (has_any_column_privilege('mintmark_gateway', c.oid, 'insert, update') or has_table_privilege('mintmark_gateway', c.oid, 'delete'))
    order by 1`)
  expect(rows.map(({ name }) => name)).toEqual(['used_signatures'])
})

it('has at most 200 indexes', async () => {
  const rows = await select<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'gateway'::regnamespace and relkind in ('i', 'I') and not relispartition`,
  )
  expect(rows.length).toBeLessThanOrEqual(200)
})

it('vacuums tables whose rows soon die before a fifth of them is dead', async () => {
  const rows = await select<{ name: string }>(`
    select relname as name from pg_class c cross join pg_options_to_table(reloptions) o
    where ${IS_TABLE} and o.option_name = 'autovacuum_vacuum_scale_factor' and o.option_value::float8 <= 0.02 order by 1`)
  expect(rows.map(({ name }) => name)).toEqual([
    'idempotency_keys',
    'order_checks',
    'row_changes',
    'webhook_deliveries',
  ])
})

it('names the operation or job that needs an index at its definition', () => {
  const unexplained = migrations.flatMap(({ up }) =>
    [...String(up).matchAll(/^(.*)\ncreate (?:unique )?index (\w+)/gm)].flatMap(([, before = '', name]) =>
      before.startsWith('-- ') ? [] : [name],
    ),
  )
  expect(unexplained).toEqual([])
})

it('the schema of the gateway on a distributed PostgreSQL has exactly the listed tables without a project', async () => {
  const rows = await select<{ name: string }>(
    `select c.relname as name from pg_class c where ${IS_TABLE} and not ${HAS_PROJECT} order by 1`,
  )
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(GLOBAL_TABLES))
})

it('the schema of the gateway on a distributed PostgreSQL protects every table of projects by row-level security, except the listed ones of authentication', async () => {
  const rows = await select<{ name: string }>(`
      select c.relname as name from pg_class c where ${IS_TENANT_TABLE} and not (c.relrowsecurity and exists (
        select from pg_policies p where p.schemaname = 'gateway' and p.tablename = c.relname and p.policyname = 'tenant'))
      order by 1`)
  expect(rows.map(({ name }) => name)).toEqual(AUTHENTICATION_TABLES)
})

it('the schema of the gateway on a distributed PostgreSQL begins the primary key of every table of projects with project_id', async () => {
  const rows = await select(`
      select c.relname as name from pg_class c
      where ${IS_TENANT_TABLE} and not exists (
        select from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
        where i.indrelid = c.oid and i.indisprimary and a.attname = 'project_id')`)
  expect(rows).toEqual([])
})

it('the schema of the gateway on a distributed PostgreSQL begins every unique index of a table of projects with project_id, except those of random keys', async () => {
  const rows = await select<{ name: string }>(`
      select k.relname as name from pg_class c join pg_index i on i.indrelid = c.oid join pg_class k on k.oid = i.indexrelid
      where ${IS_TENANT_TABLE} and i.indisunique and not exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'project_id' and a.attnum = i.indkey[0])
      order by 1`)
  expect(rows.map(({ name }) => name)).toEqual(RANDOM_KEYS)
})

it('the schema of the gateway on a distributed PostgreSQL connects tenant tables by project_id in every foreign key', async () => {
  const rows = await select<{ name: string }>(`
      select k.conname as name from pg_class c
      join pg_constraint k on k.conrelid = c.oid and k.contype = 'f'
      where ${IS_TENANT_TABLE} and k.confrelid <> 'gateway.projects'::regclass and not exists (
        select from unnest(k.conkey, k.confkey) as pair (own, other)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = pair.own and a.attname = 'project_id'
        join pg_attribute b on b.attrelid = k.confrelid and b.attnum = pair.other and b.attname = 'project_id')
      order by 1`)
  expect(rows.map(({ name }) => name)).toEqual(GLOBAL_REFERENCES)
})

it('the schema of the gateway on a distributed PostgreSQL refers to projects by project_id only', async () => {
  const rows = await select(`
      select k.conname as name from pg_class c join pg_constraint k on k.conrelid = c.oid and k.contype = 'f'
      where ${IS_TENANT_TABLE} and k.confrelid = 'gateway.projects'::regclass
        and pg_get_constraintdef(k.oid) not like 'FOREIGN KEY (project_id) %'`)
  expect(rows).toEqual([])
})

it.each(SEARCH_FUNCTIONS)(
  "the schema of the gateway on a distributed PostgreSQL limits %s to the rows of the connection's project",
  async (name) => {
    const [row] = await select<{ source: string }>(
      `select prosrc as source from pg_proc where pronamespace = 'gateway'::regnamespace and proname = '${name}'`,
    )
    expect(row?.source).toContain(`where t.project_id + 0 = current_setting('mintmark.project')::bigint`)
  },
)

it('the schema of the gateway on a distributed PostgreSQL has no functions across projects but those of jobs and metrics', async () => {
  const rows = await select<{ name: string; returns_trigger: boolean; definer: boolean }>(`
      select proname as name, prorettype = 'trigger'::regtype as returns_trigger, prosecdef as definer from pg_proc
      where pronamespace = 'gateway'::regnamespace order by proname`)
  expect(rows.filter((row) => row.returns_trigger).map(({ name }) => name)).toEqual(TRIGGER_FUNCTIONS)
  expect(rows.filter((row) => row.definer && !row.returns_trigger).map(({ name }) => name)).toEqual(
    [...JOB_FUNCTIONS, ...LIST_FUNCTIONS, ...SEARCH_FUNCTIONS].sort(),
  )
})

it.each(['keep_card_stores', 'count_asset_reservations'])(
  'the schema of the gateway on a distributed PostgreSQL limits the trigger %s to the rows of one project',
  async (name) => {
    const [row] = await select<{ source: string }>(
      `select prosrc as source from pg_proc where pronamespace = 'gateway'::regnamespace and proname = '${name}'`,
    )
    const statements = row?.source.match(/\b(update gateway|delete from gateway)[^;]*;/g) ?? []
    expect(statements.length).toBeGreaterThan(0)
    for (const statement of statements) expect(statement).toMatch(/where project_id = (old|new)\.project_id/)
  },
)
