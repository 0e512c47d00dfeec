import { randomInt } from 'node:crypto'
import { COUPON_CODE_TAKEN } from '@mintmark/market'
import { parseOptionalTime, refusal } from '@mintmark/server-kit'
import { toReferenceColumns } from '../../../database/references.ts'
import type { Tenant } from '../../../database/tenant.ts'
import { toColumns } from '../../../http/record-mapping.ts'
import { type CouponTerms, drawCode } from './coupon-rules.ts'
import * as store from './coupons-store.ts'

function toCouponColumns({ code, ...terms }: CouponTerms) {
  return {
    ...toColumns(terms),
    end_time: parseOptionalTime(terms.endTime) ?? null,
    max_per_wallet: terms.maxPerWallet ?? 0,
    max_redemptions: terms.maxRedemptions ?? 0,
    minimum_amount: terms.minimumAmount ?? '0',
    // Without a start time, the database's clock decides.
    start_time: parseOptionalTime(terms.startTime),
  }
}

interface CouponRequest {
  readonly marketType: number
  readonly terms: CouponTerms
  /** The number of codes to draw if the terms have none. */
  readonly count: number
  /** The wallet of the caller's key, or ''. */
  readonly wallet: string
}

/**
 * Creates a coupon with the caller's own code, or with `count` drawn codes. The terms must be valid: see
 * `checkTerms`.
 */
export async function createCoupon(
  tenant: Tenant,
  { marketType, terms, count, wallet }: CouponRequest,
): Promise<{ coupon: store.CouponRow; codes: string[] }> {
  return await tenant.transaction(async (trx) => {
    const { id } = await store.add(trx, {
      ...toCouponColumns(terms),
      ...toReferenceColumns(terms.reference, wallet),
      market_type: marketType,
    })
    const codes: string[] = []
    if (terms.code === undefined) {
      // Codes that already exist are drawn again.
      while (codes.length < count) {
        const candidates = Array.from({ length: count - codes.length }, () => drawCode(randomInt))
        codes.push(...(await store.addCodes(trx, id, candidates)))
      }
    } else {
      codes.push(...(await store.addCodes(trx, id, [terms.code])))
      if (codes.length === 0) throw refusal(COUPON_CODE_TAKEN)
    }
    const coupon = await store.find(trx, id)
    if (coupon === undefined) throw new Error('The insert returned no coupon')
    return { coupon, codes }
  })
}
