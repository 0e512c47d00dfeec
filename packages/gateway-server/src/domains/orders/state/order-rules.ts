import { OrderStatus } from '@mintmark/orders'

/** Why a reported payment is refused. */
export type ReportReason = 'recipient_mismatch' | 'not_payable' | 'expired' | 'mined'
/** What reporting a payment does to an order: `same` repeats the newest report. */
export type ReportOutcome = ReportReason | 'same' | 'accepted'

/**
 * Evaluates a reported payment.
 *
 * @param order `hash` is the newest accepted one, `mined` whether a block holds another of its transactions.
 */
export function evaluateReport(
  order: { status: number; recipient: string; hash: string; expired: boolean; mined: boolean },
  payment: { recipient: string; hash: string },
): ReportOutcome {
  if (order.recipient !== payment.recipient) return 'recipient_mismatch'
  if (order.hash === payment.hash) return 'same'
  if (order.status === OrderStatus.IN_PROGRESS) return order.mined ? 'mined' : 'accepted'
  if (order.status !== OrderStatus.PRE) return 'not_payable'
  return order.expired ? 'expired' : 'accepted'
}

/** Whether a text is the hash of a transaction on an EVM chain. */
export function isTransactionHash(text: string): boolean {
  return /^0x[0-9a-fA-F]{64}$/.test(text)
}

/**
 * Converts base units to whole tokens: a number, as the specification requires. `Order` has the exact
 * amounts.
 */
export function wholeTokens(amount: string, decimals: number): number {
  return Number(`${amount}e-${decimals}`)
}

/** Returns an order's day, month, quarter, ISO week and year as numbers, in UTC. */
export function calendarOf(moment: Date) {
  const year = moment.getUTCFullYear()
  const month = moment.getUTCMonth() + 1
  // ISO 8601: a week belongs to the year of its Thursday.
  const thursday = new Date(Date.UTC(year, month - 1, moment.getUTCDate() + 4 - (moment.getUTCDay() || 7)))
  const weekYear = thursday.getUTCFullYear()
  const week = Math.ceil(((thursday.getTime() - Date.UTC(weekYear, 0, 1)) / 86_400_000 + 1) / 7)
  return {
    oday: (year * 100 + month) * 100 + moment.getUTCDate(),
    omonth: year * 100 + month,
    oseason: year * 10 + Math.ceil(month / 3),
    oweek: weekYear * 100 + week,
    oyear: year,
  }
}
