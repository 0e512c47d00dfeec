import { NetworkError, RateLimitedError, RefusedError, UnauthorizedError } from '@mintmark/envelope'
import type { GatewayClient } from '@mintmark/operation'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { EVENTS_EXPIRED, events, type GatewayEvent } from './index.ts'

/** What happens to one connection. */
type Connection = Error | ((after: number) => string | ReadableStream<Uint8Array>)

/**
 * A gateway whose connections are those of the list, in order. The first message of each asks for a short
 * pause.
 */
function createStreamingClient(connections: Connection[], type = 'text/event-stream; charset=utf-8') {
  const calls: { input: unknown; accept: string | undefined }[] = []
  const client: GatewayClient = {
    kind: 'gateway',
    async call(_, input, options) {
      calls.push({ input, accept: options?.headers?.accept })
      const connection = connections.shift()
      if (connection === undefined) throw new Error('There is no further connection')
      if (connection instanceof Error) throw connection
      const { after = 0 } = input as { after?: number }
      const content = connection(after)
      const data = typeof content === 'string' ? new Response(`retry: 1\n\n${content}`).body : content
      return { data, status: 200, headers: new Headers({ 'content-type': type }), requestId: undefined }
    },
  }
  return { client, calls }
}

const format = (sequence: number) => `id: ${sequence}\ndata: {"sequence":${sequence}}\n\n`

/** Returns messages of the events after a place. */
function messages(after: number, count: number): string {
  return Array.from({ length: count }, (_, index) => format(after + 1 + index)).join('')
}

async function take(stream: AsyncIterable<GatewayEvent>, count: number): Promise<number[]> {
  const sequences: number[] = []
  for await (const { sequence } of stream) {
    sequences.push(sequence)
    if (sequences.length === count) break
  }
  return sequences
}

const lost = () => new NetworkError('No connection', { operation: 'events.stream' })

describe('events.stream', () => {
  it('begins after the given place, passes the types, and resumes after the last event', async () => {
    const { client, calls } = createStreamingClient([
      (after) => messages(after, 2),
      (after) => messages(after, 2),
    ])
    expect(await take(events.stream(client, { after: 5, types: 'order.*' }), 4)).toEqual([6, 7, 8, 9])
    expect(calls).toEqual([
      { input: { after: 5, types: 'order.*' }, accept: 'text/event-stream' },
      { input: { after: 7, types: 'order.*' }, accept: 'text/event-stream' },
    ])
  })

  it('begins with the oldest event without a place', async () => {
    const { client, calls } = createStreamingClient([() => messages(3, 1)])
    expect(await take(events.stream(client), 1)).toEqual([4])
    expect(calls[0]?.input).toEqual({ after: undefined, types: undefined })
  })

  it('resumes after a heartbeat with a place, without the events that it did not want', async () => {
    const { client, calls } = createStreamingClient([
      () => `${messages(0, 1)}:\nid: 700\n\n`,
      (after) => messages(after, 1),
    ])
    expect(await take(events.stream(client), 2)).toEqual([1, 701])
    expect(calls[1]?.input).toMatchObject({ after: 700 })
  })

  it('resumes exactly after the last complete message, wherever a connection is cut', async () => {
    const whole = messages(0, 3)
    for (let at = 0; at < whole.length; at += 1) {
      const { client } = createStreamingClient([
        () => whole.slice(0, at),
        (after) => messages(after, 3 - after),
        (after) => messages(after, 1),
      ])
      expect(await take(events.stream(client, { after: 0 }), 4), `cut at ${at}`).toEqual([1, 2, 3, 4])
    }
  })

  it('continues where it was after failures that pass, and waits as long as the server says', async () => {
    const { client, calls } = createStreamingClient([
      (after) => messages(after, 1),
      lost(),
      new RateLimitedError('Too many', { operation: 'events.stream', retryAfter: 0.01 }),
      (after) => messages(after, 1),
    ])
    expect(await take(events.stream(client, { after: 0 }), 2)).toEqual([1, 2])
    expect(calls).toHaveLength(4)
  })

  it.each([
    new RefusedError('Deleted', { operation: 'events.stream', reason: EVENTS_EXPIRED.reason }),
    new UnauthorizedError('Revoked', { operation: 'events.stream' }),
  ])('ends in an error that does not pass: $kind', async (error) => {
    const { client } = createStreamingClient([(after) => messages(after, 1), error])
    const stream = events.stream(client)
    expect((await stream.next()).value).toMatchObject({ sequence: 1 })
    await expect(stream.next()).rejects.toBe(error)
  })

  it.each([
    ['Retry-After', new RateLimitedError('Later', { operation: 'events.stream', retryAfter: 1_000_000_000 })],
    ['retry', () => `retry: 100000000000\n\n${format(1)}`],
  ])('continues within half a minute after a %s of years', async (_, connection) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { client, calls } = createStreamingClient([connection, () => messages(1, 1)])
    const reading = take(events.stream(client, { after: 1 }), connection instanceof Error ? 1 : 2)
    await vi.advanceTimersByTimeAsync(29_000)
    expect(calls).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(2000)
    expect((await reading).at(-1)).toBe(2)
  })

  it('opens a silent connection again, and ends in an error if nothing ever arrives', async () => {
    const silent = () => new ReadableStream<Uint8Array>()
    const once = createStreamingClient([silent, (after) => messages(after, 1)])
    expect(await take(events.stream(once.client, { silenceMs: 10 }), 1)).toEqual([1])
    const always = createStreamingClient([silent, silent, silent])
    await expect(take(events.stream(always.client, { silenceMs: 10 }), 1)).rejects.toMatchObject({
      kind: 'Timeout',
      message: expect.stringContaining('A proxy may buffer its responses'),
    })
  })

  it('ends in an error for a response that is no stream', async () => {
    const { client } = createStreamingClient([() => '<html>'], 'text/html')
    await expect(take(events.stream(client), 1)).rejects.toMatchObject({
      kind: 'UnexpectedResponse',
      message: 'events.stream: Expected a stream of events. A proxy may have responded',
    })
  })

  it('ends in an error for a message that is not JSON', async () => {
    const { client } = createStreamingClient([() => 'data: <html>\n\n'])
    await expect(take(events.stream(client), 1)).rejects.toMatchObject({ kind: 'UnexpectedResponse' })
  })

  it('ends with the reason of an aborted signal while it waits, and closes the connection', async () => {
    let isCancelled = false
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(format(1))),
      cancel: () => {
        isCancelled = true
      },
    })
    const { client } = createStreamingClient([() => body])
    const controller = new AbortController()
    const stream = events.stream(client, { signal: controller.signal })
    await stream.next()
    const waiting = stream.next()
    controller.abort(new Error('closing'))
    await expect(waiting).rejects.toThrow('closing')
    expect(isCancelled).toBe(true)
  })

  it('closes the connection when the caller stops reading', async () => {
    const cancelled = Promise.withResolvers<void>()
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(format(1))),
      cancel: () => cancelled.resolve(),
    })
    const { client } = createStreamingClient([() => body])
    await take(events.stream(client), 1)
    await cancelled.promise
  })
})
