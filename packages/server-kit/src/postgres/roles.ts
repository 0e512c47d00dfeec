import { setTimeout as pause } from 'node:timers/promises'
import { type QueryExecutorProvider, sql } from 'kysely'
import { isDatabaseError } from './errors.ts'

/** The servers' role is missing and cannot be created, or row-level security would not apply to it. */
export class UnusableRoleError extends Error {
  override readonly name = 'UnusableRoleError'
}

/**
 * Ensures that a role exists, without the right to log in, and that this connection's user may assume it.
 *
 * On a managed PostgreSQL the user often may not create roles. Then an administrator creates it once.
 *
 * @throws UnusableRoleError with the commands that an administrator can run.
 */
export async function provideRole(db: QueryExecutorProvider, role: string): Promise<void> {
  const found = await sql<{ unchecked: boolean }>`
    select rolsuper or rolbypassrls as unchecked from pg_roles where rolname = ${role}`.execute(db)
  if (found.rows[0]?.unchecked) {
    throw new UnusableRoleError(
      `The role ${role} sees every row, because it is a superuser or has BYPASSRLS. Use another role.`,
    )
  }
  const name = sql.id(role)
  const commands = `CREATE ROLE ${role} NOLOGIN; GRANT ${role} TO ${await readCurrentUser(db)};`
  try {
    // Roles belong to the whole server: migrations of several databases can create one concurrently.
    if (found.rows.length === 0)
      await changeRoles(() => sql`create role ${name} nologin`.execute(db), '42710', '23505')
    if (!(await canAssumeRole(db, role)))
      await changeRoles(() => sql`grant ${name} to current_user`.execute(db))
  } catch (error) {
    if (!isDatabaseError(error, '42501', '0LP01')) throw error
    throw new UnusableRoleError(
      `The role ${role} cannot be created or assumed. An administrator can run: ${commands}`,
      {
        cause: error,
      },
    )
  }
}

/**
 * Grants a role the use of a schema's tables and sequences, present and future ones. Runs only once, so that
 * privileges that a migration revokes later (rows of a ledger must not change) stay revoked.
 */
export async function grantUse(db: QueryExecutorProvider, schema: string, role: string): Promise<void> {
  // The last of the grants below. If it exists, all of them do.
  const granted = await sql`
    select from pg_default_acl d
    join pg_namespace n on n.oid = d.defaclnamespace
    cross join lateral aclexplode(d.defaclacl) item
    join pg_roles r on r.oid = item.grantee
    where n.nspname = ${schema} and r.rolname = ${role} and d.defaclobjtype = 'r'
      and d.defaclrole = (select oid from pg_roles where rolname = current_user)`.execute(db)
  if (granted.rows.length > 0) return
  const to = sql.id(role)
  const own = sql.id(schema)
  await sql`grant usage on schema ${own} to ${to}`.execute(db)
  await sql`grant select, insert, update, delete on all tables in schema ${own} to ${to}`.execute(db)
  await sql`grant usage, select on all sequences in schema ${own} to ${to}`.execute(db)
  await sql`alter default privileges in schema ${own} grant usage, select on sequences to ${to}`.execute(db)
  await sql`alter default privileges in schema ${own} grant select, insert, update, delete on tables to ${to}`.execute(
    db,
  )
}

/**
 * Whether this connection can assume a role. It tries, because each version of PostgreSQL describes
 * memberships differently.
 */
async function canAssumeRole(db: QueryExecutorProvider, role: string): Promise<boolean> {
  try {
    await sql`set role ${sql.id(role)}`.execute(db)
    await sql`reset role`.execute(db)
    return true
  } catch (error) {
    if (isDatabaseError(error, '42501')) return false
    throw error
  }
}

async function readCurrentUser(db: QueryExecutorProvider): Promise<string> {
  const { rows } = await sql<{ name: string }>`select quote_ident(current_user) as name`.execute(db)
  return rows[0]?.name ?? 'CURRENT_USER'
}

/**
 * Retries when another session changes the same role, and ignores the errors `content`: the other session has
 * created it.
 */
async function changeRoles(change: () => Promise<unknown>, ...content: string[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await change()
      return
    } catch (error) {
      if (content.length > 0 && isDatabaseError(error, ...content)) return
      // "tuple concurrently updated" has no code of its own.
      if (!isDatabaseError(error, 'XX000') || attempt >= 10) throw error
      await pause(Math.random() * 50)
    }
  }
}
