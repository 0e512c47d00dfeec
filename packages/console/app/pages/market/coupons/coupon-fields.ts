import { CouponType } from '@mintmark/market'
import type { FieldDefinitions, FormValues } from '../../../form/form-values.ts'
import { createAmountField } from '../../../form/pay-token-fields.ts'
import { couponsTexts } from '../../../texts/market.ts'

const { fields: texts, types } = couponsTexts

const typeOptions = Object.values(CouponType).map((type) => ({ value: String(type), label: types[type] }))

/** A percentage with two decimals is a number of basis points. */
const PERCENT_DECIMALS = 2

/** The names of the fields, by those of the input. */
const nameByInput = {
  couponType: 'couponType',
  value: 'couponValue',
  minimumAmount: 'couponMinimum',
  maxRedemptions: 'couponMaximum',
  maxPerWallet: 'couponPerWallet',
  startTime: 'couponStart',
  endTime: 'couponEnd',
} as const

interface CouponFieldOptions {
  /** The decimals of the listings' token; undefined if they are not known. */
  readonly decimals: number | undefined
  /** Whether the coupon must end. */
  readonly isLimited?: boolean
}

/** Returns the fields of a coupon's terms. */
export function listCouponFields(
  values: FormValues,
  { decimals, isLimited = false }: CouponFieldOptions,
): FieldDefinitions {
  const isRequired = true
  const type = Number(values.couponType)
  const valueField =
    type === CouponType.PERCENT
      ? ({ kind: 'amount', decimals: PERCENT_DECIMALS, isRequired, ...texts.percent } as const)
      : createAmountField(decimals, {
          isRequired,
          ...(type === CouponType.AMOUNT_OFF ? texts.amountOff : texts.fixedPrice),
        })
  return {
    couponType: { kind: 'select', isRequired, isNumber: true, options: typeOptions, ...texts.couponType },
    couponValue: valueField,
    couponMinimum: createAmountField(decimals, texts.minimumAmount),
    couponMaximum: { kind: 'integer', ...texts.maxRedemptions },
    couponPerWallet: { kind: 'integer', ...texts.maxPerWallet },
    couponStart: { kind: 'time', ...texts.startTime },
    couponEnd: { kind: 'time', isRequired: isLimited, ...texts.endTime },
  }
}

/** What is entered first in the fields of a coupon. */
export const newCoupon: FormValues = { couponType: String(CouponType.PERCENT) }

/** Makes the terms of a coupon from the converted fields. */
export function toCouponTerms(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(nameByInput).map(([name, field]) => [name, input[field]] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** Finds the field of the path of an issue: of a coupon's terms, or of a listing's field `coupon`. */
export function toCouponField(path: string): string {
  const name = path.replace(/^coupon\./, '')
  return name in nameByInput ? nameByInput[name as keyof typeof nameByInput] : path
}
