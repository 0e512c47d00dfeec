import { CouponType } from '@mintmark/market'
import { MarketType, OrderStatus } from '@mintmark/orders'
import { normalizeName } from '../similar-names.ts'

/** The names of the values of fields that are numbers. */
const NAMES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  couponType: CouponType,
  marketType: MarketType,
  orderStatus: OrderStatus,
}

/** Lists the names of a field's values. Empty for a field without names. */
export function listNumberNames(field: string): readonly string[] {
  return Object.keys(NAMES[field] ?? {})
}

/** Returns the number that a name stands for, in any spelling: `in-progress` is `IN_PROGRESS`. */
export function findNumber(field: string, text: string): number | undefined {
  const names = Object.entries(NAMES[field] ?? {})
  return names.find(([name]) => normalizeName(name) === normalizeName(text))?.[1]
}

/** Returns the name of a field's value. Undefined for a value that a newer server added. */
export function findNumberName(field: string, value: number): string | undefined {
  return Object.entries(NAMES[field] ?? {}).find(([, number]) => number === value)?.[0]
}

/** Replaces the names of values in JSON by their numbers. */
export function replaceNumberNames(value: unknown, field = ''): unknown {
  if (typeof value === 'string') return findNumber(field, value) ?? value
  if (Array.isArray(value)) return value.map((each) => replaceNumberNames(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, replaceNumberNames(each, name)]),
  )
}
