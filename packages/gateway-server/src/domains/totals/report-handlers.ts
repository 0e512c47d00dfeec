import { REPORT_TOO_LARGE, type RedemptionsReportInput, reports } from '@mintmark/admin'
import { type FieldLimits, type Refuse, refusal } from '@mintmark/server-kit'
import { type GatewayContext, implementWithLimits } from '../../http/context.ts'
import { KEY } from '../../http/field-limits.ts'
import { checkTimeZone } from '../../http/time-zones.ts'
import { listRedemptions, listSales, MAX_ROWS, type ReportDays } from './reports-store.ts'
import { MAX_DAYS, type TotalsPorts } from './totals-handlers.ts'

const DAY = { characters: 10 } as const
const DAY_MS = 86_400_000

const reportLimits: FieldLimits = { from: DAY, to: DAY, timeZone: KEY }

export const reportRoutes = implementWithLimits<TotalsPorts>(reportLimits)(reports, {
  async sales({ by, ...period }, context) {
    return refuseLarge(await listSales(context.tenant, by, await readDays(period, context)))
  },
  async redemptions({ by, ...period }, context) {
    return refuseLarge(await listRedemptions(context.tenant, by, await readDays(period, context)))
  },
})

async function readDays(
  { from, to, timeZone }: Omit<RedemptionsReportInput, 'by'>,
  context: GatewayContext & TotalsPorts & Refuse,
): Promise<ReportDays> {
  // In UTC, where all days have the same length.
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (count < 1) context.invalid('to', 'Expected a day that is not before the first one')
  if (count > MAX_DAYS) context.invalid('to', `Expected at most ${MAX_DAYS} days with the first one`)
  await checkTimeZone(timeZone, context)
  return { from, to, timeZone: timeZone ?? context.storeTimeZone }
}

function refuseLarge<Row>(rows: Row[]): Row[] {
  if (rows.length > MAX_ROWS) throw refusal(REPORT_TOO_LARGE)
  return rows
}
