import { type DailyTotals, dailyTotals, type TokenRevenue } from '@mintmark/admin'
import type { FieldLimits } from '@mintmark/server-kit'
import { implementWithLimits } from '../../http/context.ts'
import { KEY } from '../../http/field-limits.ts'
import { checkTimeZone } from '../../http/time-zones.ts'
import type { CountedEvent } from './add-totals.ts'
import { type DayTotal, type DayTotals, listDays } from './totals-store.ts'

const DEFAULT_DAYS = 30
export const MAX_DAYS = 366
export const MAX_TOKENS = 100

/** What the operations of totals need of the server. */
export interface TotalsPorts {
  /** The time zone of days. */
  readonly storeTimeZone: string
}

const totalsLimits: FieldLimits = { days: { min: 1, max: MAX_DAYS }, timeZone: KEY }

export const totalsRoutes = implementWithLimits<TotalsPorts>(totalsLimits)(dailyTotals, {
  async get({ days = DEFAULT_DAYS, timeZone }, context) {
    await checkTimeZone(timeZone, context)
    const { tenant, storeTimeZone } = context
    return toDailyTotals(await listDays(tenant, { count: days, timeZone: timeZone ?? storeTimeZone }))
  },
})

function toDailyTotals(days: readonly DayTotals[]): DailyTotals {
  const countOf = (type: CountedEvent) =>
    days.map(({ totals }) =>
      totals.filter((total) => total.type === type).reduce((sum, { events }) => sum + events, 0),
    )
  return {
    days: days.map(({ day }) => day),
    ordersPlaced: countOf('order.created'),
    ordersPaid: countOf('order.paid'),
    scansAccepted: countOf('verification.accepted'),
    scansRefused: countOf('verification.refused'),
    revenue: listRevenue(days),
  }
}

/** Adds up what was paid in each token, the tokens with the most orders first. */
function listRevenue(days: readonly DayTotals[]): TokenRevenue[] {
  const paid = days.flatMap(({ day, totals }) =>
    totals.filter(({ type }) => type === 'order.paid').map((total) => ({ day, ...total })),
  )
  const byToken = Map.groupBy(paid, ({ chain_id, pay_token_address }) => `${chain_id} ${pay_token_address}`)
  return [...byToken.values()]
    .flatMap((group) => toRevenue(group, days))
    .sort((one, other) => other.orders - one.orders)
    .slice(0, MAX_TOKENS)
}

function toRevenue(
  group: readonly (DayTotal & { readonly day: string })[],
  days: readonly DayTotals[],
): TokenRevenue[] {
  const [first] = group
  const orders = group.reduce((sum, { events }) => sum + events, 0)
  // Every payment in the token may have been taken back.
  if (first === undefined || orders === 0) return []
  const amounts = new Map(group.map(({ day, amount }) => [day, amount]))
  return [
    {
      chainId: first.chain_id,
      payTokenAddress: first.pay_token_address,
      payTokenDecimals: first.pay_token_decimals,
      orders,
      total: String(group.reduce((sum, { amount }) => sum + BigInt(amount), 0n)),
      amounts: days.map(({ day }) => amounts.get(day) ?? '0'),
    },
  ]
}
