import { randomInt } from 'node:crypto'
import { COUPON_CODE_TAKEN, type couponSales } from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import { type Refuse, transaction } from '@mintmark/server-kit'
import type { Db } from '../../context.ts'
import { codeOf, drawCode } from './coupon-rules.ts'
import * as store from './coupons-store.ts'

type Terms = InputOf<typeof couponSales.putOnShelf>['coupon']

/** Makes a coupon with the caller's own code, or with so many drawn ones. The terms were checked (`refuseTerms`). */
export async function makeCoupon(
  db: Db,
  asked: {
    readonly project: number
    readonly marketType: number
    readonly terms: Terms
    readonly count: number
  },
  { refuse }: Refuse<typeof COUPON_CODE_TAKEN>,
): Promise<{ coupon: store.CouponRow; codes: string[] }> {
  const { project, marketType, terms, count } = asked
  return await transaction(db, async (trx) => {
    const coupon = await store.add(trx, {
      project_id: project,
      market_type: marketType,
      coupon_type: terms.couponType,
      value: terms.value,
      minimum_amount: terms.minimumAmount ?? '0',
      max_redemptions: terms.maxRedemptions ?? 0,
      max_per_wallet: terms.maxPerWallet ?? 0,
      // The database's own moment, where none is given.
      ...(terms.startTime !== undefined && { start_time: new Date(terms.startTime) }),
      end_time: terms.endTime === undefined ? null : new Date(terms.endTime),
    })
    const codes: string[] = []
    if (terms.code === undefined) {
      // What was drawn before, by us or by anybody, is drawn again.
      while (codes.length < count) {
        const drawn = Array.from({ length: count - codes.length }, () => drawCode(randomInt))
        codes.push(...(await store.addCodes(trx, project, coupon.id, drawn)))
      }
    } else {
      codes.push(...(await store.addCodes(trx, project, coupon.id, [codeOf(terms.code)])))
      if (codes.length === 0) refuse(COUPON_CODE_TAKEN)
    }
    const found = await store.find(trx, project, coupon.id)
    if (found === undefined) throw new Error('the coupon that was just made is gone')
    return { coupon: found, codes }
  })
}
