import type { HonoRequest } from 'hono'
import { Refusal } from './http-error.ts'

/** A call whose headers are there, and whose body may not be. */
export interface IncomingCall {
  method: string
  /** As the client sent it, with the path of PUBLIC_URL before it. */
  path: string
  /** Without its question mark. */
  query: string
  header(name: string): string | undefined
  /** The address of the caller, or of the proxy before this server; undefined where the call came over no connection. */
  remoteAddress: string | undefined
  /** Throws a Refusal when the headers announce a body that is not taken, before anything is read of it. */
  checkAnnouncedBody(): void
  /** Reads the body, once; throws a Refusal when it is too large. Read it only when the headers are good. */
  readBody(): Promise<Uint8Array<ArrayBuffer>>
  readonly isBodyRead: boolean
}

/** A call as it came over the wire: what its signature is made over. */
export interface RawCall extends IncomingCall {
  body: Uint8Array<ArrayBuffer>
}

const nothing = new Uint8Array(0)
/** How many times the limit is read of a body that is too large. */
const CUT_OFF = 16

const tooLarge = (limit: number) => new Refusal(413, `The body is larger than ${limit} bytes`)

async function readLimited(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const length = request.headers.get('content-length')
  const chunks: Uint8Array[] = []
  let total = 0
  try {
    if (length !== null) return new Uint8Array(await request.arrayBuffer())
    // No length was announced: count while reading. What is too much is read and dropped, for a connection with half a body
    // in it would fail its next call; a body without an end is cut off.
    for await (const chunk of request.body ?? []) {
      total += chunk.length
      if (total > limit * CUT_OFF) throw tooLarge(limit)
      if (total <= limit) chunks.push(chunk)
    }
    if (total > limit) throw tooLarge(limit)
  } catch (error) {
    if (error instanceof Refusal) throw error
    // The caller went away in the middle; nobody reads this answer, and it is not the server that failed.
    throw new Refusal(400, 'The body ended before it was whole')
  }
  const bytes = new Uint8Array(total)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** What a GET carries as a body is in no signature: it is refused rather than left unread. */
function refuseBody({ headers }: Request): void {
  const length = headers.get('content-length')
  if ((length !== null && length !== '0') || headers.get('transfer-encoding') !== null) {
    throw new Refusal(400, 'This operation takes no body', {
      issues: [{ path: '', message: 'This operation takes no body' }],
    })
  }
}

/** Of a body that nobody reads the server drops this many bytes, so that its caller can read the answer. */
const MAX_DROPPED_BYTES = 16 * 1024 * 1024

/** Whether a body that was not read is too long, or of unknown length, to keep the connection for another call. */
export function endsConnection({ headers }: Request): boolean {
  return (
    headers.get('transfer-encoding') !== null || Number(headers.get('content-length')) > MAX_DROPPED_BYTES
  )
}

/** Reads a request's address and headers. */
export function incomingCall(
  request: HonoRequest,
  options: { publicPath: string; maxBodyBytes: number; remoteAddress: string | undefined },
): IncomingCall {
  const { publicPath, maxBodyBytes, remoteAddress } = options
  const { url, method } = request.raw
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const address = start < 0 ? '/' : url.slice(start)
  const mark = address.indexOf('?')
  const hasBody = method !== 'GET' && method !== 'HEAD'
  let body: Promise<Uint8Array<ArrayBuffer>> | undefined
  let isBodyRead = false
  async function readBody(): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = hasBody ? await readLimited(request.raw, maxBodyBytes) : nothing
    isBodyRead = true
    return bytes
  }
  return {
    method,
    path: publicPath + (mark < 0 ? address : address.slice(0, mark)),
    query: mark < 0 ? '' : address.slice(mark + 1),
    header: (name) => request.raw.headers.get(name) ?? undefined,
    remoteAddress,
    checkAnnouncedBody() {
      if (!hasBody) return refuseBody(request.raw)
      if (Number(request.raw.headers.get('content-length')) > maxBodyBytes) throw tooLarge(maxBodyBytes)
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
