import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request as the server received it. */
export interface Received {
  method: string
  /** The URL in the request line. */
  url: string
  path: string
  query: string
  headers: IncomingHttpHeaders
  /** Header names and values alternately, as they were sent. */
  rawHeaders: string[]
  body: Buffer<ArrayBuffer>
}

export type Behavior = (response: ServerResponse, request: Received) => void | Promise<void>

/** An HTTP server in this process with scripted behavior. It stops with the test. */
export interface MisbehavingServer {
  url: string
  received: Received[]
}

/** Starts a server that uses one behavior per request. The last behavior applies to all further requests. */
export async function misbehave(...behaviors: Behavior[]): Promise<MisbehavingServer> {
  const received: Received[] = []
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const url = incoming.url ?? ''
    const [path = '', query = ''] = url.split(/\?(.*)/s)
    const request: Received = {
      method: incoming.method ?? '',
      url,
      path,
      query,
      headers: incoming.headers,
      rawHeaders: incoming.rawHeaders,
      body: Buffer.concat(chunks),
    }
    received.push(request)
    await behaviors[Math.min(received.length, behaviors.length) - 1]?.(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

/** Returns a local address that no server listens on. */
export async function findUnusedAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

type Headers = Record<string, string | string[]>

/** Responds with a text. */
export function respond(status: number, text: string, headers: Headers = {}): Behavior {
  return (response) => {
    response.writeHead(status, headers).end(text)
  }
}

/** Responds with JSON. */
export function json(status: number, value: unknown, headers: Headers = {}): Behavior {
  return respond(status, JSON.stringify(value), { 'content-type': 'application/json', ...headers })
}

/** Responds with a successful envelope. */
export function envelope(data: unknown, headers: Headers = {}): Behavior {
  return json(200, { code: 200, data, msg: '', success: true }, headers)
}

/** Responds with a failed envelope and its HTTP status. */
export function failure(status: number, code = status, headers: Headers = {}): Behavior {
  return json(status, { code, data: {}, msg: 'no', success: false }, headers)
}

/** Reads the whole request and then resets the connection. */
export const reset: Behavior = (response) => {
  response.socket?.resetAndDestroy()
}

/** Reads the request and never responds. */
export const hang: Behavior = () => {}

/** Starts a response and never ends it. */
export const stall: Behavior = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"code":')
}

/** Starts a response and resets the connection. */
export const breakOff: Behavior = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  response.write('{"code":', () => response.socket?.resetAndDestroy())
}
