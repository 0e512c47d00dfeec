import type { HonoRequest } from 'hono'
import { HttpError } from './http-error.ts'

/**
 * Refuses a query with a percent sign that does not begin the encoding of a character in UTF-8. Its signature
 * would be that of another query, in which the percent sign is encoded.
 */
export function refuseMalformedQuery(query: string): void {
  try {
    decodeURIComponent(query)
  } catch {
    const message = 'The query contains a percent sign that encodes no character. Write it as %25'
    throw new HttpError(400, message, { issues: [{ path: '', message }] })
  }
}

/** A call whose headers were received. Its body may still be unread. */
export interface IncomingCall {
  method: string
  /** The path as the client sent it, after the path of PUBLIC_URL. */
  path: string
  /** The query without its question mark. */
  query: string
  header(name: string): string | undefined
  /**
   * The address of the caller, or of the proxy before this server. Undefined for an application that is
   * called without a server.
   */
  remoteAddress: string | undefined
  /**
   * Throws an HttpError when the headers announce a body that is too large or that the method does not allow.
   * Reads nothing of it.
   */
  checkBodyHeaders(): void
  /** Reads the body once; throws an HttpError when it is too large. Check the headers before you read it. */
  readBody(): Promise<Uint8Array<ArrayBuffer>>
  readonly isBodyRead: boolean
}

/** A call as it was received: its signature covers these bytes. */
export interface RawCall extends IncomingCall {
  body: Uint8Array<ArrayBuffer>
}

const EMPTY_BODY = new Uint8Array(0)
/** A body of unknown length is read up to this multiple of its limit. */
const MAX_READ_FACTOR = 16

const createTooLargeError = (limit: number) => new HttpError(413, `The body is larger than ${limit} bytes`)

async function readLimited(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const length = request.headers.get('content-length')
  const chunks: Uint8Array[] = []
  let total = 0
  try {
    if (length !== null) return new Uint8Array(await request.arrayBuffer())
    // The length is unknown. The bytes beyond the limit are read and dropped, because the next call on a
    // connection with an unread body would fail. A body far beyond the limit ends the call.
    for await (const chunk of request.body ?? []) {
      total += chunk.length
      if (total > limit * MAX_READ_FACTOR) throw createTooLargeError(limit)
      if (total <= limit) chunks.push(chunk)
    }
    if (total > limit) throw createTooLargeError(limit)
  } catch (error) {
    if (error instanceof HttpError) throw error
    // The caller disconnected. This status appears only in the log, where a 5xx would mean that the server
    // failed.
    throw new HttpError(400, 'The connection ended before the whole body was received')
  }
  const bytes = new Uint8Array(total)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

/** Refuses the body of a GET: no signature covers it. */
function refuseBody({ headers }: Request): void {
  const length = headers.get('content-length')
  if ((length !== null && length !== '0') || headers.get('transfer-encoding') !== null) {
    throw new HttpError(400, 'This operation takes no body', {
      issues: [{ path: '', message: 'This operation takes no body' }],
    })
  }
}

/** The server reads and drops an unread body up to this size, so that the caller can read the response. */
const MAX_DROPPED_BYTES = 16 * 1024 * 1024

/**
 * Whether the connection must be closed after a call whose body was not read: the body is too long, or its
 * length is unknown.
 */
export function mustCloseConnection({ headers }: Request): boolean {
  return (
    headers.get('transfer-encoding') !== null || Number(headers.get('content-length')) > MAX_DROPPED_BYTES
  )
}

/** Reads a request's path, query and headers. */
export function readIncomingCall(
  request: HonoRequest,
  options: { publicPath: string; maxBodyBytes: number; remoteAddress: string | undefined },
): IncomingCall {
  const { publicPath, maxBodyBytes, remoteAddress } = options
  const { url, method } = request.raw
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const address = start < 0 ? '/' : url.slice(start)
  const queryStart = address.indexOf('?')
  const hasBody = method !== 'GET' && method !== 'HEAD'
  let body: Promise<Uint8Array<ArrayBuffer>> | undefined
  let isBodyRead = false
  async function readBody(): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = hasBody ? await readLimited(request.raw, maxBodyBytes) : EMPTY_BODY
    isBodyRead = true
    return bytes
  }
  return {
    method,
    path: publicPath + (queryStart < 0 ? address : address.slice(0, queryStart)),
    query: queryStart < 0 ? '' : address.slice(queryStart + 1),
    header: (name) => request.raw.headers.get(name) ?? undefined,
    remoteAddress,
    checkBodyHeaders() {
      if (!hasBody) return refuseBody(request.raw)
      if (Number(request.raw.headers.get('content-length')) > maxBodyBytes)
        throw createTooLargeError(maxBodyBytes)
    },
    readBody() {
      body ??= readBody()
      return body
    },
    get isBodyRead() {
      return isBodyRead
    },
  }
}
