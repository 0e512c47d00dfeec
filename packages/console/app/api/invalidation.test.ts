import { eventTypes } from '@mintmark/events'
import { orders } from '@mintmark/orders'
import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import {
  findAffectedGroups,
  invalidateAfterEvents,
  invalidateAfterWrite,
  isAffected,
} from './invalidation.ts'
import { getReadKey } from './operations.ts'

const read = (operation: string, input: object, isList = false) => ({ operation, input, isList })

it('an event affects lists of its record, whatever their filters', () => {
  const change = { type: 'order.paid', data: { orderNo: 'A' } }
  expect(isAffected(read('orders.list', { orderStatus: 1 }, true), change)).toBe(true)
  expect(isAffected(read('commonSales.list', {}, true), change)).toBe(false)
})

it('an event affects a read of its own record, and no read of another one', () => {
  const change = { type: 'order.paid', data: { orderNo: 'A' } }
  expect(isAffected(read('orders.get', { orderNo: 'A' }), change)).toBe(true)
  expect(isAffected(read('orders.get', { orderNo: 'B' }), change)).toBe(false)
})

it('an event affects reads of a card by a verification, whose id is not that of the card', () => {
  const change = { type: 'verification.accepted', data: { id: 9, cardId: 7 } }
  expect(isAffected(read('promoCodeCards.get', { id: 7 }), change)).toBe(true)
})

it('an event affects the lists of events and of audited changes', () => {
  expect(isAffected(read('audit.list', {}, true), { type: 'nft.created', data: {} })).toBe(true)
  expect(isAffected(read('events.list', {}), { type: 'nft.created', data: {} })).toBe(true)
})

it.each(Object.keys(eventTypes))(
  'an event of the type %s affects a group of operations besides events and audit',
  (type) => {
    const groups = findAffectedGroups(type).filter((group) => !['events', 'audit'].includes(group))
    expect(groups).not.toEqual([])
    // A group has the name of a domain's operations, never that of the event itself.
    expect(groups).not.toContain(type.split('.')[0])
  },
)

describe('the cache', () => {
  const listKey = getReadKey(1, orders.list, {})
  const otherProject = getReadKey(2, orders.list, {})
  const isStale = (client: QueryClient, key: readonly unknown[]) =>
    client.getQueryState(key)?.isInvalidated === true

  function createCache(): QueryClient {
    const client = new QueryClient()
    for (const key of [listKey, otherProject]) client.setQueryData(key, { list: [] })
    return client
  }

  it('reads the lists of a project again after its event, and not those of others', async () => {
    const client = createCache()
    await invalidateAfterEvents(client, 1, [{ type: 'order.created', data: {} }])
    expect([isStale(client, listKey), isStale(client, otherProject)]).toEqual([true, false])
  })

  it('reads what a write has changed again before its events arrive', async () => {
    const client = createCache()
    await invalidateAfterWrite(client, 1, orders.cancel)
    expect([isStale(client, listKey), isStale(client, otherProject)]).toEqual([true, false])
  })
})
