import type { Page } from '@mintmark/envelope'
import { type Order, orders } from '@mintmark/orders'
import { respondTo, testClient } from '@mintmark/transport/testing'
import { describe, expect, it } from 'vitest'
import { listLastDays } from '../../format/time.ts'
import { sumRevenue } from './revenue.ts'
import { groupByDay, MAX_ITEMS, readPeriod } from './statistics.ts'

const now = new Date(2026, 2, 10, 15).getTime()
const days = listLastDays(3, now)
const at = (day: number, hour: number) => ({ createTime: new Date(2026, 2, day, hour).toISOString() })
const { signal } = new AbortController()

/** An order with the fields that statistics read. */
const order = (fields: Partial<Order>) => ({ payAmount: '0', payTokenDecimals: 6, ...fields }) as Order

/** A gateway with orders, which it returns in pages as the real one does. */
function createGateway(all: readonly Order[]) {
  const list = ({ from = '', to = '9', pageNumber = 1, pageSize = 20 }): Page<Order> => {
    const found = all.filter(({ createTime }) => createTime >= from && createTime < to)
    const start = (pageNumber - 1) * pageSize
    const totalPage = Math.ceil(found.length / pageSize)
    return {
      firstPage: pageNumber === 1,
      lastPage: pageNumber >= totalPage,
      list: found.slice(start, start + pageSize),
      orderBy: '',
      pageNumber,
      pageSize,
      paras: pageNumber < totalPage ? { next: `after ${pageNumber}` } : {},
      totalPage,
      totalRow: found.length,
    }
  }
  return testClient('gateway', [respondTo(orders.list, list)])
}

const request = { operation: orders.list, filters: {}, days }

describe('readPeriod', () => {
  it('reads all items of a period in pages and counts them by day', async () => {
    const gateway = createGateway(Array.from({ length: 250 }, (_, index) => order(at(8 + (index % 2), 12))))
    const { counts, items } = await readPeriod(gateway, request, signal)
    expect(counts).toEqual([125, 125, 0])
    expect(items).toHaveLength(250)
    expect(gateway.calls.map(({ input }) => (input as { cursor?: string }).cursor)).toEqual([
      undefined,
      'after 1',
      'after 2',
    ])
  })

  it('lets the server count each day when there are too many items', async () => {
    const gateway = createGateway(Array.from({ length: MAX_ITEMS + 1 }, () => order(at(9, 12))))
    const { counts, items } = await readPeriod(gateway, request, signal)
    expect(counts).toEqual([0, MAX_ITEMS + 1, 0])
    expect(items).toBeUndefined()
    expect(gateway.calls).toHaveLength(1 + days.length)
  })

  it('ends with an empty page', async () => {
    const gateway = createGateway([])
    expect(await readPeriod(gateway, request, signal)).toEqual({ counts: [0, 0, 0], items: [] })
    expect(gateway.calls).toHaveLength(1)
  })
})

describe('groupByDay', () => {
  it('assigns items to the local day of their creation, and leaves out those of other days', () => {
    const items = [at(7, 23), at(8, 0), at(8, 23), at(10, 12), at(11, 0), {}]
    expect(groupByDay(items, days).map(({ length }) => length)).toEqual([2, 0, 1])
  })
})

describe('sumRevenue', () => {
  const usdc = { chainId: '8453', payTokenAddress: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' }
  const native = { chainId: '8453', payTokenAddress: '', payTokenDecimals: 18 }

  it('adds up each token by itself, exactly, the one with the most orders first', () => {
    const revenue = sumRevenue(
      [
        order({ ...at(10, 9), ...native, payAmount: '1000000000000000001' }),
        order({ ...at(8, 9), ...usdc, payAmount: '1500000' }),
        order({ ...at(8, 10), ...usdc, payAmount: '500000' }),
      ],
      days,
    )
    expect(revenue).toEqual([
      { token: 'USDC', decimals: 6, total: '2000000', values: [2, 0, 0] },
      { token: 'ETH', decimals: 18, total: '1000000000000000001', values: [0, 0, 1] },
    ])
  })
})
