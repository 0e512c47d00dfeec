import { expect, it } from 'vitest'
import { collectPayTokens } from './pay-tokens.ts'

const address = '0xAbCdabcdabcdabcdabcdabcdabcdabcdabcdabcd'
const tokens = collectPayTokens([
  { chainId: '31337', payTokenAddress: address, payTokenDecimals: 6 },
  { chainId: '31337', payTokenAddress: '', payTokenDecimals: 18 },
  { chainId: '1', payTokenAddress: address, payTokenDecimals: 8 },
])

it('knows the decimals of a token from the records of its own chain', () => {
  expect(tokens.find('31337', address.toLowerCase())?.decimals).toBe(6)
  expect(tokens.find('1', address)?.decimals).toBe(8)
})

it('does not guess the decimals of a token that no record names', () => {
  expect(tokens.find('137', address)).toBeUndefined()
})

it('lists the native token first and each token once', () => {
  expect(tokens.list('31337').map((token) => token.address)).toEqual(['', address.toLowerCase()])
  expect(tokens.list('10').map((token) => token.address)).toEqual([''])
})
