import { expect, it } from 'vitest'
import { countDaysLeft } from './own-account-figures.ts'

it('the settles of an account last at the rate of its last seven days, which older days do not change', () => {
  const settlePrice = '2000'
  const charged = ['9000000', ...Array(6).fill('0'), '28000']
  expect(countDaysLeft({ charged, settlePrice, settlesLeft: 9 })).toBe(4)
  expect(
    countDaysLeft({ charged: ['9000000', ...Array(7).fill('0')], settlePrice, settlesLeft: 9 }),
  ).toBeUndefined()
})
