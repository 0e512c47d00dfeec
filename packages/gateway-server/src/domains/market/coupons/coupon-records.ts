import { Coupon } from '@mintmark/market'
import { type Reader, toReference } from '../../../database/references.ts'
import { toRecord } from '../../../http/record-mapping.ts'
import type { CouponRow } from './coupons-store.ts'

/** Returns the record of a coupon. */
export function toCoupon(row: CouponRow, reader: Reader): Coupon {
  const endTime = row.end_time?.toISOString() ?? ''
  return toRecord(Coupon, row, { endTime, reference: toReference(row, reader) })
}
