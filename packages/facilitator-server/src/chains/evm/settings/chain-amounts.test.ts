import { expect, it } from 'vitest'
import { parseChainAmounts } from './chain-amounts.ts'

it('applies one amount to all chains', () => {
  const getCap = parseChainAmounts('MAX_FEE_PER_GAS', '400000')
  expect([getCap(1), getCap(8453)]).toEqual([400_000n, 400_000n])
})

it('applies amounts by chain and leaves the other chains at their default', () => {
  const getCap = parseChainAmounts('MAX_FEE_PER_GAS', '8453=5000000000, 1=100000000000')
  expect([getCap(8453), getCap(1), getCap(10)]).toEqual([5_000_000_000n, 100_000_000_000n, undefined])
  expect(parseChainAmounts('MAX_FEE_PER_GAS', undefined)(1)).toBeUndefined()
})

it.each([['0'], ['30gwei'], ['-1'], ['8453='], ['8453=0'], ['8453=1,8453=2'], ['8453=1,7']])(
  'rejects %s with the name of the setting',
  (text) => {
    expect(() => parseChainAmounts('MAX_FEE_PER_GAS', text)).toThrow(/^MAX_FEE_PER_GAS: /)
  },
)
