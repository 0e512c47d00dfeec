import { describe, expect, it } from 'vitest'
import { createMessageParser, type Message, readMessages } from './messages.ts'

function parseAll(...texts: string[]): Message[] {
  const parse = createMessageParser()
  return texts.flatMap((text) => parse(text))
}

async function collect(messages: AsyncIterable<Message>): Promise<Message[]> {
  const collected: Message[] = []
  for await (const each of messages) collected.push(each)
  return collected
}

const message = (fields: Partial<Message>): Message => ({
  id: undefined,
  data: undefined,
  retryMs: undefined,
  ...fields,
})

describe('the parser of server-sent events', () => {
  it('reads ids, data and the time until a retry', () => {
    expect(parseAll('retry: 1500\n\nid: 7\ndata: {"a":1}\n\nid: 8\n\n')).toEqual([
      message({ retryMs: 1500 }),
      message({ id: '7', data: '{"a":1}' }),
      message({ id: '8' }),
    ])
  })

  it.each([
    ['comments', ': heartbeat\nid: 7\n\n', { id: '7' }],
    ['unknown fields', 'event: x\nfield\ndata: 1\n\n', { data: '1' }],
    ['a value without a space', 'data:1\n\n', { data: '1' }],
    ['only the first space of a value', 'data:  1 \n\n', { data: ' 1 ' }],
    ['several lines of data', 'data: a\ndata: b\n\n', { data: 'a\nb' }],
    ['data with colons', 'data: a: b:c\n\n', { data: 'a: b:c' }],
    ['an id with U+0000', 'id: 1\u00002\ndata: 1\n\n', { data: '1' }],
    ['a retry that is no number', 'retry: 1s\n\n', {}],
    ['an empty id', 'id\n\n', { id: '' }],
  ])('handles %s', (_, text, fields) => {
    expect(parseAll(text)).toEqual([message(fields)])
  })

  it('reads every end of a line, and messages that are cut anywhere', () => {
    const text = 'id: 1\r\ndata: a\r\n\r\nid: 2\rdata: b\r\rid: 3\ndata: c\n\n'
    const expected = ['a', 'b', 'c'].map((data, index) => message({ id: String(index + 1), data }))
    expect(parseAll(text)).toEqual(expected)
    expect(parseAll(...text)).toEqual(expected)
    for (let at = 0; at <= text.length; at += 1) {
      expect(parseAll(text.slice(0, at), text.slice(at)), `cut at ${at}`).toEqual(expected)
    }
  })

  it('drops a message without its end', () => {
    expect(parseAll('data: 1\n\ndata: 2\n')).toEqual([message({ data: '1' })])
  })
})

it('the messages of a response are complete when the bytes are cut within characters', async () => {
  const bytes = new TextEncoder().encode('data: ä€😀\n\n')
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  const messages = await collect(readMessages(body, 60_000, undefined))
  expect(messages).toEqual([message({ data: 'ä€😀' })])
})

it('the messages of a response end with a connection that breaks or is silent, which is closed', async () => {
  const broken = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new TypeError('terminated')),
  })
  expect(await collect(readMessages(broken, 60_000, undefined))).toEqual([])
  let isCancelled = false
  const silent = new ReadableStream<Uint8Array>({
    cancel: () => {
      isCancelled = true
    },
  })
  expect(await collect(readMessages(silent, 10, undefined))).toEqual([])
  expect(isCancelled).toBe(true)
})

it('the messages of a response end when the signal is aborted, also if fetch ignores it', async () => {
  const controller = new AbortController()
  const reading = collect(readMessages(new ReadableStream(), 60_000, controller.signal))
  controller.abort()
  expect(await reading).toEqual([])
})
