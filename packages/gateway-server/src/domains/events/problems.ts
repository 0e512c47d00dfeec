import type { Database, ServerMetrics } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Db, Tables } from '../../database/tables.ts'

/** A change that could not be reported, and how long it waits for that. */
export interface ReportingProblem {
  readonly change: number
  readonly projectId: number
  readonly table: string
  /** Identifies the row in its table. */
  readonly row: string
  readonly changedAt: Date
  readonly problem: string
}

/** Lists the oldest changes that could not be reported as events, of all projects. */
export async function listProblems(db: Db, limit: number): Promise<ReportingProblem[]> {
  const { rows } = await sql<ReportingProblem>`
    select id as change, project_id as "projectId", relation as table, row_key as row, changed_at as "changedAt", problem
    from gateway.row_changes where problem <> '' order by id limit ${limit}`.execute(db)
  return rows
}

/** Which problems are retried: by default all. */
export interface RetryFilter {
  readonly project?: number | undefined
  /** The id of a change. Other changes of the same row by the same transaction are retried with it. */
  readonly change?: number | undefined
}

/**
 * Lets the servers report changes again that could not be reported. Their events are numbered after those
 * that are in the feed already.
 *
 * @returns The number of changes that wait again.
 */
export async function retryProblems(db: Db, { project, change }: RetryFilter): Promise<number> {
  const { numAffectedRows } = await sql`
    update gateway.row_changes c set problem = ''
    where c.problem <> '' and (${project ?? null}::bigint is null or c.project_id = ${project ?? null})
      and (${change ?? null}::bigint is null or exists (
        select from gateway.row_changes k
        where k.project_id = c.project_id and k.transaction = c.transaction and k.relation = c.relation
          and k.row_key = c.row_key and k.problem <> '' and k.id = ${change ?? null}))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/**
 * Reports the changes that could not be reported, and the age of the oldest one of each project that waits.
 * Requires the owner's rights.
 */
export function addEventGauges(metrics: ServerMetrics, { system }: Pick<Database<Tables>, 'system'>): void {
  metrics.gauge(
    'event_problems',
    'Changes that could not be reported as events and need a person, by table',
    async () => {
      const { rows } = await sql<{ table: string; count: number }>`
        select relation as table, count(*) as count from gateway.row_changes where problem <> '' group by relation`.execute(
        system,
      )
      return new Map(rows.map(({ table, count }) => [table, count]))
    },
    'table',
  )
  metrics.gauge(
    'oldest_unreported_change_seconds',
    'Age of the oldest change that waits to be reported as an event, by project',
    async () => {
      const { rows } = await sql<{ project: string; seconds: number }>`
        select project_id::text as project, extract(epoch from clock_timestamp() - changed_at)::float8 as seconds
        from gateway.first_unreported_changes()`.execute(system)
      return new Map(rows.map(({ project, seconds }) => [project, seconds]))
    },
    'project',
  )
}
