import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { isDatabaseError } from './errors.ts'

/** A function of a schema. */
export interface SqlFunction {
  /** The name without the schema. */
  readonly name: string
  /** `create or replace function …`, and `create or replace trigger …` for each trigger that calls it. */
  readonly sql: string
}

/** A function could not be created or dropped. All changes of the same update were rolled back. */
export class SqlFunctionError extends Error {
  override readonly name = 'SqlFunctionError'
  readonly functionName: string

  constructor(functionName: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`The SQL function ${functionName} could not be updated: ${reason}`, { cause })
    this.functionName = functionName
  }
}

/**
 * Reads the functions `names` from the files `<name>.sql` in `folder`.
 *
 * @param names In dependency order: a function comes after the functions that it calls.
 * @example
 * const functions = readSqlFunctions(new URL('./functions/', import.meta.url), ['list_cards', 'count_cards'])
 */
export function readSqlFunctions(folder: URL, names: readonly string[]): readonly SqlFunction[] {
  return names.map((name) => ({ name, sql: readFileSync(new URL(`${name}.sql`, folder), 'utf8') }))
}

interface AppliedFunction {
  readonly name: string
  readonly hash: string
}

interface FunctionSignature {
  readonly oid: string
  /** Schema-qualified where needed, quoted, with the types of the parameters. */
  readonly signature: string
}

/**
 * Creates the table that records which texts of functions were applied. A server reads it; only a migration
 * writes it.
 */
export async function prepareFunctionTable(
  db: Kysely<unknown>,
  { schema, role }: { schema: string; role: string },
): Promise<void> {
  const table = sql.id(schema, 'sql_functions')
  await sql`
    create table if not exists ${table} (
      name text not null,
      hash text not null,
      applied_at timestamptz not null default clock_timestamp(),
      primary key (name, hash)
    )`.execute(db)
  await sql`revoke insert, update, delete on ${table} from ${sql.id(role)}`.execute(db)
}

/**
 * Lists the functions whose present text was never applied to the schema: the database is older than the
 * program.
 */
export async function listMissingFunctions(
  db: Kysely<unknown>,
  schema: string,
  functions: readonly SqlFunction[],
): Promise<string[]> {
  if (functions.length === 0) return []
  const applied = await readAppliedFunctions(db, schema, 'all')
  return functions.filter((one) => !isApplied(applied, one)).map(({ name }) => name)
}

/**
 * Makes the functions of a schema those of `functions`, in the caller's transaction: re-creates the ones
 * whose text changed, drops the ones that are no longer listed, and drops the previous version of one whose
 * signature changed.
 *
 * @throws SqlFunctionError
 */
export async function updateFunctions(
  db: Kysely<unknown>,
  schema: string,
  functions: readonly SqlFunction[],
): Promise<void> {
  const applied = await readAppliedFunctions(db, schema, 'current')
  const removed = applied.filter(({ name }) => functions.every((one) => one.name !== name))
  const changed = functions.filter((one) => !isApplied(applied, one))
  for (const { name } of removed) {
    await reportFunction(name, () => removeFunction(db, schema, name))
  }
  for (const each of changed) {
    await reportFunction(each.name, () => replaceFunction(db, schema, each))
  }
}

async function reportFunction(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw new SqlFunctionError(name, error)
  }
}

async function removeFunction(db: Kysely<unknown>, schema: string, name: string): Promise<void> {
  for (const one of await listSignatures(db, schema, name)) await dropFunction(db, one)
  await sql`delete from ${sql.id(schema, 'sql_functions')} where name = ${name}`.execute(db)
}

async function replaceFunction(
  db: Kysely<unknown>,
  schema: string,
  { name, sql: text }: SqlFunction,
): Promise<void> {
  const before = await listSignatures(db, schema, name)
  await createFunction(db, text, before)
  const after = await listSignatures(db, schema, name)
  // Replacing keeps the oid. A new oid means other parameters, so that what was there before is the previous
  // version.
  const isNew = after.some(({ oid }) => !includesOid(before, oid))
  const previous = isNew ? after.filter(({ oid }) => includesOid(before, oid)) : []
  for (const one of previous) await dropFunction(db, one)
  const hash = hashText(text)
  await sql`
    insert into ${sql.id(schema, 'sql_functions')} (name, hash) values (${name}, ${hash})
    on conflict (name, hash) do update set applied_at = clock_timestamp()`.execute(db)
}

async function createFunction(
  db: Kysely<unknown>,
  text: string,
  before: readonly FunctionSignature[],
): Promise<void> {
  await sql`savepoint create_function`.execute(db)
  try {
    await sql.raw(text).execute(db)
  } catch (error) {
    // 42P13: `create or replace` changes neither the type of the result nor the names of parameters.
    if (!isDatabaseError(error, '42P13') || before.length === 0) throw error
    await sql`rollback to savepoint create_function`.execute(db)
    for (const one of before) await dropFunction(db, one)
    await sql.raw(text).execute(db)
  }
  await sql`release savepoint create_function`.execute(db)
}

async function dropFunction(db: Kysely<unknown>, { signature }: FunctionSignature): Promise<void> {
  // The catalog wrote the signature, quoted.
  await sql.raw(`drop function ${signature}`).execute(db)
}

async function listSignatures(
  db: Kysely<unknown>,
  schema: string,
  name: string,
): Promise<readonly FunctionSignature[]> {
  const { rows } = await sql<FunctionSignature>`
    select p.oid::text as oid, p.oid::regprocedure::text as signature
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = ${schema} and p.proname = ${name}`.execute(db)
  return rows
}

async function readAppliedFunctions(
  db: Kysely<unknown>,
  schema: string,
  which: 'all' | 'current',
): Promise<readonly AppliedFunction[]> {
  const table = sql.id(schema, 'sql_functions')
  const columns = which === 'current' ? sql`distinct on (name) name, hash` : sql`name, hash`
  try {
    const { rows } = await sql<AppliedFunction>`
      select ${columns} from ${table} order by name, applied_at desc`.execute(db)
    return rows
  } catch (error) {
    // The schema or the table does not exist: nothing was applied.
    if (isDatabaseError(error, '42P01', '3F000')) return []
    throw error
  }
}

const isApplied = (applied: readonly AppliedFunction[], { name, sql: text }: SqlFunction): boolean =>
  applied.some((one) => one.name === name && one.hash === hashText(text))

const includesOid = (signatures: readonly FunctionSignature[], oid: string): boolean =>
  signatures.some((one) => one.oid === oid)

const hashText = (text: string): string => createHash('sha256').update(text).digest('hex')
