import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { type HttpBindings, serve } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Logger } from 'pino'
import { ConfigurationError } from '../environment.ts'
import { Connections } from './connections.ts'

export interface Listening {
  port: number
  url: string
  /**
   * Prepares the close while callers and load balancers move on: from now on each response closes its
   * connection, and after `delayMs` no connections are accepted. Resolves then. No call is reset.
   */
  drain(waits: ShutdownWaits): Promise<void>
  /**
   * Stops accepting connections, waits up to `graceMs` (default 30,000) for calls in progress, then closes
   * the remaining connections. Idle connections are closed at once, or after the `idleMs` of `drain`.
   */
  close(graceMs?: number): Promise<void>
}

/** How long a server that stops waits for its callers, in milliseconds. */
export interface ShutdownWaits {
  /** How long connections are still accepted. */
  readonly delayMs: number
  /** How long a connection must have been idle before it is closed. */
  readonly idleMs: number
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
  const { server, connections } = await startServer((...call) => handler(...call), host, options)
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
  return { port: address.port, url, ...createShutdown(server, connections) }
}

const DEFAULT_GRACE_MS = 30_000
/** The longest turn of the event loop that counts as one without work. */
const IDLE_TURN_MS = 0.2
/** How long no caller connects before the listener is closed. */
const QUIET_MS = 30
/** How long the listener waits for both, in a turn without work. Then one of them is enough. */
const QUIET_WAIT_MS = 500
/** How long the listener waits for that. */
const MAX_CLOSE_WAIT_MS = 5000

function createShutdown(server: Server, connections: Connections): Pick<Listening, 'drain' | 'close'> {
  let idleMs = 0
  return {
    async drain(waits) {
      idleMs = waits.idleMs
      connections.isDraining = true
      await sleep(waits.delayMs)
      // Callers whose connections stay open do not connect again while the listener closes.
      connections.isDraining = false
      await closeListener(server)
      connections.isDraining = true
    },
    async close(graceMs = DEFAULT_GRACE_MS) {
      connections.isDraining = true
      if (server.listening) stopListening(server)
      const timer = setTimeout(() => server.closeAllConnections(), graceMs)
      await connections.closeIdle(idleMs)
      clearTimeout(timer)
      // Ends the timer with which Node searches slow requests.
      server.close()
    },
  }
}

async function startServer(fetch: Hono['fetch'], host: string, options: ListenOptions) {
  const { port, requestTimeoutMs = 30_000, headersTimeoutMs = 10_000, maxConnections } = options
  const serverOptions = {
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    // How often Node checks for requests that exceeded a timeout.
    connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
  }
  let connections: Connections
  const respond: Parameters<typeof serve>[0]['fetch'] = async (request, bindings) => {
    // Without HTTP/2 options `serve` creates a server of `node:http`.
    const { incoming, outgoing } = bindings as HttpBindings
    if (!connections.isOpen(incoming)) return new Response(null, { status: 503 })
    const response = await fetch(request, bindings)
    connections.announceClose(incoming, outgoing)
    return response
  }
  const serving = { fetch: respond, port, hostname: host, serverOptions }
  return await new Promise<{ server: Server; connections: Connections }>((resolve, reject) => {
    const server = serve(serving, () => resolve({ server, connections })) as Server
    connections = new Connections(server)
    if (maxConnections !== undefined) server.maxConnections = maxConnections
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return reject(error)
      reject(
        new ConfigurationError(`Port ${port} on ${host} is in use. Choose another one`, { cause: error }),
      )
    })
  })
}

/**
 * Stops accepting connections. Closing a listener resets the connections that the kernel has established and
 * Node, which accepts one in each turn of its event loop, has not accepted. So this waits until no callers
 * connect, and for a turn that took no time.
 */
async function closeListener(server: Server): Promise<void> {
  const startedAt = performance.now()
  let acceptedAt = startedAt
  const onConnection = () => {
    acceptedAt = performance.now()
  }
  server.on('connection', onConnection)
  for (;;) {
    const turnAt = performance.now()
    await setImmediate()
    const now = performance.now()
    const waitedMs = now - startedAt
    if (waitedMs > MAX_CLOSE_WAIT_MS) break
    if (acceptedAt >= turnAt) continue
    const isIdle = now - turnAt < IDLE_TURN_MS
    const isQuiet = now - acceptedAt >= QUIET_MS
    if (waitedMs < QUIET_WAIT_MS ? isIdle && isQuiet : isIdle || isQuiet) break
  }
  server.off('connection', onConnection)
  stopListening(server)
}

/** The `close` of `node:http` would also destroy idle connections, on which a request may be on its way. */
const stopListening = (server: Server) => NetServer.prototype.close.call(server)

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
