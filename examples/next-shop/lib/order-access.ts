import 'server-only'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { cookies } from 'next/headers'
import { readSetting } from './settings.ts'

const COOKIE = 'order'
const MAX_AGE_SECONDS = 30 * 86_400

/**
 * Lets this browser see an order. The cookie is bound to the order's number, so that it opens no other order.
 */
export async function grantAccess(orderNo: string): Promise<void> {
  const store = await cookies()
  store.set(COOKIE, signOrderNo(orderNo), {
    path: `/orders/${orderNo}`,
    httpOnly: true,
    sameSite: 'lax',
    secure: process.env.NODE_ENV === 'production',
    maxAge: MAX_AGE_SECONDS,
  })
}

/** Whether this browser placed an order. */
export async function hasAccess(orderNo: string): Promise<boolean> {
  const store = await cookies()
  const expected = Buffer.from(signOrderNo(orderNo))
  const actual = Buffer.from(store.get(COOKIE)?.value ?? '')
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

function signOrderNo(orderNo: string): string {
  return createHmac('sha256', readSetting('SHOP_SECRET')).update(orderNo).digest('base64url')
}
