import { expect, it } from 'vitest'
import { EventStream, type EventStreamOptions, type MessageSource, type StreamEnd } from './event-stream.ts'

/** A source whose messages the test provides, and a stream of it. */
function createStream(options: Partial<EventStreamOptions> = {}) {
  const requests: PromiseWithResolvers<Uint8Array | undefined>[] = []
  const ends: StreamEnd[] = []
  const warnings: unknown[] = []
  const state = { isAuthorized: (): Promise<boolean> => Promise.resolve(true) }
  const source: MessageSource = {
    position: 0,
    next() {
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
    disconnect: () => {},
    log: { warn: (...line: unknown[]) => void warnings.push(line) },
    ...options,
  })
  const reader = stream.body.getReader()
  const read = async () => {
    const { value } = await reader.read()
    return value === undefined ? undefined : new TextDecoder().decode(value)
  }
  return { state, requests, ends, warnings, read }
}

const encode = (text: string) => new TextEncoder().encode(text)

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
