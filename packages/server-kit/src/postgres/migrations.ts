import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import { openDatabase } from './database.ts'
import { isDatabaseError } from './errors.ts'
import { grantUse, provideRole } from './roles.ts'

/** One step of a schema's history. Once released, it is never changed; another step follows it. */
export interface Migration {
  /** Its place and name, such as `0001_keys`: ids ascend. */
  readonly id: string
  /** SQL (any number of statements), or a function that runs queries. */
  readonly up: string | ((db: Kysely<unknown>) => Promise<void>)
  /**
   * Not in a transaction, as `create index concurrently` wants it. What such a step does it must be able to do again
   * (`if not exists`): it may have been interrupted before it was noted as done. One statement, where it is SQL.
   */
  readonly outsideTransaction?: boolean
  /**
   * It takes away, or changes the meaning of, what programs from before it use: they do not start on a schema that has it. One that only
   * adds lets them, so that a process can be started again, or an upgrade taken back, after it.
   */
  readonly contracts?: boolean
}

/** A schema, its history and who uses it. */
export interface MigrationPlan {
  /** The schema's name; it is made where it is missing, and its own table `migrations` holds what was done. */
  readonly schema: string
  readonly migrations: readonly Migration[]
  /** The role that the servers work as. It owns nothing and is granted the use of every table of the schema. */
  readonly role: string
  /** The command that brings the schema up to date, for messages. */
  readonly migrateCommand?: string
}

export interface MigrateOptions {
  readonly log?: Pick<Logger, 'info'>
  /** How long a step waits for a table that is in use before it gives up, in milliseconds; 5,000 unless told. */
  readonly lockTimeout?: number
}

/** A step failed; those before it are done, and it is not. */
export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed'
  readonly migration: string

  constructor(migration: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`migration ${migration} failed: ${reason}`, { cause })
    this.migration = migration
  }
}

// How often a migrator that waits for another one asks whether it is done, in milliseconds.
const askAgain = 100

/**
 * Brings a schema up to date, each step in a transaction of its own. Any number of processes may do this at once:
 * one works, the others wait and find nothing left to do.
 *
 * @param url Connection string of the schema's owner.
 * @returns The ids of the steps that were done by this call.
 * @throws MigrationFailed, or SchemaMismatch where the database has steps that this program does not know, besides lacking some that it knows
 *   or having lost what it may use.
 */
export async function migrate(
  url: string,
  plan: MigrationPlan,
  options: MigrateOptions = {},
): Promise<string[]> {
  refuseDisorder(plan.migrations)
  const database = openDatabase<unknown>({ url, max: 1, applicationName: `migrate ${plan.schema}` })
  try {
    return await database.system.connection().execute((db) => migrateAlone(db, plan, options))
  } finally {
    await database.close()
  }
}

async function migrateAlone(
  db: Kysely<unknown>,
  plan: MigrationPlan,
  options: MigrateOptions,
): Promise<string[]> {
  const lock = sql`hashtextextended(${`migrate ${plan.schema}`}, 0)`
  // Waiting inside the database would keep a snapshot, for whose end an index that is built concurrently waits.
  while (!(await one<boolean>(db, sql`pg_try_advisory_lock(${lock})`))) await pause(askAgain)
  // It ends with the connection, which is this call's own.
  await sql`select set_config('lock_timeout', ${String(options.lockTimeout ?? 5000)}, false)`.execute(db)
  await prepareSchema(db, plan)
  const status = compare(plan, await appliedMigrations(db, plan.schema))
  const { pending } = status
  const diverged = status.unknown.length > 0 && pending.length > 0
  if (diverged || status.contracted.length > 0) throw new SchemaMismatch(plan, status)

  for (const migration of plan.migrations.filter(({ id }) => pending.includes(id))) {
    await apply(db, plan.schema, migration)
    options.log?.info({ schema: plan.schema, migration: migration.id }, 'migrated')
  }
  return [...pending]
}

async function prepareSchema(db: Kysely<unknown>, { schema, role }: MigrationPlan): Promise<void> {
  await provideRole(db, role)
  if (!(await one<boolean>(db, sql`exists (select from pg_namespace where nspname = ${schema})`))) {
    await sql`create schema ${sql.id(schema)}`.execute(db)
  }
  await sql`
    create table if not exists ${sql.id(schema, 'migrations')} (
      id text primary key,
      applied_at timestamptz not null default clock_timestamp()
    )`.execute(db)
  await sql`
    alter table ${sql.id(schema, 'migrations')} add column if not exists contracts boolean not null default false`.execute(
    db,
  )
  await grantUse(db, schema, role)
  // A server reads what was done; only a migrator notes it.
  await sql`revoke insert, update, delete on ${sql.id(schema, 'migrations')} from ${sql.id(role)}`.execute(db)
}

