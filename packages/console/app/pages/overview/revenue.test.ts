import { expect, it } from 'vitest'
import { listChartedRevenue } from './revenue.ts'

it('shows the four tokens with the most orders in whole tokens', () => {
  const revenueOf = (orders: number) => ({
    ...{ chainId: '84532', payTokenAddress: '', payTokenDecimals: 6, orders },
    ...{ total: '3500000', amounts: ['0', '1500000', '2000000'] },
  })
  const charted = listChartedRevenue({ revenue: [5, 4, 3, 2, 1].map(revenueOf) })
  expect(charted).toHaveLength(4)
  expect(charted[0]).toEqual({ token: 'ETH', decimals: 6, total: '3500000', values: [0, 1.5, 2] })
})
