import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { openDatabase } from './database.ts'
import { isDatabaseError } from './errors.ts'
import { grantUse, provideRole } from './roles.ts'
import {
  listMissingFunctions,
  prepareFunctionTable,
  type SqlFunction,
  SqlFunctionError,
  updateFunctions,
} from './sql-functions.ts'

/** One step of a schema's history. A released migration never changes; another one follows it. */
export interface Migration {
  /** Number and name, such as `0001-keys`. Ids ascend. */
  readonly id: string
  /** Any number of statements. */
  readonly up: string
  /**
   * Runs without a transaction, as `create index concurrently` requires. Such a migration must be repeatable
   * (`if not exists`), because it may be interrupted before it is recorded. SQL must be a single statement.
   */
  readonly outsideTransaction?: boolean
  /**
   * The migration removes, or changes the meaning of, something that older programs use, so they refuse to
   * start on the schema. Older programs start after a migration that only adds, so that an upgrade can be
   * rolled back.
   */
  readonly contracts?: boolean
}

/**
 * Reads the migrations `ids` from the files `<id>.sql` in `folder`.
 *
 * @example
 * const migrations = readMigrations(new URL('./migrations/', import.meta.url), ['0001-keys', '0002-cards'])
 */
export function readMigrations(folder: URL, ids: readonly string[]): readonly Migration[] {
  return ids.map((id) => ({ id, up: readFileSync(new URL(`${id}.sql`, folder), 'utf8') }))
}

/** A schema, its history and who uses it. */
export interface MigrationPlan {
  /**
   * The schema's name. `migrate` creates the schema if necessary, and records the migrations in the schema's
   * table `migrations`.
   */
  readonly schema: string
  readonly migrations: readonly Migration[]
  /**
   * The schema's functions in dependency order. `migrate` re-creates the ones whose text changed after it has
   * run the migrations, so no migration contains a function.
   */
  readonly functions?: readonly SqlFunction[]
  /**
   * The role that the servers use. It owns nothing and may use every table of the schema except
   * `ownerTables`.
   */
  readonly role: string
  /**
   * Tables that only the schema's owner may use, because calls must not read them. `migrate` revokes the
   * role's access. Default: none.
   */
  readonly ownerTables?: readonly string[]
  /** The command that migrates the schema, for messages. */
  readonly migrateCommand?: string
}

/** A migration failed and was rolled back. The migrations before it are done. */
export class MigrationFailedError extends Error {
  override readonly name = 'MigrationFailedError'
  readonly migration: string

  constructor(migration: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`migration ${migration} failed: ${reason}`, { cause })
    this.migration = migration
  }
}

/** How often a migrator that waits for another one tries to take the lock. */
const LOCK_RETRY_MS = 100
/** How long a migration waits for a table that is in use before it fails. */
const LOCK_TIMEOUT_MS = 5000

/**
 * Migrates a schema to the plan: runs the pending migrations, each in a transaction of its own, then updates
 * the functions, in the transaction of the last migration if there is one. Any number of processes may call
 * it concurrently: one works, the others wait and find nothing left to do.
 *
 * @param url Connection string of the schema's owner.
 * @returns The ids of the migrations that this call ran.
 * @throws MigrationFailedError, SqlFunctionError, or SchemaMismatchError if the plan cannot be applied to the
 * database.
 */
export async function migrate(url: string, plan: MigrationPlan): Promise<string[]> {
  checkOrder(plan.migrations)
  const database = openDatabase<unknown>({ url, max: 1, applicationName: `migrate ${plan.schema}` })
  try {
    return await database.system.connection().execute((db) => migrateLocked(db, plan))
  } finally {
    await database.close()
  }
}

