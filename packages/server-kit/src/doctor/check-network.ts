import type { TracingSettings } from '../tracing/tracing-settings.ts'
import { type Check, defineCheck, warnIf } from './check.ts'

const REQUEST_TIMEOUT_MS = 5_000

/** Whether an address is on this machine or in its private network. */
export function isLocal({ hostname }: URL): boolean {
  return (
    /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[::1\]$|\[f[cd])/.test(hostname) ||
    !hostname.includes('.') ||
    /\.(?:internal|local|localhost)$/.test(hostname)
  )
}

/** Sends a request. Returns its status, or the code of the failure: messages of fetch can contain what was sent. */
async function request(url: string, init: RequestInit): Promise<{ status?: number; failure?: string }> {
  try {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    const response = await fetch(url, { redirect: 'manual', signal, ...init })
    await response.body?.cancel()
    return { status: response.status }
  } catch (error) {
    if (!(error instanceof Error)) return { failure: 'unknown error' }
    const { cause } = error
    return { failure: cause instanceof Error && 'code' in cause ? String(cause.code) : error.name }
  }
}

/** How a server listens. */
export interface ListenSettings {
  readonly host: string
  readonly port: number
  readonly portSetting: string
  readonly trustedProxyHops: number
}

/** Creates the check of the address that callers use. */
export function createPublicUrlCheck(
  publicUrl: string | URL | undefined,
  { host, trustedProxyHops }: ListenSettings,
): Check {
  const url = publicUrl === undefined ? undefined : new URL(publicUrl)
  const isPublic = host === '0.0.0.0' || host === '::'
  return defineCheck({
    area: 'network',
    name: 'PUBLIC_URL',
    read: async () => [url === undefined ? {} : await request(`${url.href.replace(/\/$/, '')}/health`, {})],
    problems: ({ status = 200, failure }) => [
      warnIf(url === undefined && isPublic)`
        PUBLIC_URL is not set, so addresses that callers receive contain this machine's own address
        Set PUBLIC_URL to the address that callers use, such as https://gateway.example.com`,
      warnIf(url?.protocol === 'http:' && !isLocal(url))`
        PUBLIC_URL begins with http://, so others can read what callers send
        Set up TLS at the proxy, and change PUBLIC_URL to https://`,
      warnIf(url?.protocol === 'https:' && trustedProxyHops === 0)`
        TRUSTED_PROXY_HOPS is 0 behind a proxy, so all callers share one limit of refused calls
        Set TRUSTED_PROXY_HOPS to the number of proxies that append to X-Forwarded-For`,
      warnIf(failure !== undefined)`PUBLIC_URL cannot be reached from this machine (${failure})
        Correct PUBLIC_URL, its name in the name service, or the certificate of the proxy. Ignore this if this machine may not reach it`,
      warnIf(status !== 200)`PUBLIC_URL responds to /health with status ${status}
        Start the server, or correct the proxy: it must pass path and query on to the server`,
    ],
    ok: () => (url === undefined ? undefined : 'PUBLIC_URL responds'),
  })
}

/** Creates the check of the receiver of traces, which gets an export without spans. */
export const createTracingCheck = ({ url, headers }: TracingSettings): Check =>
  defineCheck({
    area: 'network',
    name: 'The receiver of traces',
    read: async () => [
      await request(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [] }),
      }),
    ],
    problems: ({ status = 200, failure }) => [
      warnIf(failure !== undefined)`
        OTEL_EXPORTER_OTLP_ENDPOINT cannot be reached (${failure}), so traces are lost
        Start the receiver, or correct OTEL_EXPORTER_OTLP_ENDPOINT`,
      warnIf(status < 200 || status > 299)`
        OTEL_EXPORTER_OTLP_ENDPOINT responds with status ${status}, so traces are lost
        Set OTEL_EXPORTER_OTLP_ENDPOINT to a receiver of OTLP over HTTP (port 4318), and its key in OTEL_EXPORTER_OTLP_HEADERS`,
    ],
    ok: () => 'The receiver of traces responds',
  })
