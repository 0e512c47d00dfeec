/** The language of the console. Its texts are English; numbers and times follow it. */
export const LOCALE = 'en-US'

const counts = new Intl.NumberFormat(LOCALE)
const compactCounts = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 })
const compactAmounts = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumSignificantDigits: 3 })
const percents = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 })

/** Formats a count with separators: `1,234`. */
export function formatCount(count: number): string {
  return counts.format(count)
}

/** Formats a large count for narrow places: `1.2K`. */
export function formatCompactCount(count: number): string {
  return compactCounts.format(count)
}

/** Formats an amount of whole tokens for narrow places: `0.002`, `1.23K`. */
export function formatCompactAmount(amount: number): string {
  return compactAmounts.format(amount)
}

/** Formats a ratio, such as 0.125, as `12.5%`. */
export function formatRatio(ratio: number): string {
  return percents.format(ratio)
}

/**
 * Formats a count with its noun.
 *
 * @example formatQuantity(1, { one: 'order', other: 'orders' }) // '1 order'
 */
export function formatQuantity(
  count: number,
  noun: { readonly one: string; readonly other: string },
): string {
  return `${formatCount(count)} ${count === 1 ? noun.one : noun.other}`
}
