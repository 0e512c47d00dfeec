import { type MigrationPlan, readSchemaStatus, SchemaMismatchError } from '../postgres/index.ts'
import { defineCheck, failIf, warnIf } from './check.ts'
import { type DatabaseCheck, readRows } from './check-database.ts'

/** Creates the check that compares the migrations and functions of the schema with those of this program. */
export const createSchemaCheck = (url: string, plan: MigrationPlan): DatabaseCheck =>
  defineCheck({
    area: 'database',
    name: 'The schema',
    isRequired: true,
    read: async () => [await readSchemaStatus(url, plan)],
    problems(status) {
      const { schema, migrateCommand = 'migrate' } = plan
      const isOutdated = status.state === 'outdated'
      const isMissing = isOutdated && status.pending.length === plan.migrations.length
      const isUsable = status.state === 'newer' && status.pending.length + status.contracted.length === 0
      return [
        failIf(isMissing)`The schema ${schema} does not exist
          Run ${migrateCommand}`,
        warnIf(isUsable)`The schema ${schema} is newer than this program, which can still use it
          Upgrade the program`,
        failIf(status.state !== 'current' && !isMissing && !isUsable)`
          ${new SchemaMismatchError(plan, status).message}
          ${isOutdated ? `Run ${migrateCommand}` : 'Follow the message'}`,
      ]
    },
    ok: () => `The schema ${plan.schema} is up to date`,
  })

interface AccessFacts {
  /** Whether the role exists and the user may assume it. */
  readonly isAssumable: boolean
  /** Whether row-level security does not apply to the role: it is a superuser, has BYPASSRLS, or owns tables. */
  readonly bypasses: boolean
  /** Tables of the owner that the role may read, and how many others it may not read. */
  readonly exposed: readonly string[]
  readonly unreadable: number
  /** Tables whose policies have no effect. */
  readonly unprotected: readonly string[]
}

/** Creates the check that calls read what they may, and only rows of their project. */
export function createAccessCheck(plan: MigrationPlan): DatabaseCheck {
  const { schema, role, ownerTables = [], migrateCommand = 'migrate' } = plan
  return defineCheck({
    area: 'database',
    name: 'The role of calls',
    read: readRows<AccessFacts>(
      `with r as materialized (select max(oid) as oid from pg_roles where rolname = $1),
       tables as (
         select format('%s.%s', nspname, relname) as name, relowner as owner, relrowsecurity as is_protected,
           relname = any($3::text[]) as is_owners,
           exists (select from pg_policy where polrelid = c.oid) as has_policy,
           has_schema_privilege(r.oid, n.oid, 'usage') and has_table_privilege(r.oid, c.oid, 'select') as is_readable
         from r, pg_class c join pg_namespace n on n.oid = relnamespace
         where nspname = $2 and relkind in ('r', 'p') order by relname
       )
       select coalesce(pg_has_role(current_user, r.oid,
           case when current_setting('server_version_num')::int < 160000 then 'MEMBER' else 'SET' end), false)
           as "isAssumable",
         exists (select from pg_roles where pg_roles.oid = r.oid and (rolsuper or rolbypassrls))
           or exists (select from tables where owner = r.oid) as bypasses,
         array(select name from tables where is_owners and is_readable) as exposed,
         (select count(*)::int from tables where not is_owners and not is_readable) as unreadable,
         array(select name from tables where has_policy and not is_protected) as unprotected
       from r`,
      role,
      schema,
      [...ownerTables],
    ),
    problems: ({ isAssumable, bypasses, exposed, unreadable, unprotected }) => [
      failIf(!isAssumable)`
        The user of DATABASE_URL may not assume the role ${role}, or the role does not exist
        Run ${migrateCommand}, or as an administrator: create role ${role} nologin; grant ${role} to the user`,
      failIf(bypasses)`
        The role ${role} is a superuser, has BYPASSRLS or owns tables of ${schema}, so each project sees the rows of all
        As an administrator, run alter role ${role} nosuperuser nobypassrls, and reassign owned by ${role} to the user of DATABASE_URL`,
      failIf(!bypasses && exposed.length > 0)`
        The role ${role} may read ${exposed.join(', ')}, which only the owner may
        Run ${migrateCommand}, or ${exposed.map((table) => `revoke all on ${table} from ${role}`).join('; ')}`,
      failIf(unreadable > 0)`The role ${role} may not read ${unreadable} tables of ${schema}
        Run grant select, insert, update, delete on all tables in schema ${schema} to ${role}, then ${migrateCommand}`,
      failIf(unprotected.length > 0)`
        Row-level security is off for ${unprotected.join(', ')}, so each project sees the rows of all
        Run ${unprotected.map((table) => `alter table ${table} enable row level security`).join('; ')}`,
    ],
    ok: () => `Calls assume the role ${role}, and row-level security limits them to their project`,
  })
}
