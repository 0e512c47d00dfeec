import { expect, it } from 'vitest'
import { formatPayToken } from './pay-token.ts'

it('names the native token of a chain', () => {
  expect(formatPayToken('8453', '')).toBe('ETH')
})

it('names a token by its symbol only where its address is the known one of that chain', () => {
  const usdc = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
  expect(formatPayToken('8453', usdc)).toBe('USDC')
  expect(formatPayToken('1', usdc)).toBe('0x8335…2913')
})
