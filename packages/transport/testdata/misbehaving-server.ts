import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request as it came over the socket. */
export interface Received {
  method: string
  /** As it stood in the request line. */
  url: string
  path: string
  query: string
  headers: IncomingHttpHeaders
  /** Header names and values as they were sent, one after the other. */
  rawHeaders: string[]
  body: Buffer<ArrayBuffer>
}

export type Behaviour = (response: ServerResponse, request: Received) => void | Promise<void>

/** An HTTP server in this process that does as it is told, on a port of its own; it ends with the test. */
export interface MisbehavingServer {
  url: string
  received: Received[]
}

/** Behaves as the first behaviour says on the first request, and so on; the last one stays. */
export async function misbehave(...behaviours: Behaviour[]): Promise<MisbehavingServer> {
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
    await behaviours[Math.min(received.length, behaviours.length) - 1]?.(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

/** An address of this machine where nobody listens. */
export async function nobody(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

type Headers = Record<string, string | string[]>

/** Answers a text. */
export function say(status: number, text: string, headers: Headers = {}): Behaviour {
  return (response) => {
    response.writeHead(status, headers).end(text)
  }
}

/** Answers JSON. */
export function json(status: number, value: unknown, headers: Headers = {}): Behaviour {
  return say(status, JSON.stringify(value), { 'content-type': 'application/json', ...headers })
}

/** Answers a good envelope. */
export function envelope(data: unknown, headers: Headers = {}): Behaviour {
  return json(200, { code: 200, data, msg: '', success: true }, headers)
}

/** Answers a failed envelope with its HTTP status. */
export function failure(status: number, code = status, headers: Headers = {}): Behaviour {
  return json(status, { code, data: {}, msg: 'no', success: false }, headers)
}

/** Takes the whole request and then breaks the connection. */
export const reset: Behaviour = (response) => {
  response.socket?.resetAndDestroy()
}

/** Takes the request and never answers. */
export const hang: Behaviour = () => {}

/** Begins an answer and never ends it. */
export const stall: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"code":')
}

/** Begins an answer and breaks the connection. */
export const breakOff: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  response.write('{"code":', () => response.socket?.resetAndDestroy())
}
