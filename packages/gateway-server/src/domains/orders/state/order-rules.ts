import { ORDER_NOT_PAYABLE, OrderStatus, PAYMENT_MINED } from '@mintmark/orders'

/**
 * What reporting a payment does to an order: `same` repeats the newest report, and a rule refuses it after it
 * was recorded.
 */
export type ReportOutcome = 'same' | 'accepted' | typeof ORDER_NOT_PAYABLE | typeof PAYMENT_MINED

/**
 * Evaluates a reported payment.
 *
 * @param order `hash` is the newest accepted one, `mined` whether a block holds another of its transactions,
 * `partial_payments` whether that may be a part of the price.
 */
export function evaluateReport(
  order: {
    status: number
    hash: string
    expired: boolean
    mined: boolean
    partial_payments: boolean
  },
  hash: string,
): ReportOutcome {
  if (order.hash === hash) return 'same'
  if (order.status === OrderStatus.IN_PROGRESS) {
    const mayBePart = order.partial_payments && !order.expired
    return order.mined && !mayBePart ? PAYMENT_MINED : 'accepted'
  }
  return order.status === OrderStatus.PRE && !order.expired ? 'accepted' : ORDER_NOT_PAYABLE
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
