import { commonSales, couponSales } from '@mintmark/market'
import { inputIssues } from '@mintmark/operation'
import { expect, it } from 'vitest'
import { toInput } from '../../../form/form-values.ts'
import { formatAssetValue } from '../../../format/sold-token.ts'
import { listCouponFields } from '../coupons/coupon-fields.ts'
import { toListingField, toListingInput } from './listing-form.tsx'

const token = { nftAddress: `0x${'a'.repeat(40)}`, seller: `0x${'b'.repeat(40)}`, nftId: '7' }
const entered = { asset: formatAssetValue(token), quantity: 2, payPrice: '1500000', payToken: 'native' }

it('the input of a listing has the selected token, and an empty address for the native token of the chain', () => {
  const input = toListingInput('common', { ...entered, reservedFor: [token.seller], couponId: 3 })
  expect(input).toEqual({ ...token, quantity: 2, payPrice: '1500000', payTokenAddress: '' })
  expect(inputIssues(commonSales.putOnShelf, input as never)).toEqual([])
})

it('the input of a listing has the token and the currency that were entered instead of selected', () => {
  const payTokenAddress = `0x${'c'.repeat(40)}`
  const other = { asset: 'other', ...token, payToken: 'other', payTokenAddress }
  expect(toListingInput('common', { ...entered, ...other })).toMatchObject({ ...token, payTokenAddress })
})

it('the input of a listing has a discount in percent as basis points, and only the terms that were entered', () => {
  const values = { couponType: '1', couponValue: '12.5', couponMaximum: '3' }
  const { input, issues } = toInput(listCouponFields(values, { decimals: 6 }), values)
  expect(issues).toEqual([])
  const whole = toListingInput('coupon', { ...entered, ...input })
  expect(whole).toMatchObject({ coupon: { couponType: 1, value: '1250', maxRedemptions: 3 } })
  expect(inputIssues(couponSales.putOnShelf, whole as never)).toEqual([])
})

it('the input of a listing has an amount off in base units of the token', () => {
  const values = { couponType: '2', couponValue: '2.5' }
  const { input } = toInput(listCouponFields(values, { decimals: 6 }), values)
  expect(toListingInput('limited', { ...entered, ...input })).toMatchObject({
    coupon: { value: '2500000' },
  })
})

it('the input of a listing takes no amount in tokens while the decimals are not known', () => {
  const values = { couponType: '2', couponValue: '2.5' }
  const { issues } = toInput(listCouponFields(values, { decimals: undefined }), values)
  expect(issues.map(({ path }) => path)).toEqual(['couponValue'])
})

it('shows issues of the coupon and of the token at their fields', () => {
  expect(toListingField('coupon.value')).toBe('couponValue')
  expect(toListingField('coupon.endTime')).toBe('couponEnd')
  expect(toListingField('endTime')).toBe('endTime')
  expect(toListingField('payTokenAddress')).toBe('payToken')
})
