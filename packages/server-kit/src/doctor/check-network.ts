import { createServer } from 'node:net'
import type { MetricsAccess } from '../process/serve-metrics.ts'
import { type Check, type Outcome, reportError, reportOk, reportWarning } from './finding.ts'

export interface ListenSettings {
  readonly port: number
  readonly host: string
  /** The setting of the port. */
  readonly portSetting: string
  /** The setting of the host. */
  readonly hostSetting: string
}

const REQUEST_TIMEOUT_MS = 5_000

/**
 * Creates the checks that the ports of calls and of metrics can be used. A port that this server itself uses
 * already is no problem.
 *
 * @param metrics Their port is undefined if they are served with the calls.
 */
export function createPortChecks(
  calls: Omit<ListenSettings, 'hostSetting'>,
  metrics: Pick<MetricsAccess, 'port' | 'host'>,
): readonly Check[] {
  const { port, host } = metrics
  const ofCalls = createPortCheck({ ...calls, hostSetting: 'HOST' })
  if (port === undefined) return [ofCalls]
  return [ofCalls, createPortCheck({ port, host, portSetting: 'METRICS_PORT', hostSetting: 'METRICS_HOST' })]
}

function createPortCheck(settings: ListenSettings): Check {
  return {
    area: 'network',
    name: `${settings.portSetting} ${settings.port}`,
    run: async () => [await checkPort(settings)],
  }
}

async function checkPort({ port, host, portSetting, hostSetting }: ListenSettings): Promise<Outcome> {
  const code = await tryToListen(port, host)
  if (code === undefined)
    return reportOk(
      port === 0 ? `${portSetting} is 0: the server selects a free port` : `Port ${port} is free`,
    )
  if (code === 'EADDRINUSE') {
    if (await isOurServer(port, host)) return reportOk(`A Mintmark server runs on port ${port}`)
    return reportError(
      `Another program uses port ${port} on ${host}`,
      `Stop it, or set ${portSetting} to another port`,
    )
  }
  if (code === 'EACCES')
    return reportError(
      `This user may not use port ${port}`,
      `Set ${portSetting} to a port from 1024 on, and let the proxy pass on to it`,
    )
  return reportError(
    `This machine has no address ${host} (${code})`,
    `Set ${hostSetting} to 0.0.0.0, or to an address of this machine`,
  )
}

function tryToListen(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (failure: NodeJS.ErrnoException) => resolve(failure.code ?? failure.message))
    server.listen({ port, host }, () => server.close(() => resolve(undefined)))
  })
}

/** Whether the program on a port responds like one of the servers: to `/health`, or with metrics. */
async function isOurServer(port: number, host: string): Promise<boolean> {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host
  for (const path of ['health', 'metrics']) {
    const response = await fetchPath(`http://${address}:${port}/${path}`)
    if (response instanceof Response && (response.headers.has('x-request-id') || response.status === 401))
      return true
    if (response instanceof Response && (await response.text()).includes('mintmark_')) return true
  }
  return false
}

async function fetchPath(url: string): Promise<Response | Error> {
  try {
    return await fetch(url, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS), redirect: 'manual' })
  } catch (failure) {
    return failure instanceof Error ? failure : new Error(String(failure))
  }
}

export interface PublicUrlSettings {
  readonly publicUrl: string | undefined
  readonly host: string
  readonly trustedProxyHops: number
}

/** Creates the check of the address that callers use. */
export function createPublicUrlCheck(settings: PublicUrlSettings): Check {
  return {
    area: 'network',
    name: 'PUBLIC_URL',
    run: async () => await checkPublicUrl(settings),
  }
}

async function checkPublicUrl(settings: PublicUrlSettings): Promise<Outcome[]> {
  const { publicUrl, host, trustedProxyHops } = settings
  if (publicUrl === undefined) {
    if (host !== '0.0.0.0' && host !== '::') return []
    return [
      reportWarning(
        `PUBLIC_URL is not set, so addresses that callers receive contain this machine's own address`,
        'Set PUBLIC_URL to the address that callers use, such as https://gateway.example.com',
      ),
    ]
  }
  const url = new URL(publicUrl)
  const outcomes: Outcome[] = []
  if (url.protocol === 'http:' && !isLocal(url.hostname))
    outcomes.push(
      reportWarning(
        'PUBLIC_URL begins with http://, so others can read what callers send',
        'Set up TLS at the proxy, and change PUBLIC_URL to https://',
      ),
    )
  if (url.protocol === 'https:' && trustedProxyHops === 0)
    outcomes.push(
      reportWarning(
        'TRUSTED_PROXY_HOPS is 0 behind a proxy, so all callers share one limit of refused calls',
        'Set TRUSTED_PROXY_HOPS to the number of proxies that append to X-Forwarded-For',
      ),
    )
  return [...outcomes, await checkPublicHealth(publicUrl)]
}

async function checkPublicHealth(publicUrl: string): Promise<Outcome> {
  const response = await fetchPath(`${publicUrl.replace(/\/$/, '')}/health`)
  if (response instanceof Error) {
    const { cause } = response
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : response.name
    return reportWarning(
      `PUBLIC_URL cannot be reached from this machine (${code})`,
      'Correct PUBLIC_URL, its name in the name service, or the certificate of the proxy. Ignore this if this machine may not reach it',
    )
  }
  if (response.status === 200) return reportOk('PUBLIC_URL responds')
  return reportWarning(
    `PUBLIC_URL responds to /health with status ${response.status}`,
    'Start the server, or correct the proxy: it must pass path and query on to the server',
  )
}

/** Whether an address is on this machine or in its private network. */
export function isLocal(hostname: string): boolean {
  return (
    /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[::1\]$|\[f[cd])/.test(hostname) ||
    !hostname.includes('.') ||
    /\.(?:internal|local|localhost)$/.test(hostname)
  )
}
