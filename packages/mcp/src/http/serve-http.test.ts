import { request } from 'node:http'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createMcpApplication } from '../application.ts'
import { connectOver, type TestClient } from '../testing/connect.ts'
import { createStubServer, type StubServer } from '../testing/stub-server.ts'
import { type HttpOptions, serveHttp } from './serve-http.ts'

const TOKEN = 'a-token-of-the-mcp-server'
let stops: AsyncDisposableStack
let stub: StubServer
beforeEach(() => {
  stops = new AsyncDisposableStack()
  stub = createStubServer()
})
afterEach(() => stops.disposeAsync())

async function serve(options: Partial<HttpOptions> = {}): Promise<string> {
  const { fetch } = stub
  const application = await createMcpApplication({
    gateway: { baseUrl: 'http://gateway.test', apiKey: 'key', secret: 'secret', fetch },
    allow: ['*'],
    stateFile: ':memory:',
  })
  stops.defer(() => application.close())
  const server = await serveHttp(application, { port: 0, ...options })
  stops.defer(() => server.close())
  return server.url
}

async function connect(url: string, token?: string): Promise<TestClient> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const session = await connectOver(
    // The class declares its fields with undefined, which exact optional properties do not accept.
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as never,
    { elicitation: { form: {} } },
  )
  stops.defer(() => session.close())
  return session
}

/** Sends a request to initialize, with these headers. fetch would not send a Host header. */
function post(url: string, headers: Record<string, string>): Promise<number> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1.0.0' },
    },
  })
  const accept = 'application/json, text/event-stream'
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: { accept, 'content-type': 'application/json', ...headers } }
    const sending = request(url, options, (response) => {
      resolve(response.statusCode ?? 0)
      response.destroy()
    })
    sending.on('error', reject)
    sending.end(body)
  })
}

it('serveHttp serves several sessions, each of which is an intent of its own', async () => {
  const url = await serve()
  const sessions = await Promise.all([connect(url), connect(url)])
  const write = { operation: 'promoCodeCards.remove', input: { id: 7 } }
  for (const session of sessions) {
    session.client.setRequestHandler(ElicitRequestSchema, () => ({
      action: 'accept',
      content: { confirm: true },
    }))
    await session.call('call_write', write)
    expect((await session.call('call_write', write)).isError).toBe(false)
  }
  expect(stub.executions).toHaveLength(2)
})

it('serveHttp refuses other hosts and all origins, so that no website reaches it by DNS rebinding', async () => {
  const url = await serve({
    allowedHosts: ['mcp.example.com'],
    allowedOrigins: ['https://app.example.com'],
  })
  const { host, port } = new URL(url)
  expect(await post(url, { host })).toBe(200)
  expect(await post(url, { host: `localhost:${port}` })).toBe(200)
  expect(await post(url, { host: 'mcp.example.com' })).toBe(200)
  expect(await post(url, { host, origin: 'https://app.example.com' })).toBe(200)
  expect(await post(url, { host: `evil.example:${port}` })).toBe(403)
  expect(await post(url, { host: '127.0.0.1:1' })).toBe(403)
  expect(await post(url, { host, origin: 'https://evil.example' })).toBe(403)
  expect(await post(url, { host, origin: `http://${host}` })).toBe(403)
  expect(await post(url, { host, origin: 'null' })).toBe(403)
})

it('serveHttp requires its token for each request', async () => {
  const url = await serve({ token: TOKEN })
  const session = await connect(url, TOKEN)
  expect((await session.call('list_groups')).isError).toBe(false)
  await expect(connect(url)).rejects.toThrow()
  await expect(connect(url, 'another-token-of-nobody')).rejects.toThrow()
  const { host } = new URL(url)
  expect(await post(url, { host, 'mcp-session-id': 'any' })).toBe(401)
})

it('serveHttp does not listen on other addresses without a token, nor with a short one', async () => {
  await expect(serve({ host: '0.0.0.0' })).rejects.toThrow('Set MINTMARK_MCP_TOKEN')
  await expect(serve({ token: 'short' })).rejects.toThrow('too short')
})

it('serveHttp ends the session that was idle longest when there are too many', async () => {
  const url = await serve({ maxSessions: 2 })
  const first = await connect(url)
  const second = await connect(url)
  await first.call('list_groups')
  await connect(url)
  expect((await first.call('list_groups')).isError).toBe(false)
  await expect(second.call('list_groups')).rejects.toThrow('The session has ended')
})

it('serveHttp responds with 404 on other paths', async () => {
  const url = await serve()
  const { host, origin } = new URL(url)
  expect(await post(`${origin}/other`, { host })).toBe(404)
})
