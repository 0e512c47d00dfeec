import { NetworkError, RefusedError } from '@mintmark/envelope'
import type { GatewayClient } from '@mintmark/operation'
import { describe, expect, it } from 'vitest'
import { EVENTS_EXPIRED, events, type GatewayEvent } from './index.ts'

/** A feed with `count` events, which returns at most two events per call. Each item of `failures` is thrown by one call. */
function createFeed(count: number, failures: Error[] = []) {
  const feed = { count, calls: [] as unknown[] }
  const client: GatewayClient = {
    kind: 'gateway',
    async call(_, input) {
      feed.calls.push(input)
      const failure = failures.shift()
      if (failure !== undefined) throw failure
      const { after = 0 } = input as { after?: number }
      const next = Math.min(after + 2, feed.count)
      const listed = Array.from({ length: next - after }, (_, index) => ({ sequence: after + index + 1 }))
      return {
        data: { events: listed, next, hasMore: next < feed.count },
        status: 200,
        headers: new Headers(),
        requestId: undefined,
      }
    },
  }
  return { feed, client }
}

async function take(stream: AsyncIterable<GatewayEvent>, count: number): Promise<number[]> {
  const sequences: number[] = []
  for await (const { sequence } of stream) {
    sequences.push(sequence)
    if (sequences.length === count) break
  }
  return sequences
}

const lost = () => new NetworkError('No connection', { operation: 'events.list' })

describe('events.stream', () => {
  it('returns stored events and then new ones, each once', async () => {
    const { feed, client } = createFeed(3)
    const stream = events.stream(client, { idleMs: 1 })
    expect(await take({ [Symbol.asyncIterator]: () => ({ next: () => stream.next() }) }, 3)).toEqual([
      1, 2, 3,
    ])
    feed.count = 5
    expect(await take(stream, 2)).toEqual([4, 5])
  })

  it('begins after the given place and passes the types', async () => {
    const { feed, client } = createFeed(3)
    expect(await take(events.stream(client, { after: 2, types: 'order.*' }), 1)).toEqual([3])
    expect(feed.calls).toMatchObject([{ after: 2, types: 'order.*' }])
  })

  it('continues where it was after failures that pass', async () => {
    const { feed, client } = createFeed(4)
    const failures = [lost(), lost()]
    const failing = createFeed(4, failures)
    expect(await take(events.stream(failing.client, { idleMs: 1 }), 4)).toEqual([1, 2, 3, 4])
    expect(failing.feed.calls).toHaveLength(4)
    expect(await take(events.stream(client), 4)).toEqual([1, 2, 3, 4])
    expect(feed.calls).toHaveLength(2)
  })

  it('ends in an error that does not pass', async () => {
    const expired = new RefusedError('Deleted', { operation: 'events.list', reason: EVENTS_EXPIRED.reason })
    const { client } = createFeed(1, [expired])
    await expect(take(events.stream(client), 1)).rejects.toBe(expired)
  })

  it('ends with the reason of an aborted signal while it waits', async () => {
    const { client } = createFeed(1)
    const controller = new AbortController()
    const stream = events.stream(client, { idleMs: 60_000, signal: controller.signal })
    await stream.next()
    const waiting = stream.next()
    controller.abort(new Error('closing'))
    await expect(waiting).rejects.toThrow('closing')
  })
})
