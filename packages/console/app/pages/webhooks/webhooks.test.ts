import { TimeoutError } from '@mintmark/envelope'
import type { EventDelivery, EventWebhook } from '@mintmark/events'
import { describe, expect, it } from 'vitest'
import type { ListEvents } from '../../api/read-feed.ts'
import { createUnfinishedWrites } from '../../api/unfinished-writes.ts'
import { createWriteKeys } from '../../api/write-keys.ts'
import { listTypeGroups } from '../../form/event-type-options.ts'
import { choose, isGroupChosen, listChosenTypes } from './event-picker.tsx'
import { findDelivery, type ListDeliveries } from './find-delivery.ts'
import { previewRange } from './range-preview.ts'
import {
  createRangeRedelivery,
  type ProgressStore,
  type RangeProgress,
  type RedeliverPart,
} from './redeliver-range.ts'
import { getWebhookState, isAttemptDue } from './webhook-state.ts'

const NOW = Date.parse('2026-01-15T10:00:00Z')

describe('the state of a webhook', () => {
  const webhook = { status: 'ENABLED' } as EventWebhook

  it('the state of a webhook is failing from the first failure on until the server disables it', () => {
    expect(getWebhookState(webhook)).toBe('working')
    const failing = { ...webhook, failingSince: '2026-01-15T09:00:00Z' }
    expect(getWebhookState(failing)).toBe('failing')
    expect(getWebhookState({ ...failing, status: 'DISABLED' })).toBe('disabled')
  })
})

describe('a delivery', () => {
  const isDue = (delivery: Partial<EventDelivery>) => isAttemptDue(delivery as EventDelivery, NOW)

  it('a delivery is read again only while an attempt runs or is due soon', () => {
    expect(isDue({ status: 'PENDING' })).toBe(true)
    expect(isDue({ status: 'PENDING', nextAttemptTime: '2026-01-15T10:00:05Z' })).toBe(true)
    expect(isDue({ status: 'PENDING', nextAttemptTime: '2026-01-15T10:05:00Z' })).toBe(false)
    expect(isDue({ status: 'DELIVERED' })).toBe(false)
    expect(isDue({ status: 'FAILED' })).toBe(false)
  })

  it.each([
    ['within an hour', 3_600_000],
    ['at the same time', 0],
  ])('a delivery is read again although 497 newer ones were created %s', async (_, spreadMs) => {
    const toDelivery = (id: number) => ({
      id,
      webhookId: 7,
      status: 'PENDING',
      createTime: new Date(NOW + (id * spreadMs) / 500).toISOString(),
    })
    const newestFirst = Array.from({ length: 500 }, (_each, index) => toDelivery(500 - index))
    const calls: object[] = []
    // The page reads only these fields of deliveries.
    const list = async function* ({ from = '', to = '9' }) {
      calls.push({ from, to })
      yield* newestFirst.filter(({ createTime }) => createTime >= from && createTime < to)
    } as unknown as ListDeliveries
    const opened = { ...toDelivery(3), status: 'FAILED' } as EventDelivery
    expect((await findDelivery(list, opened)).status).toBe('PENDING')
    expect(await findDelivery(list, { ...opened, id: 0 })).toEqual({ ...opened, id: 0 })
    expect(calls).toHaveLength(2)
  })
})

describe('the choice of events', () => {
  const group = {
    group: 'order',
    types: ['order.created', 'order.paid'].map((type) => ({ type, description: '' })),
  }

  it('replaces the types of a group by its pattern', () => {
    const chosen = choose(['card.created', 'order.paid'], group, { name: 'order.*', isChosen: true })
    expect(chosen).toEqual(['card.created', 'order.*'])
    expect(isGroupChosen(chosen, group)).toBe(true)
    expect(listChosenTypes(chosen, group)).toEqual(['order.created', 'order.paid'])
  })

  it('adds and removes a type once', () => {
    const add = { name: 'order.paid', isChosen: true }
    const chosen = choose(choose([], group, add), group, add)
    expect(chosen).toEqual(['order.paid'])
    expect(listChosenTypes(chosen, group)).toEqual(['order.paid'])
    expect(choose(chosen, group, { ...add, isChosen: false })).toEqual([])
  })

  it('the choice of events has every type of event in a group', () => {
    const groups = listTypeGroups()
    expect(groups.map(({ group: name }) => name)).toContain('order')
    for (const { group: name, types } of groups) {
      for (const { type, description } of types) {
        expect(type.startsWith(`${name}.`)).toBe(true)
        expect(description).not.toBe('')
      }
    }
  })
})

