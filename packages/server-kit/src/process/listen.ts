import type { Server, ServerResponse } from 'node:http'
import { serve } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Logger } from 'pino'
import { ConfigurationError } from './environment.ts'

export interface Listening {
  port: number
  url: string
  /**
   * Stops accepting connections, waits up to `graceMs` for calls in progress, then closes the remaining
   * connections.
   */
  close(graceMs?: number): Promise<void>
}

export interface ListenOptions {
  port: number
  host?: string
  /**
   * Time for a caller to send a request with its body, in milliseconds. Default 30,000. Then responds 408.
   */
  requestTimeoutMs?: number
  /** Time for a caller to send the headers, in milliseconds. Default 10,000. Then responds 408. */
  headersTimeoutMs?: number
  /** Most connections; further ones are closed immediately. Default: unlimited. */
  maxConnections?: number
}

/** Returns the URL of a server on this host and port, as seen from its own machine. */
export function formatUrl(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/**
 * Serves an application over HTTP. Port 0 selects a free one.
 *
 * @param app An application, or a function that creates it from the server's URL. Calls that arrive earlier
 * wait for it.
 */
export async function listen(
  app: Hono | ((url: string) => Promise<Hono>),
  options: ListenOptions,
): Promise<Listening> {
  const host = options.host ?? '127.0.0.1'
  let handler: Hono['fetch'] =
    typeof app === 'function' ? () => new Response(null, { status: 503 }) : app.fetch
  const server = await startServer((...call) => handler(...call), host, options)
  const close = trackResponses(server)
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no address')
  const url = formatUrl(host, address.port)
  if (typeof app === 'function') {
    const pendingApp = app(url)
    handler = async (...call) => (await pendingApp).fetch(...call)
    try {
      handler = (await pendingApp).fetch
    } catch (error) {
      server.close()
      server.closeAllConnections()
      throw error
    }
  }
  return { port: address.port, url, close }
}

async function startServer(fetch: Hono['fetch'], host: string, options: ListenOptions): Promise<Server> {
  const { port, requestTimeoutMs = 30_000, headersTimeoutMs = 10_000, maxConnections } = options
  const serverOptions = {
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    // How often Node checks for requests that exceeded a timeout.
    connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
  }
  return await new Promise<Server>((resolve, reject) => {
    // Without HTTP/2 options `serve` creates a server of `node:http`.
    const server = serve({ fetch, port, hostname: host, serverOptions }, () => resolve(server)) as Server
    if (maxConnections !== undefined) server.maxConnections = maxConnections
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return reject(error)
      reject(
        new ConfigurationError(`Port ${port} on ${host} is in use. Choose another one`, { cause: error }),
      )
    })
  })
}

/** Tracks responses in progress. Returns a function that closes the server after them. */
function trackResponses(server: Server): Listening['close'] {
  let isClosing = false
  const responses = new Set<ServerResponse>()
  // Prepended, so that it runs before the application responds.
  server.prependListener('request', (_, response: ServerResponse) => {
    if (isClosing) response.shouldKeepAlive = false
    responses.add(response)
    response.once('close', () => responses.delete(response))
  })
  return async (graceMs = 10_000) => {
    isClosing = true
    // A keep-alive connection could send further calls.
    for (const response of responses) if (!response.headersSent) response.shouldKeepAlive = false
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeIdleConnections()
    const timer = setTimeout(() => server.closeAllConnections(), graceMs)
    await closed
    clearTimeout(timer)
  }
}

/** Runs `stop` at the first SIGINT or SIGTERM. A second signal ends the process immediately. */
export function onShutdown(log: Logger, stop: () => Promise<void>): void {
  let stopping = false
  const handle = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(130)
    stopping = true
    log.info({ signal }, 'stopping')
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', handle)
  process.on('SIGTERM', handle)
}
