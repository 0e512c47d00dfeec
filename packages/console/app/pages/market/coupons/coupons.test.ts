import { CouponType } from '@mintmark/market'
import { expect, it } from 'vitest'
import { createFormat, formatDiscount } from './coupons.ts'

const USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const inUsdc = { chainId: '84532', payTokenAddress: USDC, payTokenDecimals: 6 }
const inEther = { chainId: '84532', payTokenAddress: '', payTokenDecimals: 18 }

it('the amounts of a coupon are in the token of the listings that accept it', () => {
  expect(createFormat([inUsdc])('5000000')).toBe('5 USDC')
  expect(createFormat([inEther])('250000000000000000')).toBe('0.25 ETH')
  const lower = { ...inUsdc, payTokenAddress: USDC.toLowerCase() }
  expect(createFormat([inUsdc, lower])('1500000')).toBe('1.5 USDC')
})

it('the amounts of a coupon are in base units without a listing, and with listings in different tokens', () => {
  for (const listings of [[], [inUsdc, inEther], [inUsdc, { ...inUsdc, chainId: '8453' }]])
    expect(createFormat(listings)('5000000')).toBe('5,000,000 base units of the listing’s token')
})

it('the amounts of a coupon are part of what the coupon does', () => {
  const off = { couponType: CouponType.AMOUNT_OFF, value: '5000000' }
  expect(formatDiscount(off, createFormat([inUsdc]))).toBe('5 USDC off an order')
  const percent = { couponType: CouponType.PERCENT, value: '1500' }
  expect(formatDiscount(percent, createFormat([]))).toBe('15% off')
})
