import {
  isDatabaseError,
  type MigrationPlan,
  readSchemaStatus,
  SchemaMismatchError,
} from '../postgres/index.ts'
import type { DatabaseReader } from './database-reader.ts'
import { type Outcome, reportError, reportOk, reportWarning } from './finding.ts'

/** Compares the migrations and functions of the schema with those of this program. */
export async function checkSchemaVersion({ url }: DatabaseReader, plan: MigrationPlan): Promise<Outcome[]> {
  const { schema, migrateCommand = 'migrate' } = plan
  const status = await readSchemaStatus(url, plan)
  if (status.state === 'current') return [reportOk(`The schema ${schema} is up to date`)]
  if (status.state === 'newer' && status.pending.length === 0 && status.contracted.length === 0)
    return [
      reportWarning(
        `The schema ${schema} is newer than this program, which can still use it`,
        'Upgrade the program',
      ),
    ]
  if (status.pending.length === plan.migrations.length && status.state === 'outdated')
    return [reportError(`The schema ${schema} does not exist`, `Run ${migrateCommand}`)]
  const action = status.state === 'outdated' ? `Run ${migrateCommand}` : 'Follow the message'
  return [reportError(new SchemaMismatchError(plan, status).message, action)]
}

/** Checks the role of calls: it exists, the user may assume it, and row-level security applies to it. */
export async function checkRole(db: DatabaseReader, plan: MigrationPlan): Promise<Outcome[]> {
  const { role, schema, migrateCommand = 'migrate' } = plan
  const [row] = await db.query<{ bypasses: boolean; owned: number }>(
    `select rolsuper or rolbypassrls as bypasses,
       (select count(*)::int from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = $2 and c.relowner = r.oid) as owned
     from pg_roles r where rolname = $1`,
    [role, schema],
  )
  if (row === undefined)
    return [reportError(`The role ${role} does not exist`, `Run ${migrateCommand}, which creates it`)]
  if (row.bypasses)
    return [
      reportError(
        `The role ${role} is a superuser or has BYPASSRLS, so each project sees the rows of all`,
        `Run alter role ${role} nosuperuser nobypassrls as an administrator`,
      ),
    ]
  if (row.owned > 0)
    return [
      reportError(
        `The role ${role} owns ${row.owned} tables or indexes of ${schema}, and row-level security does not apply to owners`,
        `Run reassign owned by ${role} to the user of DATABASE_URL, as an administrator`,
      ),
    ]
  return await checkAssumedRole(db, plan)
}

async function checkAssumedRole(
  db: DatabaseReader,
  { role, schema, ownerTables = [] }: MigrationPlan,
): Promise<Outcome[]> {
  try {
    await db.query(`set local role ${role}`)
  } catch (failure) {
    if (!isDatabaseError(failure, '42501')) throw failure
    return [
      reportError(
        `The user of DATABASE_URL may not assume the role ${role}`,
        `Run grant ${role} to the user, as an administrator`,
      ),
    ]
  }
  const rows = await db.query<{ name: string; isReadable: boolean; isOwners: boolean }>(
    `select c.relname as name, c.relname = any($2::text[]) as "isOwners",
       has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select') as "isReadable"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind in ('r', 'p') order by c.relname`,
    [schema, [...ownerTables]],
  )
  const exposed = rows.filter(({ isOwners, isReadable }) => isOwners && isReadable)
  if (exposed.length > 0)
    return [
      reportError(
        `The role ${role} may read ${exposed.map(({ name }) => `${schema}.${name}`).join(', ')}, which only the owner may`,
        `Run migrate, or ${exposed.map(({ name }) => `revoke all on ${schema}.${name} from ${role}`).join('; ')}`,
      ),
    ]
  const unreadable = rows.filter(({ isOwners, isReadable }) => !isOwners && !isReadable).length
  if (unreadable === 0) return [reportOk(`The role ${role} can be assumed and owns nothing`)]
  return [
    reportError(
      `The role ${role} may not read ${unreadable} tables of ${schema}`,
      `Run grant select, insert, update, delete on all tables in schema ${schema} to ${role}, then migrate`,
    ),
  ]
}

/** Finds tables whose policies have no effect. */
export async function checkRowSecurity(db: DatabaseReader, { schema }: MigrationPlan): Promise<Outcome[]> {
  const rows = await db.query<{ name: string; isEnabled: boolean }>(
    `select c.relname as name, c.relrowsecurity as "isEnabled" from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and exists (select from pg_policy p where p.polrelid = c.oid) order by c.relname`,
    [schema],
  )
  const disabled = rows.filter(({ isEnabled }) => !isEnabled).map(({ name }) => `${schema}.${name}`)
  if (disabled.length > 0)
    return [
      reportError(
        `Row-level security is off for ${disabled.join(', ')}, so each project sees the rows of all`,
        `Run ${disabled.map((table) => `alter table ${table} enable row level security`).join('; ')}`,
      ),
    ]
  return rows.length === 0 ? [] : [reportOk(`Row-level security is on for ${rows.length} tables`)]
}
