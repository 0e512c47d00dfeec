import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Behavior, failure, misbehave } from '../testdata/misbehaving-server.ts'
import { watch } from '../testdata/things.ts'
import { createGateway } from './gateway.ts'

const credentials = { apiKey: 'key', secret: 'sk_test_4f3c2b1a' }

/** Starts a stream whose pieces are sent when the test resolves them. */
function createStream(...pieces: Promise<string>[]): Behavior {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).flushHeaders()
    for (const piece of pieces) response.write(await piece)
  }
}

it('a stream of server-sent events is read while it arrives, longer than the timeout of a call, with a signed call', async () => {
  const second = Promise.withResolvers<string>()
  const server = await misbehave(createStream(Promise.resolve('data: 1'), second.promise))
  const gateway = createGateway({ baseUrl: server.url, credentials, timeout: 2000, retries: 0 })
  const stream = watch(gateway, { owner: 'ada' })
  expect(await stream.next()).toEqual({ value: 'data: 1', done: false })
  await pause(2100)
  second.resolve('data: 2')
  expect(await stream.next()).toEqual({ value: 'data: 2', done: false })
  await stream.return()
  expect(server.received).toMatchObject([{ query: 'owner=ada', headers: { 'x-api-key': 'key' } }])
})

it('a stream of server-sent events ends with the signal of the call', async () => {
  const server = await misbehave(createStream(Promise.resolve('data: 1')))
  const gateway = createGateway({ baseUrl: server.url, credentials })
  const controller = new AbortController()
  const stream = watch(gateway, { owner: 'ada', signal: controller.signal })
  await stream.next()
  const waiting = stream.next()
  controller.abort(new Error('closing'))
  await expect(waiting).rejects.toThrow('closing')
})

it('a stream of server-sent events ends in the error of the response', async () => {
  const server = await misbehave(failure(410, 41_001))
  const gateway = createGateway({ baseUrl: server.url, credentials, retries: 0 })
  const error = { kind: 'Refused', status: 410, code: 41_001 }
  await expect(watch(gateway, { owner: 'ada' }).next()).rejects.toMatchObject(error)
})
