import { events } from '@mintmark/events'
import { type Listening, listen } from '@mintmark/server-kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCardClient } from '../../../testing/cards.ts'
import { addEvents, createStreamClient, sequenceEvents } from '../../../testing/event-streams.ts'
import { type TestGateway, type TestKey, testGateway } from '../../../testing/gateway.ts'

let gateway: TestGateway
let listening: Listening
beforeAll(async () => {
  gateway = await testGateway()
  listening = await listen(gateway.app, { port: 0 })
  await gateway.eventStreams.ready
})
afterAll(async () => {
  await gateway.eventStreams.close()
  await listening.close()
  await gateway.close()
})

let projects = 0
function newKey(): Promise<TestKey> {
  projects += 1
  return gateway.newKey({ project: `project ${projects}` })
}

const path = '/api/v1/events/stream'

/** Opens a stream without our client. */
async function openRaw(key: TestKey, query = '', headers: Record<string, string> = {}) {
  const signed = key.request({ path, query, headers })
  const aborter = new AbortController()
  const response = await fetch(`${listening.url}${path}${query && `?${query}`}`, {
    headers: signed.headers,
    signal: aborter.signal,
  })
  let text = ''
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  return {
    response,
    /** Reads until the text contains something. Returns all of the text. */
    async readUntil(part: string): Promise<string> {
      while (!text.includes(part)) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
        if (done) throw new Error(`The stream ended: ${text}`)
        text += value
      }
      return text
    },
    /** Reads to the end of the stream. */
    async readAll(): Promise<string> {
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
        if (done) return text
        text += value
      }
    },
    close: () => aborter.abort(),
  }
}

describe('a stream', () => {
  it('sends stored events and then new ones as server-sent events', async () => {
    const key = await newKey()
    const cards = createCardClient(gateway, key)
    const first = await cards.create('promoCodeCards')
    await sequenceEvents(gateway)
    const stream = await openRaw(key, 'after=0')
    expect(stream.response.status).toBe(200)
    expect(Object.fromEntries(stream.response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
    })
    const text = await stream.readUntil('id: 1\n')
    expect(text).toMatch(/^retry: \d{4}\n\nid: 1\ndata: \{"id":"evt_.*"subject":"card\/\d+".*\}\n\n$/)
    expect(text).toContain(`card/${first.id}`)
    const second = await cards.create('promoCodeCards')
    await sequenceEvents(gateway)
    expect(await stream.readUntil('id: 2\n')).toContain(`card/${second.id}`)
    stream.close()
  })

  it('continues after the Last-Event-ID header, which replaces the query', async () => {
    const key = await newKey()
    await addEvents(gateway, key.projectId, 5)
    const stream = await openRaw(key, 'after=0', { 'last-event-id': '3' })
    const text = await stream.readUntil('id: 5')
    expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id)).toEqual(['4', '5'])
    stream.close()
  })

  it('is read by the client', async () => {
    const key = await newKey()
    const client = createStreamClient(listening.url, key)
    await addEvents(gateway, key.projectId, 3)
    const sequences: number[] = []
    for await (const { sequence } of events.stream(client, { after: 0 })) {
      sequences.push(sequence)
      if (sequence === 3) await addEvents(gateway, key.projectId, 2)
      if (sequence === 5) break
    }
    expect(sequences).toEqual([1, 2, 3, 4, 5])
  })
})
