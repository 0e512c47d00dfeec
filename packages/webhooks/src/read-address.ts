import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import {
  DestinationRefusedError,
  type DestinationRules,
  reachableLookup,
  readDestination,
} from './destination.ts'

/** What a public address returned. */
export interface ReadAddressResult {
  /** The media type, in lower case and without parameters; `''` if the response has none. */
  readonly type: string
  /** The body in blocks, each of at most 64 KiB. */
  readonly body: readonly Uint8Array<ArrayBuffer>[]
}

/** The address returned nothing that can be used. The message is for whoever wrote the address. */
export class AddressReadError extends Error {
  override readonly name = 'AddressReadError'
}

export interface ReadAddressOptions extends DestinationRules {
  /** Milliseconds for everything, from resolving the name to the end of the body. */
  readonly timeoutMs: number
  /** Most bytes of the body. */
  readonly maxBytes: number
  /** The value of the header `user-agent`. */
  readonly userAgent: string
  /** The value of the header `accept`. */
  readonly accept: string
  /** Ends the request early. */
  readonly signal?: AbortSignal
}

const MAX_REDIRECTS = 3
const BLOCK_BYTES = 64 * 1024

// Connections are not reused, so that the destination is checked for every request. The addresses of a host
// are tried in turn.
const connecting = { keepAlive: false, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2000 }
const agents = { http: new HttpAgent(connecting), https: new HttpsAgent(connecting) }

/**
 * Reads an address that somebody else wrote. The destination of each redirect is checked like the first one,
 * and the connection uses the addresses that were checked.
 *
 * @throws DestinationRefusedError, or AddressReadError if the response cannot be used.
 */
export async function readAddress(target: string, options: ReadAddressOptions): Promise<ReadAddressResult> {
  const timeout = AbortSignal.timeout(options.timeoutMs)
  const signal = options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal])
  let url = readDestination(target, options.allowPrivate)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await open(url, options, signal)
    const { statusCode: status = 0, headers } = response
    if (status >= 200 && status < 300) return await readResult(response, options, signal)
    response.destroy()
    if (status < 300 || status >= 400 || headers.location === undefined)
      throw new AddressReadError(`The address responded with status ${status}`)
    if (!URL.canParse(headers.location, url.href)) throw new AddressReadError('The redirect leads to no URL')
    url = readDestination(new URL(headers.location, url).href, options.allowPrivate)
  }
  throw new AddressReadError(`The address redirects more than ${MAX_REDIRECTS} times`)
}

function open(url: URL, options: ReadAddressOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const request = (isSecure ? requestHttps : requestHttp)(url, {
      agent: isSecure ? agents.https : agents.http,
      lookup: reachableLookup(options),
      headers: { accept: options.accept, 'user-agent': options.userAgent },
      signal,
    })
    request.on('response', resolve)
    request.on('error', (error) => reject(toFailure(error, signal)))
    request.end()
  })
}

async function readResult(
  response: IncomingMessage,
  { maxBytes }: ReadAddressOptions,
  signal: AbortSignal,
): Promise<ReadAddressResult> {
  const [type = ''] = (response.headers['content-type'] ?? '').split(';')
  const body: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  try {
    for await (const chunk of response) {
      // Without an encoding, a response consists of buffers.
      const bytes = chunk as Buffer
      size += bytes.length
      if (size > maxBytes) throw new AddressReadError(`The response has more than ${maxBytes} bytes`)
      appendBytes(body, size - bytes.length, bytes)
    }
  } catch (error) {
    throw toFailure(error, signal)
  } finally {
    response.destroy()
  }
  return { type: type.trim().toLowerCase(), body: trimLast(body, size) }
}

/**
 * Copies bytes to the end of blocks that contain `size` bytes. A body of many small chunks then needs no more
 * memory than its size.
 */
function appendBytes(blocks: Uint8Array<ArrayBuffer>[], size: number, bytes: Uint8Array): void {
  for (let copied = 0; copied < bytes.length; ) {
    const start = (size + copied) % BLOCK_BYTES
    const block = (start > 0 && blocks.at(-1)) || new Uint8Array(BLOCK_BYTES)
    if (start === 0) blocks.push(block)
    const part = bytes.subarray(copied, copied + BLOCK_BYTES - start)
    block.set(part, start)
    copied += part.length
  }
}

function trimLast(blocks: readonly Uint8Array<ArrayBuffer>[], size: number): Uint8Array<ArrayBuffer>[] {
  const last = size % BLOCK_BYTES || BLOCK_BYTES
  return blocks.map((block, index) => (index === blocks.length - 1 ? block.slice(0, last) : block))
}

/** Names of hosts and addresses of the network are no part of the message. */
function toFailure(error: unknown, { aborted }: AbortSignal): Error {
  if (error instanceof DestinationRefusedError || error instanceof AddressReadError) return error
  const message = aborted ? 'The address did not respond in time' : 'The address cannot be read'
  return new AddressReadError(message, { cause: error })
}
