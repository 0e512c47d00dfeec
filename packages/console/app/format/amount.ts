import { LOCALE } from '../language/locale.ts'
import { DECIMAL_SEPARATOR, swapSeparators } from './number.ts'

const groups = new Intl.NumberFormat(LOCALE)
const MAX_DIGITS = 78

/** An amount in base units with the decimals of its token. */
export interface TokenAmount {
  /** Decimal digits: an integer from 0 to 2^256 - 1. */
  readonly baseUnits: string
  readonly decimals: number
}

/**
 * Formats an amount in whole tokens, exactly: no digit is rounded away.
 *
 * @example formatAmount({ baseUnits: '1234500000', decimals: 6 }) // '1,234.5'
 */
export function formatAmount({ baseUnits, decimals }: TokenAmount): string {
  const { whole, fraction } = splitAmount({ baseUnits, decimals })
  return fraction === '' ? groups.format(whole) : `${groups.format(whole)}${DECIMAL_SEPARATOR}${fraction}`
}

/** Formats an amount in whole tokens for files: with a point before decimals, and no other sign. */
export function toPlainAmount(amount: TokenAmount): string {
  const { whole, fraction } = splitAmount(amount)
  return fraction === '' ? String(whole) : `${whole}.${fraction}`
}

/**
 * Formats an amount for a list: up to 4 digits of the fraction, from its first digit that is not 0. Further
 * digits are cut off, so the text is never more than the amount.
 *
 * @example formatShortAmount({ baseUnits: '1234567890123456789', decimals: 18 }) // '1.2345'
 */
export function formatShortAmount({ baseUnits, decimals }: TokenAmount): string {
  const { whole, fraction } = splitAmount({ baseUnits, decimals })
  const zeros = /^0*/.exec(fraction)?.[0].length ?? 0
  const shown = whole === 0n ? fraction.slice(0, zeros + 4) : fraction.slice(0, 4)
  const trimmed = shown.replace(/0+$/, '')
  return trimmed === '' ? groups.format(whole) : `${groups.format(whole)}${DECIMAL_SEPARATOR}${trimmed}`
}

/**
 * Parses an amount that a person typed, in whole tokens, to base units. Undefined if it is not a number, has
 * more decimals than the token, or has the decimal separator of another language.
 *
 * @example parseAmount('1.5', 6) // '1500000'
 */
export function parseAmount(text: string, decimals: number): string | undefined {
  const trimmed = swapSeparators(text.trim())
  const match = /^(\d+)(?:\.(\d*))?$/.exec(isGrouped(trimmed) ? trimmed.replaceAll(',', '') : trimmed)
  if (match === null) return undefined
  const [, whole = '', fraction = ''] = match
  const significant = fraction.replace(/0+$/, '')
  if (significant.length > decimals || whole.length > MAX_DIGITS) return undefined
  return BigInt(whole + significant.padEnd(decimals, '0')).toString()
}

/**
 * Whether the commas of a number can only separate thousands, as in `1,234.5` and `1,234,567`. In many
 * languages, `1,250` is less than two.
 */
function isGrouped(text: string): boolean {
  return /^[1-9]\d{0,2}(?:,\d{3}\.\d*|(?:,\d{3}){2,}(?:\.\d*)?)$/.test(text)
}

/** Converts an amount to a number for a chart, where a rounded value is enough. */
export function toApproximateNumber({ baseUnits, decimals }: TokenAmount): number {
  const { whole, fraction } = splitAmount({ baseUnits, decimals })
  return Number(`${whole}.${fraction === '' ? '0' : fraction}`)
}

function splitAmount({ baseUnits, decimals }: TokenAmount): {
  readonly whole: bigint
  readonly fraction: string
} {
  const digits = baseUnits.padStart(decimals + 1, '0')
  const place = digits.length - decimals
  return { whole: BigInt(digits.slice(0, place)), fraction: digits.slice(place).replace(/0+$/, '') }
}