async function migrateLocked(db: Kysely<unknown>, plan: MigrationPlan): Promise<string[]> {
  const lock = sql`hashtextextended(${`migrate ${plan.schema}`}, 0)`
  // A wait inside the database would hold a snapshot, and an index that is built concurrently waits for the
  // end of all snapshots.
  while (!(await selectOne<boolean>(db, sql`pg_try_advisory_lock(${lock})`))) await pause(LOCK_RETRY_MS)
  // The lock and the setting end with the connection, which belongs to this call.
  await sql`select set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, false)`.execute(db)
  await prepareSchema(db, plan)
  const status = await readStatus(db, plan)
  const diverged = status.unknown.length > 0 && status.pending.length > 0
  if (diverged || status.contracted.length > 0) throw new SchemaMismatchError(plan, status)

  const pending = plan.migrations.filter(({ id }) => status.pending.includes(id))
  // A newer program has left functions that fit its own tables.
  const functions = status.unknown.length > 0 ? undefined : plan.functions
  const last = pending.at(-1)
  const functionsWithLast = last?.outsideTransaction ? undefined : functions
  for (const migration of pending) {
    await apply(db, plan.schema, migration, migration === last ? functionsWithLast : undefined)
  }
  if (functions !== undefined)
    await db.transaction().execute((trx) => updateFunctions(trx, plan.schema, functions))
  return pending.map(({ id }) => id)
}

async function prepareSchema(db: Kysely<unknown>, plan: MigrationPlan): Promise<void> {
  const { schema, role } = plan
  await provideRole(db, role)
  if (!(await selectOne<boolean>(db, sql`exists (select from pg_namespace where nspname = ${schema})`))) {
    await sql`create schema ${sql.id(schema)}`.execute(db)
  }
  await sql`
    create table if not exists ${sql.id(schema, 'migrations')} (
      id text primary key,
      applied_at timestamptz not null default clock_timestamp(),
      contracts boolean not null default false
    )`.execute(db)
  await grantUse(db, schema, role)
  // A server reads the history; only a migration writes it.
  await sql`revoke insert, update, delete on ${sql.id(schema, 'migrations')} from ${sql.id(role)}`.execute(db)
  await revokeOwnerTables(db, plan)
  if (plan.functions !== undefined) await prepareFunctionTable(db, plan)
}

/**
 * Ends access to the owner's tables that a restored backup or an administrator has granted. Their migrations
 * revoke it where they are created.
 */
async function revokeOwnerTables(
  db: Kysely<unknown>,
  { schema, role, ownerTables = [] }: MigrationPlan,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables
    where schemaname = ${schema} and tablename = any(${[...ownerTables]}::text[])`.execute(db)
  for (const { name } of rows)
    await sql`revoke all on ${sql.id(schema, name)} from ${sql.id(role)}`.execute(db)
}

async function apply(
  db: Kysely<unknown>,
  schema: string,
  migration: Migration,
  functions: readonly SqlFunction[] | undefined,
): Promise<void> {
  const { id, contracts = false } = migration
  const record = sql`insert into ${sql.id(schema, 'migrations')} (id, contracts) values (${id}, ${contracts})`
  const run = async (on: Kysely<unknown>) => {
    await sql.raw(migration.up).execute(on)
    await record.execute(on)
    if (functions !== undefined) await updateFunctions(on, schema, functions)
  }
  try {
    if (migration.outsideTransaction) await run(db)
    else await db.transaction().execute(run)
  } catch (error) {
    throw error instanceof SqlFunctionError ? error : new MigrationFailedError(migration.id, error)
  }
}

/** How a database's schema compares with a program's plan. */
export interface SchemaStatus {
  readonly state: 'current' | 'outdated' | 'newer' | 'incompatible'
  /** Migrations of the plan that the database lacks. */
  readonly pending: readonly string[]
  /** Functions of the plan whose text was never applied to the database. */
  readonly pendingFunctions: readonly string[]
  /** Migrations of the database that the plan does not contain. */
  readonly unknown: readonly string[]
  /** Those of the unknown migrations that removed what the program may use. */
  readonly contracted: readonly string[]
}

/** The database's schema does not fit the program. */
export class SchemaMismatchError extends Error {
  override readonly name = 'SchemaMismatchError'
  readonly status: SchemaStatus

  constructor(plan: MigrationPlan, status: SchemaStatus) {
    super(describeMismatch(plan, status))
    this.status = status
  }
}

function describeMismatch(
  { schema, migrateCommand = 'migrate' }: MigrationPlan,
  status: SchemaStatus,
): string {
  const { pending, pendingFunctions, unknown, contracted } = status
  const missing = [...pending, ...pendingFunctions.map((name) => `function ${name}`)].join(', ')
  if (status.state === 'incompatible') {
    return `The schema "${schema}" was created by an earlier version and cannot be migrated. Create a new database and set DATABASE_URL to it, or delete the schema with all of its data (psql "$DATABASE_URL" -c 'drop schema ${schema} cascade') and run \`${migrateCommand}\``
  }
  if (contracted.length > 0) {
    return `The schema "${schema}" is newer than this program, and ${contracted.join(', ')} removed what the program may use. Run a newer version`
  }
  if (unknown.length > 0) {
    return `The schema "${schema}" has another history than this program: it has ${unknown.join(', ')} and lacks ${missing}. Check DATABASE_URL, or run a version that has all of these migrations`
  }
  return `The schema "${schema}" is outdated (it lacks ${missing}): run \`${migrateCommand}\` first`
}

