import { expect, it, vi } from 'vitest'
import { type Behavior, envelope, failure, hang, misbehave, stall } from '../testdata/misbehaving-server.ts'
import { aThing, create, get } from '../testdata/things.ts'
import { createGateway, type GatewayOptions } from './gateway.ts'

const credentials = { apiKey: 'key', secret: 'sk_test_4f3c2b1a' }
const gatewayAt = (baseUrl: string, options: Partial<GatewayOptions> = {}) =>
  createGateway({ baseUrl, credentials, ...options })

const reason = new Error('the user left')

it.each<[string, Behavior]>([
  ['before a response', hang],
  ['during a response', stall],
  ['between two attempts', failure(429, 429, { 'retry-after': '20' })],
])('an abort signal ends a call %s with its reason', async (_, behavior) => {
  const controller = new AbortController()
  const server = await misbehave((response, request) => {
    setTimeout(() => controller.abort(reason), 50)
    return behavior(response, request)
  })
  const call = get(gatewayAt(server.url), { id: '7' }, { signal: controller.signal })
  await expect(call).rejects.toBe(reason)
  expect(server.received.length).toBe(1)
})

it('an abort signal ends a write with its reason', async () => {
  const server = await misbehave(hang)
  const signal = AbortSignal.timeout(100)
  const error = await create(gatewayAt(server.url), { name: 'x' }, { signal }).catch(
    (error: unknown) => error,
  )
  expect(error).toBe(signal.reason)
})

it('an abort signal that is already aborted prevents the request and the loading of credentials', async () => {
  const server = await misbehave(envelope(aThing))
  const loadCredentials = vi.fn(() => credentials)
  const call = get(
    gatewayAt(server.url, { credentials: loadCredentials }),
    { id: '7' },
    { signal: AbortSignal.abort(reason) },
  )
  await expect(call).rejects.toBe(reason)
  expect(loadCredentials).not.toHaveBeenCalled()
  expect(server.received.length).toBe(0)
})

it('an abort signal ends a call that waits for credentials, and nothing is sent when they arrive late', async () => {
  const controller = new AbortController()
  const fetch = vi.fn(() => expect.fail('sent'))
  let deliver: (late: typeof credentials) => void = () => expect.fail('credentials were not requested')
  const loadLate = () => {
    setTimeout(() => controller.abort(reason), 20)
    return new Promise<typeof credentials>((resolve) => {
      deliver = resolve
    })
  }
  const gateway = gatewayAt('http://127.0.0.1:1', { credentials: loadLate, fetch })
  await expect(get(gateway, { id: '7' }, { signal: controller.signal })).rejects.toBe(reason)
  deliver(credentials)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(fetch).not.toHaveBeenCalled()
})

it('an abort signal ends a call whose fetch ignores the signal', async () => {
  const controller = new AbortController()
  const gateway = gatewayAt('http://127.0.0.1:1', { fetch: () => new Promise(() => {}) })
  const call = get(gateway, { id: '7' }, { signal: controller.signal })
  setTimeout(() => controller.abort(reason), 20)
  await expect(call).rejects.toBe(reason)
})

it('an abort signal reports no response that arrives after the call ended', async () => {
  const onResponse = vi.fn()
  const { promise: late, resolve: respond } = Promise.withResolvers<Response>()
  const gateway = gatewayAt('http://127.0.0.1:1', { fetch: () => late, hooks: { onResponse } })
  const controller = new AbortController()
  const call = get(gateway, { id: '7' }, { signal: controller.signal })
  setTimeout(() => controller.abort(reason), 20)
  await expect(call).rejects.toBe(reason)
  const response = Response.json({ code: 200, data: aThing, msg: '', success: true })
  const read = vi.spyOn(response, 'text')
  respond(response)
  await vi.waitFor(() => expect(read).toHaveResolved(), 170_000)
  expect(onResponse).not.toHaveBeenCalled()
})

it('an abort signal can be shared by many calls without accumulating listeners', async () => {
  const { signal } = new AbortController()
  const listen = vi.spyOn(signal, 'addEventListener')
  const unlisten = vi.spyOn(signal, 'removeEventListener')
  const gateway = gatewayAt('http://127.0.0.1:1', {
    fetch: async () => Response.json({ code: 200, data: aThing, msg: '', success: true }),
  })
  for (let i = 0; i < 20; i++) await get(gateway, { id: '7' }, { signal })
  expect(listen.mock.calls.length - unlisten.mock.calls.length).toBe(0)
})
