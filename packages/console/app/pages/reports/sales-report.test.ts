import { expect, it } from 'vitest'
import { salesReport } from './sales-report.ts'

const row = {
  group: '2026-11-01',
  name: '',
  chainId: '8453',
  payTokenAddress: '',
  payTokenDecimals: 6,
  orders: 1,
  quantity: 2,
  paid: '123456789012345678901234567890',
  refunded: '0',
  kept: '123456789012345678901234567890',
}
const readCells = (total: typeof row) => salesReport.columns.slice(3).map(({ value }) => value(total))

it('adds up sales exactly', () => {
  const small = { ...row, orders: 3, paid: '1500000', kept: '1500000' }
  const sum = '123456789012345678901236.06789'
  expect(readCells(salesReport.addUp([row, small], row))).toEqual(['4', '4', sum, '0', sum])
})

it('shows that more was refunded than paid', () => {
  const refunded = { ...row, paid: '1500000', refunded: '4000000', kept: '-2500000' }
  expect(readCells(salesReport.addUp([refunded], row))).toEqual(['1', '2', '1.5', '4', '-2.5'])
})
