import { RefusedError } from '@mintmark/envelope'
import { EVENTS_EXPIRED, type GatewayEvent } from '@mintmark/events'
import { describe, expect, it } from 'vitest'
import { isMatch, type ListEvents, readNewerEvents, readOlderEvents } from './read-feed.ts'

const PLACES_OF_A_CALL = 10_000

/**
 * A feed with an event at each place: every 100th is an order, the others are cards. The server reads it as
 * `events.list` does.
 */
function createFeed({ newest, oldest = 1 }: { readonly newest: number; readonly oldest?: number }) {
  const calls: object[] = []
  const toEvent = (sequence: number) => {
    const type = sequence % 100 === 0 ? 'order.paid' : 'card.created'
    const subject = `${type.split('.')[0]}/${sequence}`
    return {
      id: `evt_1_${sequence}`,
      type,
      subject,
      sequence,
      data: { orderNo: `no-${sequence}` },
    } as GatewayEvent
  }
  const list: ListEvents = async (input) => {
    calls.push(input)
    const { after = oldest - 1, limit = 100, types = '' } = input
    if (after < oldest - 1)
      throw new RefusedError('expired', { operation: 'events.list', reason: EVENTS_EXPIRED.reason })
    const end = Math.min(newest, after + PLACES_OF_A_CALL)
    const places = Array.from({ length: Math.max(0, end - after) }, (_, index) => after + 1 + index)
    const found = places.map(toEvent).filter(({ type }) => types === '' || type === types)
    const events = found.slice(0, limit)
    const next = found.length < limit ? end : (events.at(-1)?.sequence ?? after)
    return { events, next, hasMore: next < newest, newest }
  }
  return { list, calls }
}

const all = { types: '', text: '' }
const sequences = (events: readonly GatewayEvent[]) => events.map(({ sequence }) => sequence)

/** Reads the whole feed part by part. */
async function readAll(list: ListEvents, filter: typeof all): Promise<readonly number[]> {
  const read: number[] = []
  let place: number | undefined
  for (;;) {
    const page = await readOlderEvents(list, filter, place)
    read.push(...sequences(page.events))
    if (page.older === undefined) return read
    place = page.older
  }
}

describe('reading the feed backwards', () => {
  it('returns every event once, newest first', async () => {
    const { list } = createFeed({ newest: 217 })
    expect(await readAll(list, all)).toEqual(Array.from({ length: 217 }, (_, index) => 217 - index))
  })

  it('ends at the oldest stored event when older ones were deleted', async () => {
    const { list } = createFeed({ newest: 217, oldest: 61 })
    expect(await readAll(list, all)).toEqual(Array.from({ length: 157 }, (_, index) => 217 - index))
  })

  it('returns every event of a type once, also if a window has more of them than a call returns', async () => {
    const { list } = createFeed({ newest: 12_345 })
    expect(await readAll(list, { types: 'order.paid', text: '' })).toEqual(
      Array.from({ length: 123 }, (_, index) => 12_300 - index * 100),
    )
    const cards = await readAll(list, { types: 'card.created', text: '' })
    expect(cards).toHaveLength(12_345 - 123)
    expect(new Set(cards).size).toBe(cards.length)
  })

  it('stops after some places without a match, so that a person decides whether to search on', async () => {
    const { list, calls } = createFeed({ newest: 100_000 })
    const page = await readOlderEvents(list, { types: '', text: 'card/1' }, undefined)
    expect(page).toMatchObject({ events: [], older: 96_000 })
    expect(calls.length).toBeLessThan(12)
  })

  it('returns nothing of an empty feed', async () => {
    const { list } = createFeed({ newest: 0 })
    expect(await readOlderEvents(list, all, undefined)).toEqual({ events: [], older: undefined, newest: 0 })
  })

  it('passes errors on that are no expiry', async () => {
    const failure = new Error('no connection')
    await expect(readOlderEvents(() => Promise.reject(failure), all, undefined)).rejects.toBe(failure)
  })
})

it('reads everything that was added to the feed, however much', async () => {
  const { list } = createFeed({ newest: 1234 })
  const { events, next } = await readNewerEvents(list, all, 17)
  expect(sequences(events)).toEqual(Array.from({ length: 1217 }, (_, index) => 18 + index))
  expect(next).toBe(1234)
})

describe('a search', () => {
  const event = {
    id: 'evt_1_7',
    subject: 'order/3',
    data: { orderNo: '2026A', item: { nftAddress: '0xAB' }, quantity: 2 },
  } as unknown as GatewayEvent

  it.each(['order/3', 'evt_1_7', '2026a', '0xab', '2', ''])('finds an event by %j', (text) => {
    expect(isMatch(event, text)).toBe(true)
  })

  it.each(['order', 'order/33', '2026', '0x'])('finds nothing by the incomplete text %j', (text) => {
    expect(isMatch(event, text)).toBe(false)
  })
})
