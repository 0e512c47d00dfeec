import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { createCheckedLookup, type DestinationRules } from './destination.ts'

export interface HttpRequest {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface HttpReply {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
  /** Whether the body was longer than the limit. */
  readonly isTruncated: boolean
}

export interface HttpLimits {
  readonly timeoutMs: number
  readonly maxBytes: number
}

/** No response was received. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError'
  /** Whether no connection was made, so that the server has not seen the request. */
  readonly isUnsent: boolean

  constructor(message: string, isUnsent: boolean) {
    super(message)
    this.isUnsent = isUnsent
  }
}

/** Sends one request and reads the response up to a limit. Redirects are not followed. */
export function exchange(
  { url, method, headers, body }: HttpRequest,
  rules: DestinationRules,
  { timeoutMs, maxBytes }: HttpLimits,
): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    let isConnected = false
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method,
      // A connection of its own for each request, so that its address is checked.
      agent: false,
      lookup: createCheckedLookup(rules),
      headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'mintmark-mcp' },
    })
    const fail = (error: Error) => reject(new ExchangeError(error.message, !isConnected))
    const deadline = setTimeout(() => request.destroy(new Error('No response in time')), timeoutMs)
    request.on('socket', (socket) =>
      socket.on('connect', () => {
        isConnected = true
      }),
    )
    request.on('error', fail)
    request.on('close', () => clearTimeout(deadline))
    request.on('response', (response) => {
      readReply(response, maxBytes).then((reply) => {
        resolve(reply)
        request.destroy()
      }, fail)
    })
    request.end(body)
  })
}

async function readReply(response: IncomingMessage, maxBytes: number): Promise<HttpReply> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) break
  }
  const headers = new Headers()
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  return {
    status: response.statusCode ?? 0,
    headers,
    body: Buffer.concat(chunks).subarray(0, maxBytes),
    isTruncated: size > maxBytes,
  }
}
