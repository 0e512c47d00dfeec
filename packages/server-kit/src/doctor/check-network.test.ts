import type { RequestListener } from 'node:http'
import { serveLocally } from '@mintmark/devkit/serve-locally'
import { startTraceReceiver } from '@mintmark/devkit/tracing/trace-receiver'
import { afterEach, expect, it } from 'vitest'
import { readEnvironment } from '../environment.ts'
import { readTracingSettings } from '../tracing/tracing-settings.ts'
import { createTracingCheck } from './check-network.ts'
import { runChecks } from './run-checks.ts'

let stops = new AsyncDisposableStack()
afterEach(async () => {
  await stops.disposeAsync()
  stops = new AsyncDisposableStack()
})

async function check(env: Readonly<Record<string, string>>) {
  const settings = readTracingSettings(readEnvironment(env), 'a-server')
  return settings === undefined ? [] : await runChecks([createTracingCheck(settings)])
}

const serve = (listener: RequestListener) => serveLocally(listener, stops)

it('doctor accepts a receiver of traces that responds, and sends it the headers and no spans', async () => {
  const receiver = await startTraceReceiver()
  stops.defer(() => receiver.close())
  const findings = await check({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=key-4711',
  })
  expect(findings).toEqual([{ area: 'network', level: 'ok', message: 'The receiver of traces responds' }])
  expect(receiver.headers.map((headers) => headers['x-key'])).toEqual(['key-4711'])
  expect(receiver.spans).toEqual([])
})

it('doctor names the code when the receiver of traces refuses the connection', async () => {
  const address = await serve(() => {})
  await stops.disposeAsync()
  stops = new AsyncDisposableStack()
  const [finding] = await check({ OTEL_EXPORTER_OTLP_ENDPOINT: `${address}/key-4711` })
  expect(finding).toMatchObject({
    level: 'warning',
    message: 'OTEL_EXPORTER_OTLP_ENDPOINT cannot be reached (ECONNREFUSED), so traces are lost',
    docs: 'docs/guides/running-the-servers.md#doctor-network',
  })
  expect(JSON.stringify(finding)).not.toContain('4711')
})

it('doctor names the code of a failed TLS handshake, as with https and the port of a receiver without TLS', async () => {
  const address = await serve((_, response) => response.end())
  const [finding] = await check({ OTEL_EXPORTER_OTLP_ENDPOINT: address.replace('http:', 'https:') })
  expect(finding).toMatchObject({
    level: 'warning',
    message: expect.stringMatching(/\((?:ERR_SSL_\w+|EPROTO)\)/),
  })
})

it('doctor reports the status of a wrong path of the receiver of traces, and how to correct it', async () => {
  const address = await serve((request, response) =>
    response.writeHead(request.url === '/v1/traces' ? 200 : 404).end(),
  )
  const [right] = await check({ OTEL_EXPORTER_OTLP_ENDPOINT: address })
  expect(right?.level).toBe('ok')
  const [wrong] = await check({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${address}/traces` })
  expect(wrong).toMatchObject({
    level: 'warning',
    message: expect.stringContaining('responds with status 404'),
  })
})

it('doctor does not follow a redirect of the receiver of traces, which would send the key to another server', async () => {
  const paths: (string | undefined)[] = []
  const other = await serve((request, response) => {
    paths.push(request.url)
    response.end()
  })
  const address = await serve((_, response) => response.writeHead(307, { location: other }).end())
  const [finding] = await check({
    OTEL_EXPORTER_OTLP_ENDPOINT: address,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=key-4711',
  })
  expect(finding).toMatchObject({ level: 'warning', message: expect.stringContaining('status 307') })
  expect(paths).toEqual([])
})

it.each([
  ['the receiver repeats it', 'x-key=key-4711'],
  ['it cannot be sent', 'x-key=key%0A-4711'],
])('doctor does not report the value of a header of traces when %s', async (_, headers) => {
  const address = await serve((request, response) =>
    response.writeHead(401, String(request.headers['x-key'])).end(String(request.headers['x-key'])),
  )
  const [finding] = await check({
    OTEL_EXPORTER_OTLP_ENDPOINT: address,
    OTEL_EXPORTER_OTLP_HEADERS: headers,
  })
  expect(finding?.level).toBe('warning')
  expect(JSON.stringify(finding)).not.toContain('4711')
})
