import { OrderStatus } from '@mintmark/orders'

/** What reporting a payment does to an order. */
export type PaymentReport = 'recipient_mismatch' | 'not_payable' | 'expired' | 'mined' | 'same' | 'accepted'

/**
 * Judges a reported payment: pure, so that each state and event can be tested.
 *
 * @param order `hash` is the newest one reported and accepted, `mined` whether another of its transactions is in a block.
 */
export function judgePayment(
  order: { status: number; recipient: string; hash: string; expired: boolean; mined: boolean },
  payment: { recipient: string; hash: string },
): PaymentReport {
  if (order.recipient !== payment.recipient) return 'recipient_mismatch'
  if (order.hash === payment.hash) return 'same'
  if (order.status === OrderStatus.IN_PROGRESS) return order.mined ? 'mined' : 'accepted'
  if (order.status !== OrderStatus.PRE) return 'not_payable'
  return order.expired ? 'expired' : 'accepted'
}

/** A transaction's hash on an EVM chain. */
export function isTransactionHash(text: string): boolean {
  return /^0x[0-9a-fA-F]{64}$/.test(text)
}

/** Base units as whole tokens: a number, as the specification has it; `Order` has the exact amounts. */
export function wholeTokens(amount: string, decimals: number): number {
  return Number(`${amount}e-${decimals}`)
}

/** The numbers of an order's day, month, quarter, ISO week and year, UTC. */
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
