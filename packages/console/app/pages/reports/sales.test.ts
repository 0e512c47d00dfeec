import { expect, it } from 'vitest'
import { addUp, formatSum, listTokenSales } from './sales.ts'

const row = {
  group: '2026-11-01',
  name: '',
  chainId: '8453',
  payTokenAddress: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  payTokenDecimals: 6,
  orders: 1,
  quantity: 2,
  paid: '1500000',
  refunded: '0',
  kept: '1500000',
}

it('adds up each token by itself and exactly, the one with the most orders first', () => {
  const onOther = { ...row, chainId: '10', payTokenAddress: '0x0b2c639c533813f4aa9d7837caf62653d097ff85' }
  const big = { ...onOther, orders: 3, paid: '123456789012345678901234567890' }
  const native = { ...row, chainId: '137', payTokenAddress: '' }
  const sales = listTokenSales([row, onOther, big, native])
  expect(sales.map(({ token }) => token)).toEqual(['USDC, OP Mainnet', 'USDC, Base', 'POL'])
  expect(sales[0]?.total).toMatchObject({ orders: 4, quantity: 4, paid: '123456789012345678901236067890' })
  expect(sales[0]?.rows).toEqual([onOther, big])
})

it('shows that more was refunded than paid', () => {
  const total = addUp([row, { ...row, refunded: '4000000', kept: '-2500000' }], row)
  expect([total.refunded, total.kept]).toEqual(['4000000', '-1000000'])
  expect(formatSum(total, total.kept)).toBe('-1')
})
