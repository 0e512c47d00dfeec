import { LOCALE } from '../language/locale.ts'
import { t } from '../language/translate.ts'

/** The decimal separator of the language: a point or a comma. */
export const DECIMAL_SEPARATOR = new Intl.NumberFormat(LOCALE).format(1.5).charAt(1)

/** Converts a number with a point to one as people write it, such as `1,5` in German, and back. */
export function swapSeparators(text: string): string {
  return DECIMAL_SEPARATOR === ',' ? text.replace(/[.,]/g, (sign) => (sign === ',' ? '.' : ',')) : text
}

function createFormat(options?: Intl.NumberFormatOptions): (number: number) => string {
  const format = new Intl.NumberFormat(LOCALE, options)
  return (number) => format.format(number)
}

/** Formats a count with separators: `1,234`. */
export const formatCount = createFormat()

/** Formats a number with the decimals that a card can have. */
export const formatNumber = createFormat({ maximumFractionDigits: 9 })

/** Formats a large count for narrow places: `1.2K`. */
export const formatCompactCount = createFormat({ notation: 'compact', maximumFractionDigits: 1 })

/** Formats an amount of whole tokens for narrow places: `0.002`, `1.23K`. */
export const formatCompactAmount = createFormat({ notation: 'compact', maximumSignificantDigits: 3 })

/** Formats a ratio, such as 0.125, as `12.5%`. */
export const formatRatio = createFormat({ style: 'percent', maximumFractionDigits: 1 })

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

/** Says how a figure changed: `+12.5%`, `−3%`, `no change`. `''` if there was nothing before. */
export function formatChange(now: number, before: number): string {
  if (before === 0) return ''
  if (now === before) return t('no change')
  const ratio = formatRatio(Math.abs(now - before) / before)
  return now > before ? `+${ratio}` : `−${ratio}`
}
