import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import { Tenant } from '../../../database/tenant.ts'
import { issuePart } from './campaigns-store.ts'

/** Campaigns that one round serves, so that none waits for another's last card. */
const CAMPAIGNS_PER_ROUND = 100

/**
 * Issues the cards that campaigns of all projects lack, a part of each in turn. Any number of processes may
 * run it, and one that is killed leaves whole parts. Requires the owner's rights.
 */
export async function issueCampaigns(db: Kysely<Tables>): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ project: number; id: number }>`
      select project_id as project, id from gateway.campaigns
      where issued_cards < requested_cards and status <> 'ENDED'
      order by updated_at limit ${CAMPAIGNS_PER_ROUND}`.execute(db)
    let issued = 0
    for (const { project, id } of rows) issued += await issuePart(new Tenant(db, project), id)
    if (issued === 0) return
  }
}
