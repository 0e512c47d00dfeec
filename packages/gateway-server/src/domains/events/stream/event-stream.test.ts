import { expect, it } from 'vitest'
import { EventStream, type EventStreamOptions, type MessageSource, type StreamEnd } from './event-stream.ts'

/** A source whose messages the test provides, and a stream of it. */
function createStream(options: Partial<EventStreamOptions> = {}) {
  const requests: PromiseWithResolvers<Uint8Array | undefined>[] = []
  const ends: StreamEnd[] = []
  const warnings: unknown[] = []
  const state = {
    position: 0,
    disconnects: 0,
    isAuthorized: (): Promise<boolean> => Promise.resolve(true),
    signal: undefined as AbortSignal | undefined,
  }
  const source: MessageSource = {
    get position() {
      return state.position
    },
    next(signal) {
      state.signal = signal
      const request = Promise.withResolvers<Uint8Array | undefined>()
      requests.push(request)
      return request.promise
    },
    isAuthorized: () => state.isAuthorized(),
    onEnd: (reason) => void ends.push(reason),
  }
  const stream = new EventStream(source, {
    heartbeatMs: 60_000,
    drainMs: 60_000,
    disconnect: () => {
      state.disconnects += 1
    },
    log: { warn: (...line: unknown[]) => void warnings.push(line) },
    ...options,
  })
  const reader = stream.body.getReader()
  const read = async () => {
    const { value } = await reader.read()
    return value === undefined ? undefined : new TextDecoder().decode(value)
  }
  return { stream, state, requests, ends, warnings, reader, read }
}

const encode = (text: string) => new TextEncoder().encode(text)

it('a stream of events begins with the time until a retry, and then has the messages of its source', async () => {
  const { requests, read } = createStream()
  expect(await read()).toMatch(/^retry: [12]\d{3}\n\n$/)
  const reading = read()
  requests[0]?.resolve(encode('id: 1\n\n'))
  expect(await reading).toBe('id: 1\n\n')
})

it('a stream of events reads its source only when the caller has received what was sent before', async () => {
  let checks = 0
  const { state, requests, read } = createStream({ heartbeatMs: 1 })
  state.isAuthorized = () => {
    checks += 1
    return Promise.resolve(true)
  }
  /** Several heartbeats later nothing else has happened. */
  const waitForChecks = async () => {
    const target = checks + 5
    await expect.poll(() => checks).toBeGreaterThanOrEqual(target)
  }
  await waitForChecks()
  expect(requests).toHaveLength(0)
  await read()
  await waitForChecks()
  expect(requests).toHaveLength(0)
  const reading = readUntil(read, 'id: 1\n\n')
  await expect.poll(() => requests.length).toBe(1)
  requests[0]?.resolve(encode('id: 1\n\n'))
  expect(await reading).toBe(true)
  await waitForChecks()
  expect(requests).toHaveLength(1)
})

it('a stream of events sends heartbeats while its source waits, with the place when it has moved', async () => {
  const { state, requests, read } = createStream({ heartbeatMs: 1 })
  await read()
  expect(await read()).toBe(':\nid: 0\n\n')
  expect(await read()).toBe(':\n\n')
  state.position = 700
  expect(await readUntil(read, ':\nid: 700\n\n')).toBe(true)
  expect(await read()).toBe(':\n\n')
  expect(requests).toHaveLength(1)
})

it('a stream of events ends when its source ends, and when its source fails', async () => {
  const finished = createStream()
  await finished.read()
  const reading = finished.read()
  finished.requests[0]?.resolve(undefined)
  expect(await reading).toBeUndefined()
  expect(finished.ends).toEqual(['finished'])
  const failed = createStream()
  await failed.read()
  const failing = failed.read()
  failed.requests[0]?.reject(new Error('no database'))
  expect(await failing).toBeUndefined()
  expect(failed.ends).toEqual(['failed'])
  expect(failed.warnings).toHaveLength(1)
})

it('a stream of events ends with the server, as a complete response', async () => {
  const { stream, state, read, ends, warnings } = createStream()
  await read()
  const reading = read()
  await expect.poll(() => state.signal).toBeDefined()
  stream.end('stopping')
  stream.end('stopping')
  expect(await reading).toBeUndefined()
  expect(ends).toEqual(['stopping'])
  expect(state).toMatchObject({ disconnects: 0, signal: { aborted: true } })
  expect(warnings).toEqual([])
})

it('a stream of events ends when the caller disconnects', async () => {
  const { reader, read, ends, state } = createStream()
  await read()
  const reading = read()
  await expect.poll(() => state.signal).toBeDefined()
  await reader.cancel()
  await reading
  expect(ends).toEqual(['disconnected'])
  expect(state.signal?.aborted).toBe(true)
})

it('a stream of events disconnects a caller that does not receive what was sent, or never reads', async () => {
  const never = createStream({ heartbeatMs: 1, drainMs: 5 })
  await expect.poll(() => never.ends).toEqual(['slow'])
  const slow = createStream({ heartbeatMs: 1, drainMs: 5 })
  await slow.read()
  await expect.poll(() => slow.ends).toEqual(['slow'])
  expect(slow.state.disconnects).toBe(1)
})

it('a stream of events ends when the caller is no longer authorized, also while it does not receive', async () => {
  const waiting = createStream({ heartbeatMs: 1 })
  await waiting.read()
  waiting.state.isAuthorized = () => Promise.resolve(false)
  while ((await waiting.read()) !== undefined);
  expect(waiting.ends).toEqual(['unauthorized'])
  const blocked = createStream({ heartbeatMs: 1 })
  blocked.state.isAuthorized = () => Promise.resolve(false)
  await expect.poll(() => blocked.ends).toEqual(['unauthorized'])
  expect(blocked.state.disconnects).toBe(1)
})

it('a stream of events stays open while the authorization cannot be checked', async () => {
  const { state, read, ends } = createStream({ heartbeatMs: 1 })
  let checks = 0
  state.isAuthorized = () => {
    checks += 1
    return Promise.reject(new Error('no database'))
  }
  while (checks < 3) await read()
  expect(ends).toEqual([])
})

/** Reads until a message arrives. */
async function readUntil(read: () => Promise<string | undefined>, message: string): Promise<boolean> {
  for (;;) {
    const received = await read()
    if (received === undefined) return false
    if (received === message) return true
  }
}