/** Reads how a schema compares with the plan. Changes nothing. */
export async function readSchemaStatus(url: string, plan: MigrationPlan): Promise<SchemaStatus> {
  const database = openDatabase<unknown>({ url, max: 1, applicationName: `check ${plan.schema}` })
  try {
    return await readStatus(database.system, plan)
  } finally {
    await database.close()
  }
}

/**
 * Checks that this program can use a schema: the schema has every migration and function of the plan, and
 * newer migrations have only added to it. Changes nothing.
 *
 * @throws SchemaMismatchError, whose message names the solution.
 */
export async function checkSchema(url: string, plan: MigrationPlan): Promise<SchemaStatus> {
  const status = await readSchemaStatus(url, plan)
  const isOutdated = status.pending.length > 0 || status.state === 'outdated'
  if (isOutdated || status.contracted.length > 0) throw new SchemaMismatchError(plan, status)
  return status
}

interface Applied {
  readonly id: string
  readonly contracts: boolean
}

async function readStatus(db: Kysely<unknown>, plan: MigrationPlan): Promise<SchemaStatus> {
  const applied = await readAppliedMigrations(db, plan.schema)
  const pendingFunctions = await listMissingFunctions(db, plan.schema, plan.functions ?? [])
  const known = plan.migrations.map(({ id }) => id)
  const pending = known.filter((id) => !applied.some((migration) => migration.id === id))
  const unknown = applied.filter(({ id }) => !known.includes(id))
  return {
    state: compareHistories({ known, pending, unknown, pendingFunctions }),
    pending,
    pendingFunctions,
    unknown: unknown.map(({ id }) => id),
    contracted: unknown.filter(({ contracts }) => contracts).map(({ id }) => id),
  }
}

function compareHistories(histories: {
  known: readonly string[]
  pending: readonly string[]
  unknown: readonly Applied[]
  pendingFunctions: readonly string[]
}): SchemaStatus['state'] {
  const { known, pending, unknown, pendingFunctions } = histories
  // A database without a single migration of the plan was not created by it: the plan begins at another
  // baseline.
  const sharesMigrations = pending.length < known.length
  if (unknown.length > 0 && known.length > 0 && !sharesMigrations) return 'incompatible'
  if (unknown.length > 0) return 'newer'
  return pending.length > 0 || pendingFunctions.length > 0 ? 'outdated' : 'current'
}

async function readAppliedMigrations(db: Kysely<unknown>, schema: string): Promise<readonly Applied[]> {
  try {
    // A table that an older program created lacks the column.
    const { rows } = await sql<Applied>`
      select id, coalesce((to_jsonb(m) ->> 'contracts')::boolean, false) as contracts
      from ${sql.id(schema, 'migrations')} m order by id`.execute(db)
    return rows
  } catch (error) {
    // The schema or the table does not exist: no migration has run.
    if (isDatabaseError(error, '42P01', '3F000')) return []
    throw error
  }
}

function checkOrder(migrations: readonly Migration[]): void {
  for (const [index, { id }] of migrations.entries()) {
    const before = migrations[index - 1]?.id
    if (before !== undefined && before >= id)
      throw new Error(`Migration ${id} follows ${before}. Ids must ascend`)
  }
}

async function selectOne<Value>(
  db: Kysely<unknown>,
  expression: ReturnType<typeof sql>,
): Promise<Value | undefined> {
  const { rows } = await sql<{ value: Value }>`select ${expression} as value`.execute(db)
  return rows[0]?.value
}
