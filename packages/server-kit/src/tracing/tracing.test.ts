import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startTraceReceiver, type TraceReceiver } from '@mintmark/devkit/tracing/trace-receiver'
import { trace } from '@opentelemetry/api'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { readEnvironment } from '../environment.ts'
import { startJobs } from '../process/jobs.ts'
import { createLog, type Logger } from '../process/log.ts'
import { runInSpan } from './spans.ts'
import { startTracing } from './start-tracing.ts'
import { traceCall } from './trace-call.ts'
import { traceRequestTo } from './trace-request.ts'
import type { RunningTracing } from './tracing.ts'
import { readTracingSettings, type TracingSettings } from './tracing-settings.ts'

const silent = createLog('tracing', 'silent')
const operation = { id: 'things.get', method: 'GET', path: '/things/{id}' } as const

let receiver: TraceReceiver
beforeAll(async () => {
  receiver = await startTraceReceiver()
})
afterAll(() => receiver.close())

async function start(
  env: Record<string, string> = {},
  log: Logger = silent,
  changes: Partial<TracingSettings> = {},
): Promise<RunningTracing> {
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '10', ...env }
  const configured = readTracingSettings(readEnvironment(settings), 'a-server')
  const tracing = await startTracing(configured && { ...configured, ...changes }, log)
  if (tracing === undefined) throw new Error('Tracing was not started')
  onTestFinished(() => tracing.close())
  return tracing
}

/** Returns the spans of a trace, once it has as many. */
async function waitForSpans(traceId: string, count: number) {
  const find = () => receiver.spans.filter((span) => span.traceId === traceId)
  await expect.poll(() => find().length).toBe(count)
  return find()
}

const createTraceId = () => crypto.randomUUID().replaceAll('-', '')
/** A request to an address with a key. */
const request = (name: string) => ({
  name,
  url: new URL('https://upstream.example/key-1?key=2'),
  getStatus: ({ status }: Response) => status,
})
const respond = async () => new Response(null, { status: 204 })

const call = (tracing: RunningTracing, traceparent: string | undefined, work: () => Promise<Response>) =>
  traceCall(tracing, operation, (name) => (name === 'traceparent' ? traceparent : undefined), work)

it.each(['', 'x', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `00-${'a'.repeat(32)}-b-01, 00-c-d-01`])(
  'a traced call begins a trace of its own where the caller sends the traceparent %j',
  async (traceparent) => {
    const tracing = await start()
    let traceId = ''
    await call(tracing, traceparent, async () => {
      traceId = trace.getActiveSpan()?.spanContext().traceId ?? ''
      return respond()
    })
    const [span] = await waitForSpans(traceId, 1)
    expect(span?.parentSpanId).toBeUndefined()
  },
)

it('a traced call is not recorded where the caller does not record it, unless the sampler ignores callers', async () => {
  const unrecorded = (traceId: string) => `00-${traceId}-00f067aa0ba902b7-00`
  const [first, second] = [createTraceId(), createTraceId()]
  const following = await start()
  await call(following, unrecorded(first), respond)
  await following.close()
  const ignoring = await start({ OTEL_TRACES_SAMPLER: 'always_on' })
  await call(ignoring, unrecorded(second), respond)
  await waitForSpans(second, 1)
  expect(receiver.spans.filter(({ traceId }) => traceId === first)).toEqual([])
})

it('a traced call marks failures of the server, and leaves out the messages of errors', async () => {
  const tracing = await start()
  const traceId = createTraceId()
  await call(tracing, `00-${traceId}-00f067aa0ba902b7-01`, async () => {
    const failing = async () => {
      throw Object.assign(new Error('a-secret-value'), { code: '40001' })
    }
    await runInSpan(tracing, { name: 'inner', kind: 2, attributes: {} }, failing).catch(() => {})
    return new Response(null, { status: 500 })
  })
  const [inner, outer] = await waitForSpans(traceId, 2)
  expect(inner).toMatchObject({ status: 2, attributes: { 'error.type': '40001' } })
  expect(outer).toMatchObject({ status: 2, attributes: { 'error.type': '500' } })
  expect(inner?.parentSpanId).toBe(outer?.spanId)
  expect(receiver.bodies.join()).not.toContain('a-secret-value')
})

