import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import { Tenant } from '../../../database/tenant.ts'
import { issuePart } from './campaigns-store.ts'

/** Projects that one round serves. */
const PROJECTS_PER_ROUND = 100

/**
 * Issues the cards that campaigns lack: each round a part of one campaign of each project, so that none waits for
 * another's last card. Any number of processes may run it, and one that is killed leaves whole parts. Requires the
 * owner's rights. Throws at the end if campaigns failed, which do not stop others.
 */
export async function issueCampaigns(db: Kysely<Tables>): Promise<void> {
  const failed = new Map<number, unknown>()
  for (;;) {
    const { rows } = await sql<{ project: number; id: number }>`
      select project, id from (
        select distinct on (project_id) project_id as project, id, updated_at from gateway.campaigns
        where issued_cards < requested_cards and status <> 'ENDED' and id <> all (${[...failed.keys()]}::bigint[])
        order by project_id, updated_at) as next
      order by updated_at limit ${PROJECTS_PER_ROUND}`.execute(db)
    let progress = 0
    for (const { project, id } of rows)
      try {
        progress += await issuePart(new Tenant(db, project), id)
      } catch (error) {
        failed.set(id, error)
        progress += 1
      }
    if (progress > 0) continue
    if (failed.size === 0) return
    throw new AggregateError(
      failed.values(),
      `No cards were issued for the campaigns ${[...failed.keys()].join()}`,
    )
  }
}