async function apply(db: Kysely<unknown>, schema: string, migration: Migration): Promise<void> {
  const { id, contracts = false } = migration
  const note = sql`insert into ${sql.id(schema, 'migrations')} (id, contracts) values (${id}, ${contracts})`
  const run = async (on: Kysely<unknown>) => {
    if (typeof migration.up === 'string') await sql.raw(migration.up).execute(on)
    else await migration.up(on)
    await note.execute(on)
  }
  try {
    if (migration.outsideTransaction) await run(db)
    else await db.transaction().execute(run)
  } catch (error) {
    throw new MigrationFailed(migration.id, error)
  }
}

/** How a database's schema stands to the steps that a program knows. */
export interface SchemaStatus {
  readonly state: 'current' | 'outdated' | 'newer'
  /** Steps that the program knows and the database lacks. */
  readonly pending: readonly string[]
  /** Steps that were done to the database and that the program does not know. */
  readonly unknown: readonly string[]
  /** Those of the unknown steps that took away what the program may use. */
  readonly contracted: readonly string[]
}

/** The database's schema is not the one the program was written for. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch'
  readonly status: SchemaStatus

  constructor({ schema, migrateCommand = 'migrate' }: MigrationPlan, status: SchemaStatus) {
    const { pending, unknown, contracted } = status
    const lacks = `it lacks ${pending.join(', ')}`
    super(
      contracted.length > 0
        ? `The database's schema "${schema}" is newer than this program, and ${contracted.join(', ')} took away what it may use: run a newer version.`
        : unknown.length > 0
          ? `The database's schema "${schema}" has another history than this program's: it has ${unknown.join(', ')}, and ${lacks}. Look at DATABASE_URL, or run a version that has them all.`
          : `The database's schema "${schema}" is outdated (${lacks}): run \`${migrateCommand}\` first.`,
    )
    this.status = status
  }
}

/** Tells how a schema stands. Nothing is changed. */
export async function schemaStatus(url: string, plan: MigrationPlan): Promise<SchemaStatus> {
  const database = openDatabase<unknown>({ url, max: 1, applicationName: `check ${plan.schema}` })
  try {
    return compare(plan, await appliedMigrations(database.system, plan.schema))
  } finally {
    await database.close()
  }
}

/**
 * Makes sure that this program can work with a schema: it has every step that the program knows, and others have at most added to it since.
 * Nothing is changed.
 *
 * @throws SchemaMismatch, whose message says what helps.
 */
export async function checkSchema(url: string, plan: MigrationPlan): Promise<SchemaStatus> {
  const status = await schemaStatus(url, plan)
  if (status.pending.length > 0 || status.contracted.length > 0) throw new SchemaMismatch(plan, status)
  return status
}

interface Applied {
  readonly id: string
  readonly contracts: boolean
}

function compare(plan: MigrationPlan, done: readonly Applied[]): SchemaStatus {
  const known = plan.migrations.map(({ id }) => id)
  const pending = known.filter((id) => !done.some((step) => step.id === id))
  const unknown = done.filter(({ id }) => !known.includes(id))
  return {
    state: unknown.length > 0 ? 'newer' : pending.length > 0 ? 'outdated' : 'current',
    pending,
    unknown: unknown.map(({ id }) => id),
    contracted: unknown.filter(({ contracts }) => contracts).map(({ id }) => id),
  }
}

async function appliedMigrations(db: Kysely<unknown>, schema: string): Promise<readonly Applied[]> {
  try {
    // A table that an older migrator made has no such column.
    const { rows } = await sql<Applied>`
      select id, coalesce((to_jsonb(m) ->> 'contracts')::boolean, false) as contracts
      from ${sql.id(schema, 'migrations')} m order by id`.execute(db)
    return rows
  } catch (error) {
    // Neither the schema nor the table is there: nothing was done yet.
    if (isDatabaseError(error, '42P01', '3F000')) return []
    throw error
  }
}

function refuseDisorder(migrations: readonly Migration[]): void {
  for (const [index, { id }] of migrations.entries()) {
    const before = migrations[index - 1]?.id
    if (before !== undefined && before >= id)
      throw new Error(`migration ${id} stands after ${before}: ids must ascend`)
  }
}

async function one<Value>(
  db: Kysely<unknown>,
  expression: ReturnType<typeof sql>,
): Promise<Value | undefined> {
  const { rows } = await sql<{ value: Value }>`select ${expression} as value`.execute(db)
  return rows[0]?.value
}
