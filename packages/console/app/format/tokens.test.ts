import { expect, it } from 'vitest'
import { findWellKnownToken } from './pay-token.ts'

const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

it('knows the decimals of the native token and of USDC, whatever the case of the address', () => {
  expect(findWellKnownToken('8453', '')).toMatchObject({ decimals: 18 })
  expect(findWellKnownToken('8453', usdc)).toMatchObject({ address: usdc.toLowerCase(), decimals: 6 })
})

it('takes no token for USDC because another chain has USDC at that address', () => {
  expect(findWellKnownToken('31337', usdc)).toBeUndefined()
})