describe('the preview of a range', () => {
  const MINUTE_MS = 60_000

  /** A feed with an event each minute; every tenth is an order. */
  function createFeed({ newest, oldest = 1 }: { readonly newest: number; readonly oldest?: number }) {
    const toEvent = (sequence: number) => ({
      sequence,
      type: sequence % 10 === 0 ? 'order.paid' : 'card.created',
      time: new Date(NOW + sequence * MINUTE_MS).toISOString(),
    })
    const list = async ({ after = oldest - 1, limit = 100, types }: Parameters<ListEvents>[0]) => {
      const all = Array.from({ length: newest - after }, (_, index) => toEvent(after + 1 + index))
      const events = all.filter(({ type }) => types === undefined || type === types).slice(0, limit)
      const next = events.length < limit ? newest : (events.at(-1)?.sequence ?? after)
      return { events, next, hasMore: next < newest, newest }
    }
    // The preview reads only these fields of events.
    return list as unknown as ListEvents
  }
  const at = (minute: number) => new Date(NOW + minute * MINUTE_MS).toISOString()

  it.each([
    ['inside of the feed', { from: at(101), to: at(201) }, { 'card.created': 90, 'order.paid': 10 }],
    ['with one event', { from: at(100), to: at(101) }, { 'order.paid': 1 }],
    [
      'that begins before the oldest stored event',
      { from: at(-500), to: at(60) },
      { 'card.created': 9, 'order.paid': 1 },
    ],
    [
      'that ends after the newest event',
      { from: at(991), to: at(9999) },
      { 'card.created': 9, 'order.paid': 1 },
    ],
    ['before the feed', { from: at(-500), to: at(-400) }, {}],
    ['after the feed', { from: at(2000), to: at(3000) }, {}],
  ])('counts the events of a range %s by type', async (_, range, expected) => {
    const feed = createFeed({ newest: 1000, oldest: 50 })
    const { events, byType } = await previewRange(feed, { ...range, types: [] })
    expect(Object.fromEntries(byType ?? [])).toEqual(expected)
    expect(events).toBe(Object.values(expected).reduce((sum, count) => sum + count, 0))
  })

  it('counts only the types of the webhook', async () => {
    const query = { from: at(1), to: at(1001), types: ['order.paid'] }
    expect((await previewRange(createFeed({ newest: 1000 }), query)).events).toBe(100)
  })

  it('the preview of a range does not read a range that is too long, and reports its length', async () => {
    const query = { from: at(1), to: at(30_001), types: ['order.paid'] }
    const { events, byType } = await previewRange(createFeed({ newest: 40_000 }), query)
    expect(events).toBe(30_000)
    expect(byType).toBeUndefined()
  })

  it('finds nothing in an empty feed', async () => {
    const query = { from: at(1), to: at(2), types: [] }
    expect((await previewRange(createFeed({ newest: 0 }), query)).events).toBe(0)
  })
})

describe('the redelivery of a range', () => {
  const range = { from: '2026-01-15T10:00:00Z', to: '2026-01-15T11:00:00Z', includeDelivered: true }

  /** A gateway with a range of five parts. The parts in `failing` fail once. */
  function createGateway(failing: number[] = []) {
    const parts: (number | undefined)[] = []
    const keys: string[] = []
    const redeliver: RedeliverPart = async ({ after }, { signal, idempotencyKey }) => {
      signal.throwIfAborted()
      const number = (after ?? 0) / 1000
      parts.push(after)
      keys.push(idempotencyKey)
      if (failing.includes(number)) {
        failing.splice(failing.indexOf(number), 1)
        throw new TimeoutError('No response', { operation: 'eventWebhooks.redeliverRange' })
      }
      return { deliveries: 10, next: (number + 1) * 1000, hasMore: number < 4 }
    }
    return { parts, keys, redeliver }
  }
  const never = new AbortController().signal

  /** Opens the dialog of a webhook. The store and the keys outlive it. */
  function createDialogs(redeliver: RedeliverPart) {
    const unfinished = createUnfinishedWrites()
    let progress: RangeProgress | undefined
    const store: ProgressStore = {
      read: () => progress,
      write: (next) => {
        progress = next
      },
    }
    return (onStarted: (count: number) => void = () => {}) =>
      createRangeRedelivery({ webhookId: 7, redeliver, keys: createWriteKeys(unfinished), store, onStarted })
  }

  it('sends each part once and counts the deliveries', async () => {
    const { parts, keys, redeliver } = createGateway()
    const counts: number[] = []
    await createDialogs(redeliver)((count) => counts.push(count))(range, never)
    expect(parts).toEqual([undefined, 1000, 2000, 3000, 4000])
    expect(new Set(keys).size).toBe(5)
    expect(counts.at(-1)).toBe(50)
  })

  it('continues after a failure where it stopped, under the same key', async () => {
    const { parts, keys, redeliver } = createGateway([3])
    const counts: number[] = []
    const run = createDialogs(redeliver)((count) => counts.push(count))
    await expect(run(range, never)).rejects.toThrow('No response')
    await run(range, never)
    expect(parts).toEqual([undefined, 1000, 2000, 3000, 3000, 4000])
    expect(keys[4]).toBe(keys[3])
    expect(counts.at(-1)).toBe(50)
  })

  it('continues in a dialog that was closed and opened again, under the same key', async () => {
    const { parts, keys, redeliver } = createGateway([3])
    const open = createDialogs(redeliver)
    await expect(open()(range, never)).rejects.toThrow('No response')
    const counts: number[] = []
    await open((count) => counts.push(count))(range, never)
    expect(parts).toEqual([undefined, 1000, 2000, 3000, 3000, 4000])
    expect(keys[4]).toBe(keys[3])
    expect(counts).toEqual([30, 40, 50])
  })

  it('begins another range, and a range that was sent before, at its beginning', async () => {
    const { parts, redeliver } = createGateway([1])
    const run = createDialogs(redeliver)()
    await expect(run(range, never)).rejects.toThrow('No response')
    const other = { ...range, to: '2026-01-15T12:00:00Z' }
    await run(other, never)
    await run(other, never)
    const whole = [undefined, 1000, 2000, 3000, 4000]
    expect(parts).toEqual([undefined, 1000, ...whole, ...whole])
  })

  it('stops when it is cancelled', async () => {
    const { parts, redeliver } = createGateway()
    const controller = new AbortController()
    const run = createDialogs(redeliver)((count) => count === 20 && controller.abort())
    await expect(run(range, controller.signal)).rejects.toThrow()
    expect(parts).toEqual([undefined, 1000])
  })
})
