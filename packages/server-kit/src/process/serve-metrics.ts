import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Hono, type Context as HonoContext } from 'hono'
import { type Listening, listen } from './listen.ts'
import type { Logger } from './log.ts'
import type { ServerMetrics } from './metrics.ts'

/** Who may read the metrics, and where. Without a port and a token they are not served. */
export interface MetricsAccess {
  /** The port that serves only the metrics. Undefined: the server's own port, which requires a token. */
  readonly port: number | undefined
  /** The address that the port is bound to. */
  readonly host: string
  /** Expected as `Authorization: Bearer <token>`. Undefined: the port requires none. */
  readonly token: string | undefined
}

/**
 * Adds `/metrics` to an application, for callers with the token. Adds nothing without a token, or if the
 * metrics have their own port.
 */
export function addMetricsRoute(app: Hono, metrics: ServerMetrics, access: MetricsAccess | undefined): void {
  if (access?.token !== undefined && access.port === undefined) addGuardedRoute(app, metrics, access.token)
}

function addGuardedRoute(app: Hono, metrics: ServerMetrics, token: string): void {
  app.get('/metrics', async (context, next) => {
    // Hono decodes the path, so that a proxy's rule for `/metrics` would not match every spelling of it.
    if (!isExactPath(context)) return next()
    return hasToken(context, token) ? respond(context, metrics) : refuse()
  })
}

/** Serves only the metrics on METRICS_PORT. Returns undefined if it is not set. */
export async function serveMetrics(
  metrics: ServerMetrics,
  { port, host, token }: MetricsAccess,
  log: Logger,
): Promise<Listening | undefined> {
  if (port === undefined) {
    if (token === undefined)
      log.info('Metrics are not served. Set METRICS_PORT or METRICS_TOKEN to serve them')
    return undefined
  }
  const app = new Hono()
  if (token === undefined) app.get('/metrics', (context) => respond(context, metrics))
  else addGuardedRoute(app, metrics, token)
  const listening = await listen(app, { port, host })
  log.info({ url: `${listening.url}/metrics` }, 'metrics')
  return listening
}

async function respond(context: HonoContext, { registry }: ServerMetrics): Promise<Response> {
  return context.body(await registry.metrics(), 200, { 'content-type': registry.contentType })
}

const refuse = () =>
  new Response('Unauthorized. Send METRICS_TOKEN as a bearer token\n', {
    status: 401,
    headers: { 'content-type': 'text/plain', 'www-authenticate': 'Bearer' },
  })

/** Whether the request line names `/metrics` itself. An application without a server has only the URL. */
function isExactPath(context: HonoContext): boolean {
  const { incoming } = (context.env ?? {}) as { incoming?: IncomingMessage }
  const target = incoming?.url ?? new URL(context.req.url).pathname
  return target.split('?')[0] === '/metrics'
}

/** Compares hashes in constant time, so that the time of a response does not depend on the token. */
function hasToken(context: HonoContext, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(context.req.header('authorization') ?? ''), hash(`Bearer ${token}`))
}