it('a traced call has no spans that begin after it has ended', async () => {
  const tracing = await start()
  const traceId = createTraceId()
  let sendLater = async () => {}
  await call(tracing, `00-${traceId}-00f067aa0ba902b7-01`, async () => {
    await traceRequestTo(tracing, request('in time'), respond)
    const { promise, resolve } = Promise.withResolvers<void>()
    const later = promise.then(() => traceRequestTo(tracing, request('too late'), respond))
    sendLater = async () => {
      resolve()
      await later
    }
    return respond()
  })
  await sendLater()
  const spans = await waitForSpans(traceId, 2)
  expect(spans.map(({ name }) => name)).toEqual(['in time', 'things.get'])
})

it('the runs of a job are exported only if they took long or failed', async () => {
  const tracing = await start({}, silent, { jobMinMs: 60_000 })
  const runs: string[] = []
  let isFailing = false
  const run = async () => {
    runs.push(trace.getActiveSpan()?.spanContext().traceId ?? '')
    await traceRequestTo(tracing, request('request of a job'), respond)
    if (isFailing) throw new TypeError('failed')
  }
  const jobs = startJobs([{ name: 'reads', everyMs: 3_600_000, run }], {
    log: silent,
    removeSecrets: (error) => error,
    tracing,
  })
  await jobs.runAll()
  isFailing = true
  const before = runs.length
  await jobs.runAll()
  await jobs.stop()
  const spans = await waitForSpans(runs[before] ?? '', 2)
  expect(spans.map(({ name }) => name)).toEqual(['request of a job', 'job reads'])
  expect(spans[1]?.attributes).toEqual({ 'mintmark.job': 'reads', 'error.type': 'TypeError' })
  expect(receiver.spans.filter(({ traceId }) => traceId === runs[0])).toEqual([])
})

it('a receiver of traces gets the headers of the settings', async () => {
  const tracing = await start({ OTEL_EXPORTER_OTLP_HEADERS: 'x-key=abc%20d' })
  await call(tracing, undefined, respond)
  await expect.poll(() => receiver.headers.some((headers) => headers['x-key'] === 'abc d')).toBe(true)
})

it.each([
  ['refuses connections', async () => 'http://127.0.0.1:9'],
  ['accepts connections and never responds', startSilentServer],
])(
  'a receiver of traces that %s fails no call, is logged, and delays the end for a bounded time',
  async (_, getAddress) => {
    const lines: string[] = []
    const log = createLog('test', 'warn', { write: (line) => void lines.push(line) })
    const url = await getAddress()
    const tracing = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_TIMEOUT: '100' }, log)
    const response = await call(tracing, undefined, respond)
    expect(response.status).toBe(204)
    await expect.poll(() => lines.join()).toContain('traces could not be exported')
    await call(tracing, undefined, respond)
    await tracing.close()
  },
)

it('a receiver of traces is not waited for after the end of its time', async () => {
  const url = await startSilentServer()
  const tracing = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_TIMEOUT: '60000' })
  await call(tracing, undefined, respond)
  await tracing.close()
})

async function startSilentServer(): Promise<string> {
  const server = createServer(() => {})
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', () => resolve())
  await promise
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return `http://127.0.0.1:${address.port}`
}

it('nothing of the OpenTelemetry SDK is loaded without settings of tracing', async () => {
  const kit = join(import.meta.dirname, '../index.ts')
  const program = `
      import { registerHooks } from 'node:module'
      const loaded = []
      registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
      const kit = await import(${JSON.stringify(kit)})
      const env = kit.readEnvironment({})
      const tracing = await kit.startTracing(kit.readTracingSettings(env, 'x'), kit.createServerLog('x', env))
      const sdk = loaded.filter((url) => /opentelemetry\\/(?!api)/.test(url))
      console.log(JSON.stringify({ isTraced: tracing !== undefined, count: loaded.length > 100, sdk }))
      process.exit(0)`
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--conditions=@mintmark/source',
    '--input-type=module',
    '--eval',
    program,
  ])
  expect(JSON.parse(stdout)).toEqual({ isTraced: false, count: true, sdk: [] })
})
