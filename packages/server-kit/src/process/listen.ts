import type { Server, ServerResponse } from 'node:http'
import { serve } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Logger } from 'pino'
import { ConfigurationError } from './environment.ts'

export interface Listening {
  port: number
  url: string
  /**
   * Takes no new connections, lets the calls in flight finish (for `graceMs` at most), then closes what is left.
   */
  close(graceMs?: number): Promise<void>
}

export interface ListenOptions {
  port: number
  host?: string
  /** How long a caller may take to send a request, body included, in milliseconds; default 30,000. Then 408. */
  requestTimeoutMs?: number
  /** How long a caller may take to send the headers, in milliseconds; default 10,000. Then 408. */
  headersTimeoutMs?: number
  /** Connections at most; further ones are closed at once. Default: any number. */
  maxConnections?: number
}

/** The address at which a server on this host and port can be reached from its own machine. */
export function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/**
 * Serves an application over HTTP. Port 0 takes any free one.
 *
 * @param app One that has to know where it is reached is given as a function of its address; calls that come before it is made wait for it.
 */
export async function listen(
  app: Hono | ((url: string) => Promise<Hono>),
  options: ListenOptions,
): Promise<Listening> {
  const host = options.host ?? '127.0.0.1'
  let answer: Hono['fetch'] =
    typeof app === 'function' ? () => new Response(null, { status: 503 }) : app.fetch
  const server = await new Promise<Server>((resolve, reject) => {
    const { requestTimeoutMs = 30_000, headersTimeoutMs = 10_000, maxConnections } = options
    const serverOptions = {
      requestTimeout: requestTimeoutMs,
      headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
      // How often Node looks for requests that exceeded a timeout.
      connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
    }
    const made = serve(
      { fetch: (...call) => answer(...call), port: options.port, hostname: host, serverOptions },
      () => resolve(made),
    ) as Server
    if (maxConnections !== undefined) made.maxConnections = maxConnections
    made.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return reject(error)
      reject(new ConfigurationError(`Port ${options.port} on ${host} is taken; choose another`))
    })
  })
  let closing = false
  const answering = new Set<ServerResponse>()
  // Before the application's own listener: what it answers at once must know as well.
  server.prependListener('request', (_, response: ServerResponse) => {
    if (closing) response.shouldKeepAlive = false
    answering.add(response)
    response.once('close', () => answering.delete(response))
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no address')
  const url = urlOf(host, address.port)
  if (typeof app === 'function') {
    const making = app(url)
    answer = async (...call) => (await making).fetch(...call)
    try {
      answer = (await making).fetch
    } catch (error) {
      server.close()
      server.closeAllConnections()
      throw error
    }
  }
  return {
    port: address.port,
    url,
    async close(graceMs = 10_000) {
      closing = true
      // A connection that is kept alive would bring further calls after the one in flight.
      for (const response of answering) if (!response.headersSent) response.shouldKeepAlive = false
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(timer)
    },
  }
}

/** Runs `stop` once, at the first SIGINT or SIGTERM; a second one ends the process at once. */
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
