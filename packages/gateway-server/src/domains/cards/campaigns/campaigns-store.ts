import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { NewRow, Tenant } from '../../../database/tenant.ts'
import { drawQrCode, toCampaignKey } from '../programs/card-rules.ts'
import { cardStatus } from '../programs/card-status.ts'

/** All but the template, which may be large. */
const COLUMNS = [
  'id',
  'project_id',
  'name',
  'program',
  'status',
  'max_cards',
  'requested_cards',
  'issued_cards',
  'created_at',
  'updated_at',
] as const satisfies (keyof Tables['gateway.campaigns'])[]

export type CampaignRow = Pick<Selectable<Tables['gateway.campaigns']>, (typeof COLUMNS)[number]>

/** The most campaigns of a project that have not ended. */
export const MAX_CAMPAIGNS = 1000
/** The most campaigns of a list, and the most days of a campaign. */
const MAX_LISTED = 1000
/** Cards that one transaction issues. */
const PART_SIZE = 500

/** Adds a campaign. Call it within a transaction. */
export async function addCampaign(
  trx: Tenant,
  row: NewRow<'gateway.campaigns'>,
): Promise<CampaignRow | 'full'> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`gateway.campaigns/${trx.project}`}, 0))`.execute(
    trx,
  )
  const { count } = await trx
    .selectFrom('gateway.campaigns')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('status', '<>', 'ENDED')
    .executeTakeFirstOrThrow()
  if (count >= MAX_CAMPAIGNS) return 'full'
  return await trx.insertInto('gateway.campaigns').values(row).returning(COLUMNS).executeTakeFirstOrThrow()
}

export async function findCampaign(tenant: Tenant, id: number): Promise<CampaignRow | undefined> {
  return await tenant.selectFrom('gateway.campaigns').select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

/** Lists campaigns, those that have not ended first: a project has at most `MAX_CAMPAIGNS` of them. */
export async function listCampaigns(tenant: Tenant): Promise<CampaignRow[]> {
  return await tenant
    .selectFrom('gateway.campaigns')
    .select(COLUMNS)
    .orderBy(sql`status = 'ENDED'`)
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute()
}

/** Changes the name or the most cards. Returns undefined if there is no such campaign. */
export async function changeCampaign(
  tenant: Tenant,
  id: number,
  change: { name?: string | undefined; max_cards?: number | undefined },
): Promise<CampaignRow | undefined> {
  return await tenant
    .updateTable('gateway.campaigns')
    .set({ ...change, updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()
}

/** Sets the status of a campaign that has not ended. Ending it twice is the same. */
export async function setStatus(
  tenant: Tenant,
  id: number,
  status: 'ACTIVE' | 'PAUSED' | 'ENDED',
): Promise<CampaignRow | undefined> {
  return await tenant
    .updateTable('gateway.campaigns')
    .set({
      status,
      updated_at: sql<Date>`case when status = ${status} then updated_at else clock_timestamp() end`,
    })
    .where('id', '=', id)
    .where((where) => where.or([where('status', '<>', 'ENDED'), where.lit(status === 'ENDED')]))
    .returning(COLUMNS)
    .executeTakeFirst()
}

/** People whom `owner` gives cards, by its own references. */
interface Recipients {
  readonly references: readonly string[]
  readonly owner: string
}

/** Requests cards of a campaign that has not ended, and issues the first part. A constraint limits their number. */
export async function issueCards(trx: Tenant, id: number, count: number, to?: Recipients): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('gateway.campaigns')
    .set({
      requested_cards: sql<number>`requested_cards + ${count}::bigint`,
      updated_at: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', id)
    .where('status', '<>', 'ENDED')
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) await issuePart(trx, id, to)
  return numUpdatedRows > 0n
}

/** Issues a card to each of at most `PART_SIZE` recipients who has none of a campaign that has not ended. */
export async function issueTo(trx: Tenant, id: number, { references, owner }: Recipients): Promise<boolean> {
  // Of two calls at once the second one waits here, and sees whom the first one gave a card.
  const campaign = await trx
    .selectFrom('gateway.campaigns')
    .select('program')
    .where('id', '=', id)
    .where('status', '<>', 'ENDED')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (campaign === undefined) return false
  const { rows } = await sql<{ reference: string }>`
    select distinct reference from unnest(${[...references]}::text[]) as recipient (reference)
    where not exists (
      select from gateway.cards as c
      where c.project_id = ${trx.project}::bigint and c.program = ${campaign.program} and c.campaign_id = ${id}::bigint
        and c.reference = recipient.reference and c.reference <> '' and not c.deleted)`.execute(trx)
  const lacking = rows.map(({ reference }) => reference)
  return lacking.length === 0 || (await issueCards(trx, id, lacking.length, { references: lacking, owner }))
}

/**
 * Issues the next cards of a campaign, at most `PART_SIZE`, and counts them in the same statement, so that
 * each is issued once. Does nothing while another transaction issues cards of the campaign. Returns the number
 * of cards.
 *
 * @param to Whom the cards are for. Default: nobody in particular.
 */
export async function issuePart(tenant: Tenant, id: number, to?: Recipients): Promise<number> {
  const codes = Array.from({ length: to?.references.length ?? PART_SIZE }, drawQrCode)
  const { rows } = await sql<{ issued: number }>`
    with campaign as materialized (
      select * from gateway.campaigns
      where project_id = ${tenant.project}::bigint and id = ${id}::bigint and status <> 'ENDED'
        and issued_cards < requested_cards
      for no key update skip locked
    ),
    added as (
      insert into gateway.cards
        (project_id, program, campaign_id, qr_code, name, creator, chain_id, nft_address, nft_type, start_time, end_time,
          validity_period, total_issued, amount, applicable_stores, store_keys, level, benefits, background_image_url,
          logo_url, image_url, usage_instructions, reference, reference_owner)
      select campaign.project_id, campaign.program, campaign.id, code, t.name, t.creator, t.chain_id, t.nft_address,
        t.nft_type, t.start_time, t.end_time, t.validity_period, t.total_issued, coalesce(t.amount, 0),
        coalesce(t.applicable_stores, '{}'), coalesce(t.store_keys, '{}'), coalesce(t.level, ''),
        coalesce(t.benefits, '{}'), coalesce(t.background_image_url, ''), coalesce(t.logo_url, ''),
        coalesce(t.image_url, ''), coalesce(t.usage_instructions, ''), coalesce(part.reference, ''),
        case when part.reference is null then '' else ${to?.owner ?? ''} end
      from campaign
      cross join lateral jsonb_populate_record(null::gateway.cards, campaign.template) as t
      cross join unnest(${codes}::text[], ${to?.references ?? []}::text[])
        with ordinality as part (code, reference, number)
      where number <= campaign.requested_cards - campaign.issued_cards
      returning id
    ),
    counted as (
      update gateway.campaigns as c set
        issued_cards = c.issued_cards + (select count(*) from added), updated_at = clock_timestamp()
      from campaign where c.project_id = campaign.project_id and c.id = campaign.id
    )
    select count(*)::int as issued from added`.execute(tenant)
  return rows[0]?.issued ?? 0
}

/** The totals of a campaign's cards and their verifications. */
export interface Totals {
  readonly active: number
  readonly expired: number
  readonly used: number
  readonly refused: { reason: string; count: number }[]
  readonly days: { day: string; store: string; used: number; refused: number }[]
}

export async function readTotals(tenant: Tenant, { id, program, status }: CampaignRow): Promise<Totals> {
  const { rows: statuses } = await sql<{ status: string; count: number }>`
    select ${cardStatus} as status, count(*)::int as count from gateway.cards
    where project_id = ${tenant.project}::bigint and id in (
      select card_id from gateway.card_stores
      where project_id = ${tenant.project}::bigint and program = ${program} and store = ${toCampaignKey(id)})
    group by 1`.execute(tenant)
  const isCounted = sql`project_id = ${tenant.project}::bigint and campaign_id = ${id}::bigint`
  const { rows: outcomes } = await sql<{ reason: string; count: number }>`
    select outcome as reason, sum(count)::int as count from gateway.card_counts where ${isCounted}
    group by outcome order by outcome`.execute(tenant)
  const { rows: days } = await sql<Totals['days'][number]>`
    select day::text, store,
      sum(case outcome when 'OK' then count when 'REVERSED' then -count else 0 end)::int as used,
      sum(case when outcome in ('OK', 'REVERSED') then 0 else count end)::int as refused
    from gateway.card_counts where ${isCounted}
    group by card_counts.day, store order by card_counts.day desc, store limit ${MAX_LISTED}`.execute(tenant)
  const countOf = (name: string) => statuses.find((each) => each.status === name)?.count ?? 0
  const sumOf = (outcome: string) => outcomes.find(({ reason }) => reason === outcome)?.count ?? 0
  return {
    active: status === 'ACTIVE' ? countOf('ACTIVE') : 0,
    expired: countOf('EXPIRED'),
    used: sumOf('OK') - sumOf('REVERSED'),
    refused: outcomes.filter(({ reason }) => reason !== 'OK' && reason !== 'REVERSED'),
    days,
  }
}
