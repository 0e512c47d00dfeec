import { connect } from 'node:net'
import { Hono } from 'hono'
import { afterEach, expect, it } from 'vitest'
import { ConfigurationError, type EnvironmentReader, readEnvironment } from '../environment.ts'
import { readSettings } from '../settings.ts'
import { type Listening, listen } from './listen.ts'
import { createLog } from './log.ts'
import { createMetrics } from './metrics.ts'
import { addMetricsRoute, type MetricsAccess, serveMetrics } from './serve-metrics.ts'
import { serverSettings } from './server-settings.ts'

function readMetricsAccess(env: EnvironmentReader): MetricsAccess {
  const { METRICS_PORT: port, METRICS_HOST: host, METRICS_TOKEN } = readSettings(serverSettings, env)
  return { port, host, token: METRICS_TOKEN }
}

const token = 'a-token-for-the-metrics'
const log = createLog('test', 'silent')
const open: Listening[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

/** Starts a server whose application has an unrelated route. */
async function startServer(access: Partial<MetricsAccess>): Promise<Listening> {
  const app = new Hono().get('/c/:name', (context) => context.text('a card'))
  addMetricsRoute(app, createMetrics('test', log), {
    port: undefined,
    host: '127.0.0.1',
    token: undefined,
    ...access,
  })
  const listening = await listen(app, { port: 0 })
  open.push(listening)
  return listening
}

/** Sends a request line and a Host exactly as they are. Resolves with the whole response. */
function exchange(port: number, target: string, host = 'localhost'): Promise<string> {
  const head = `GET ${target} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => void socket.write(head))
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })
}

const isMetrics = (response: string) => response.includes('test_calls_total')

it('/metrics is not served without METRICS_PORT and METRICS_TOKEN', async () => {
  const { port } = await startServer({})
  expect(await exchange(port, '/metrics')).toMatch(/^HTTP\/1.1 404 /)
  expect(
    await serveMetrics(createMetrics('test', log), readMetricsAccess(readEnvironment({})), log),
  ).toBeUndefined()
})

it('/metrics is served on the port of the server to callers with the token', async () => {
  const { port, url } = await startServer({ token })
  expect(isMetrics(await exchange(port, '/metrics'))).toBe(true)
  expect(isMetrics(await exchange(port, '/metrics?name=x'))).toBe(true)
  for (const authorization of ['', 'Bearer ', `Bearer ${token}x`, `Basic ${token}`, token]) {
    const response = await fetch(`${url}/metrics`, { headers: { authorization } })
    expect(response.status).toBe(401)
    expect(isMetrics(await response.text())).toBe(false)
  }
})

it.each([
  ['/%6detrics', 'localhost'],
  ['/c/../metrics', 'localhost'],
  ['/c/%2e%2e/metrics', 'localhost'],
  ['/./metrics', 'localhost'],
  ['//metrics', 'localhost'],
  ['/metrics/', 'localhost'],
  ['http://localhost/metrics', 'localhost'],
  ['/c/x', 'localhost/metrics?'],
  ['/c/x', 'localhost/metrics#'],
  ['/c/x', 'localhost:80/metrics?'],
])(
  '/metrics is not served for the request line %s and the Host %s, even with the token',
  async (target, host) => {
    const { port } = await startServer({ token })
    expect(isMetrics(await exchange(port, target, host))).toBe(false)
  },
)

it('/metrics requires the token on METRICS_PORT too, if both are set', async () => {
  const access = readMetricsAccess(readEnvironment({ METRICS_PORT: '0', METRICS_TOKEN: token }))
  const listening = await serveMetrics(createMetrics('test', log), access, log)
  if (listening === undefined) throw new Error('The metrics are not served')
  open.push(listening)
  expect((await fetch(`${listening.url}/metrics`)).status).toBe(401)
  const headers = { authorization: `Bearer ${token}` }
  expect((await fetch(`${listening.url}/metrics`, { headers })).status).toBe(200)
})

it.each([['short'], ['with a space in between'], ['with-an-umlaut-ä-in-it']])(
  '/metrics rejects the token %s without repeating it',
  (wrong) => {
    const read = () => readMetricsAccess(readEnvironment({ METRICS_TOKEN: wrong }))
    expect(read).toThrow(ConfigurationError)
    expect(read).not.toThrow(wrong)
  },
)

it('a gauge is read once for many scrapes, and again after `cacheMs`', async () => {
  const metrics = createMetrics('test', log, 100)
  let readings = 0
  metrics.gauge('age', 'Age', async () => {
    readings += 1
    await new Promise((resolve) => setTimeout(resolve, 10))
    return readings
  })
  const scrapes = await Promise.all(Array.from({ length: 20 }, () => metrics.registry.metrics()))
  for (const text of scrapes) expect(text).toContain('test_age 1\n')
  expect(readings).toBe(1)
  await expect.poll(() => metrics.registry.metrics()).toContain('test_age 2\n')
})

it('a gauge that cannot be read is logged and left out, and the others are still read', async () => {
  const failed: unknown[] = []
  const metrics = createMetrics('test', { warn: (fields: unknown) => void failed.push(fields) })
  const fail = () => Promise.reject(new Error('no database'))
  metrics.gauge('broken', 'Broken', fail)
  metrics.gauge('labelled', 'Labelled', fail, 'state')
  metrics.gauge('age', 'Age', async () => 7)
  const text = await metrics.registry.metrics()
  expect(text).toContain('test_age 7\n')
  expect(text).toContain('test_broken Nan\n')
  expect(text).not.toContain('test_labelled{')
  expect(failed).toMatchObject([{ gauge: 'broken' }, { gauge: 'labelled' }])
})

it('a gauge whose reading takes longer than its cache is not read again meanwhile', async () => {
  const metrics = createMetrics('test', log, 0)
  const { promise, resolve } = Promise.withResolvers<number>()
  let readings = 0
  metrics.gauge('slow', 'Slow', () => {
    readings += 1
    return promise
  })
  const scrapes = [metrics.registry.metrics(), metrics.registry.metrics()]
  expect(readings).toBe(1)
  resolve(7)
  for (const text of await Promise.all(scrapes)) expect(text).toContain('test_slow 7')
})
