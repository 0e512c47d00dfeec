import { readPayToken } from '../../../form/pay-token-fields.ts'
import { readAsset } from '../asset-fields.ts'
import { toCouponField, toCouponTerms } from '../coupons/coupon-fields.ts'
import type { ListingKind } from './listing-kinds.ts'

/** Makes the input of a listing from the converted fields. */
export function toListingInput(
  kind: ListingKind,
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { quantity, payPrice, startTime, endTime, couponId, reservedFor } = input
  return {
    ...readAsset(input),
    quantity,
    payPrice,
    payTokenAddress: readPayToken(input),
    ...(startTime !== undefined && { startTime }),
    ...(endTime !== undefined && { endTime }),
    ...(kind === 'code' && { couponId }),
    ...((kind === 'coupon' || kind === 'limited') && { coupon: toCouponTerms(input) }),
    ...(kind === 'specified' && { reservedFor }),
  }
}

/** Finds the field that the path of an issue is about. */
export function toListingField(path: string): string {
  if (path === 'payTokenAddress') return 'payToken'
  return path.startsWith('coupon.') ? toCouponField(path) : path
}
