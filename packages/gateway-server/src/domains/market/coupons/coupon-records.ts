import type { Coupon } from '@mintmark/market'
import { type Reader, toReference } from '../../../database/references.ts'
import type { AllFields } from '../../../http/record-mapping.ts'
import type { CouponRow } from './coupons-store.ts'

/** Returns the record of a coupon. */
export function toCoupon(row: CouponRow, reader: Reader): AllFields<Coupon> {
  return {
    code: row.code,
    couponType: row.coupon_type,
    createTime: row.created_at.toISOString(),
    createTimeLong: row.created_at.getTime(),
    endTime: row.end_time?.toISOString() ?? '',
    id: row.id,
    marketType: row.market_type,
    maxPerWallet: row.max_per_wallet,
    maxRedemptions: row.max_redemptions,
    minimumAmount: row.minimum_amount,
    projectId: row.project_id,
    redeemed: row.redeemed,
    reference: toReference(row, reader),
    startTime: row.start_time.toISOString(),
    updateTime: row.updated_at.toISOString(),
    used: row.used,
    value: row.value,
  }
}
