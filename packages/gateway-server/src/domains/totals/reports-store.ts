import type { RedemptionsReportInput, RedemptionsRow, SalesReportInput, SalesRow } from '@mintmark/admin'
import { OrderStatus } from '@mintmark/orders'
import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../../database/tenant.ts'

/** The most rows of a report. */
export const MAX_ROWS = 1000

/** The days of a report, in a time zone. */
export interface ReportDays {
  readonly from: string
  readonly to: string
  readonly timeZone: string
}

/**
 * Adds up paid orders, read as a list of `gateway.orders`, and what was returned of their amounts. At most one row more
 * than `MAX_ROWS`.
 */
export async function listSales(
  tenant: Tenant,
  by: SalesReportInput['by'],
  days: ReportDays,
): Promise<SalesRow[]> {
  const group = {
    day: toDay(days),
    month: toMonth(days),
    item: sql`concat_ws('/', chain_id, nft_address, nft_id)`,
  }[by]
  const isItem = by === 'item'
  const { rows } = await sql<SalesRow>`
    select ${group} as "group", ${isItem ? sql`max(nft_name)` : sql`''`} as name, chain_id as "chainId",
      pay_token_address as "payTokenAddress", max(pay_token_decimals)::int as "payTokenDecimals",
      count(*)::bigint as orders, sum(quantity)::bigint as quantity, sum(pay_amount)::text as paid,
      sum(refunded)::text as refunded, sum(pay_amount - refunded)::text as kept
    from gateway.orders
    cross join lateral (
      select case when refunded_amount = 0 then 0 else greatest(0, refunded_amount - (
        -- What refunds returned of payments beyond the order's amount. A refund that an operator named returned all of it.
        select coalesce(sum(case when payment.refund = 'done' and payment.refund_hash in (
            select returned.hash from gateway.consumed_payments returned
            where returned.project_id = ${tenant.project} and returned.chain_id = orders.chain_id
              and returned.order_id = orders.id and returned.refund_amount > 0)
          then payment.refund_amount else payment.refunded_amount end), 0)
        from gateway.order_payments payment
        where payment.project_id = ${tenant.project} and payment.order_id = orders.id)) end as refunded) of_sale
    where project_id = ${tenant.project} and status = ${sql.lit(OrderStatus.SUCCESS)} and not deleted and ${isWithin(days)}
    group by 1, chain_id, pay_token_address
    order by ${isItem ? sql`orders desc, 1` : sql`1`}, chain_id, pay_token_address
    limit ${MAX_ROWS + 1}`.execute(tenant)
  return rows
}

/** Counts verifications of all programs, read as lists of `gateway.card_verifications`. At most one row more than `MAX_ROWS`. */
export async function listRedemptions(
  tenant: Tenant,
  by: RedemptionsReportInput['by'],
  days: ReportDays,
): Promise<RedemptionsRow[]> {
  const none = sql`''`
  const ofCampaign = sql`(
    select campaign_id from gateway.cards card
    where card.project_id = ${tenant.project} and card.id = scan.card_id)`
  const [group, name] = {
    day: [toDay(days), none],
    month: [toMonth(days), none],
    store: [sql`ltrim(store_key)`, none],
    campaign: [sql`coalesce(${ofCampaign}::text, '')`, none],
    person: [sql`actor`, sql`verifier`],
  }[by]
  const shownName = {
    day: sql`name`,
    month: sql`name`,
    person: sql`name`,
    store: sql`coalesce((
      select store.name from gateway.stores store
      where store.project_id = ${tenant.project} and '#' || store.id = g."group"), max(store))`,
    campaign: sql`coalesce((
      select campaign.name from gateway.campaigns campaign
      where campaign.project_id = ${tenant.project} and campaign.id::text = g."group"), '')`,
  }[by]
  const inTime = by === 'day' || by === 'month'
  const { rows } = await sql<RedemptionsRow>`
    with g as (
      select ${group} as "group", ${name} as name, reason, max(store) as store, count(*) as count,
        count(reversed_by) as undone
      from gateway.card_verifications scan
      where project_id = ${tenant.project} and program in ('promo_code', 'event', 'membership') and ${isWithin(days)}
        and result <> 'REVERSED'
      group by 1, 2, reason
    )
    select "group", ${shownName} as name, coalesce(sum(count) filter (where reason = ''), 0)::bigint as accepted,
      sum(undone)::bigint as undone,
      coalesce(json_agg(json_build_object('reason', reason, 'count', count) order by count desc, reason)
        filter (where reason <> ''), '[]') as refused
    from g
    group by "group", g.name
    order by ${inTime ? sql`1` : sql`accepted desc, 1, 2`}
    limit ${MAX_ROWS + 1}`.execute(tenant)
  return rows
}

const toDay = ({ timeZone }: ReportDays) =>
  sql`to_char(created_at at time zone ${timeZone}::text, 'YYYY-MM-DD')`
const toMonth = ({ timeZone }: ReportDays) =>
  sql`to_char(created_at at time zone ${timeZone}::text, 'YYYY-MM')`

/** Whether a row was created on the days. They begin at midnight, also when clocks change. */
function isWithin({ from, to, timeZone }: ReportDays): RawBuilder<boolean> {
  return sql`created_at >= ${from}::date::timestamp at time zone ${timeZone}::text
    and created_at < (${to}::date + 1)::timestamp at time zone ${timeZone}::text`
}
