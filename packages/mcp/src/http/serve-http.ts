import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { McpApplication } from '../application.ts'
import { SettingsError } from '../settings-error.ts'
import { findRefusal, type GuardRules, isLoopback } from './request-guard.ts'

export interface HttpOptions {
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined
  /** 0 selects a free port. */
  readonly port: number
  /** Required unless the server listens on a loopback address. */
  readonly token?: string | undefined
  /** Further values of the Host header, such as `mcp.example.com`, behind a reverse proxy. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Origins of websites that may call, such as `https://app.example.com`. Default: none. */
  readonly allowedOrigins?: readonly string[] | undefined
  /** The most sessions at a time. The one that was idle longest ends first. Default: 100. */
  readonly maxSessions?: number | undefined
}

export interface RunningHttpServer {
  /** Where clients connect to, such as `http://127.0.0.1:4100/mcp`. */
  readonly url: string
  close(): Promise<void>
}

const PATH = '/mcp'
const MIN_TOKEN_LENGTH = 16
const DEFAULT_MAX_SESSIONS = 100
const MAX_BODY_BYTES = 1_000_000

/**
 * Serves an application over streamable HTTP. Each session has a server of its own.
 *
 * @throws SettingsError
 */
export async function serveHttp(
  application: McpApplication,
  options: HttpOptions,
): Promise<RunningHttpServer> {
  const { host = '127.0.0.1', token } = options
  if (token === undefined && !isLoopback(host))
    throw new SettingsError(`Set MINTMARK_MCP_TOKEN: ${host} is reachable from other machines`)
  if (token !== undefined && token.length < MIN_TOKEN_LENGTH)
    throw new SettingsError(`MINTMARK_MCP_TOKEN is too short. Use at least ${MIN_TOKEN_LENGTH} characters`)
  const sessions = new Sessions(application, options.maxSessions ?? DEFAULT_MAX_SESSIONS)
  let rules: GuardRules | undefined
  const server = createServer((request, response) => {
    // The port, and with it the Host header, is known when the server listens.
    if (rules === undefined) return respond(response, 503, 'The MCP server is starting')
    const refusal = findRefusal(request, rules)
    if (refusal !== undefined) return respond(response, refusal.status, refusal.message)
    if (request.url?.split('?')[0] !== PATH) return respond(response, 404, `The path is ${PATH}`)
    sessions.handle(request, response).catch(() => {
      if (response.headersSent) response.destroy()
      else respond(response, 500, 'The MCP server failed')
    })
  })
  server.listen(options.port, host)
  await once(server, 'listening')
  // A server that listens on a host and a port has an address with a port.
  const { port } = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  rules = createRules(name, port, options)
  return {
    url: `http://${name}:${port}${PATH}`,
    async close() {
      await sessions.close()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function createRules(name: string, port: number, options: HttpOptions): GuardRules {
  const own = [name, 'localhost', '127.0.0.1', '[::1]'].map((each) => `${each}:${port}`)
  const further = options.allowedHosts ?? []
  return {
    hosts: new Set([...own, ...further].map((each) => each.toLowerCase())),
    origins: new Set((options.allowedOrigins ?? []).map((each) => each.toLowerCase())),
    token: options.token,
  }
}

function respond(response: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null })
  const headers = {
    'content-type': 'application/json',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
  }
  response.writeHead(status, headers).end(body)
}

/** The sessions by id, the one that was used last at the end. */
class Sessions {
  readonly #application: McpApplication
  readonly #maxSessions: number
  readonly #transports = new Map<string, StreamableHTTPServerTransport>()

  constructor(application: McpApplication, maxSessions: number) {
    this.#application = application
    this.#maxSessions = maxSessions
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = request.headers['mcp-session-id']
    if (typeof id !== 'string') {
      const transport = await this.#open()
      await transport.handleRequest(request, response)
      // Only the first request of a session opens one.
      if (transport.sessionId === undefined) await transport.close()
      return
    }
    const transport = this.#transports.get(id)
    if (transport === undefined) return respond(response, 404, 'The session has ended. Initialize a new one')
    this.#transports.delete(id)
    this.#transports.set(id, transport)
    await transport.handleRequest(request, response)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#transports.values()].map((transport) => transport.close()))
  }

  async #open(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: MAX_BODY_BYTES,
      onsessioninitialized: async (id) => {
        this.#transports.set(id, transport)
        await this.#endIdle()
      },
    })
    await this.#application.createServer().connect(transport)
    const { onclose } = transport
    transport.onclose = () => {
      if (transport.sessionId !== undefined) this.#transports.delete(transport.sessionId)
      onclose?.()
    }
    return transport
  }

  async #endIdle(): Promise<void> {
    for (const transport of this.#transports.values()) {
      if (this.#transports.size <= this.#maxSessions) return
      await transport.close()
    }
  }
}
