import { expect, it } from 'vitest'
import { listChartedRevenue } from './revenue.ts'

it('shows the four tokens with the most orders in whole tokens, and the sum of the period before', () => {
  const revenueOf = (orders: number) => ({
    chainId: '84532',
    payTokenAddress: '',
    payTokenDecimals: 6,
    orders,
    total: '3500000',
    amounts: ['1000000', '250000', '0', '1500000'],
  })
  const charted = listChartedRevenue({ revenue: [5, 4, 3, 2, 1].map(revenueOf) })
  expect(charted).toHaveLength(4)
  expect(charted[0]).toEqual({ token: 'ETH', decimals: 6, total: '1500000', values: [0, 1.5], before: 1.25 })
})

it('names the chains of tokens with the same name, whose amounts are not added', () => {
  const revenueOf = (chainId: string, payTokenAddress: string) => ({
    chainId,
    payTokenAddress,
    payTokenDecimals: 6,
    orders: 1,
    total: '1',
    amounts: ['1'],
  })
  const charted = listChartedRevenue({
    revenue: [
      revenueOf('8453', '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'),
      revenueOf('10', '0x0b2c639c533813f4aa9d7837caf62653d097ff85'),
      revenueOf('137', ''),
    ],
  })
  expect(charted.map(({ token }) => token)).toEqual(['USDC, Base', 'USDC, OP Mainnet', 'POL'])
})
