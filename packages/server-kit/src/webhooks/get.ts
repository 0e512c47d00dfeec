import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import {
  DestinationRefusedError,
  type DestinationRules,
  reachableLookup,
  readDestination,
} from './destination.ts'

/** What a public address returned. */
export interface GetResult {
  /** The media type, in lower case and without parameters; `''` if the response has none. */
  readonly type: string
  readonly body: Uint8Array<ArrayBuffer>
}

/** The address returned nothing that can be used. The message is for whoever wrote the address. */
export class GetFailedError extends Error {
  override readonly name = 'GetFailedError'
}

export interface GetOptions extends DestinationRules {
  /** Milliseconds for everything, from resolving the name to the end of the body. */
  readonly timeoutMs: number
  /** Most bytes of the body. */
  readonly maxBytes: number
  /** The value of the header `user-agent`. */
  readonly userAgent: string
  /** The value of the header `accept`. */
  readonly accept: string
}

const MAX_REDIRECTS = 3

// Connections are not reused, so that the destination is checked for every request. The addresses of a host are tried in turn.
const connecting = { keepAlive: false, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2000 }
const agents = { http: new HttpAgent(connecting), https: new HttpsAgent(connecting) }

/**
 * Reads an address that somebody else wrote. The destination of each redirect is checked like the first one, and the connection uses the addresses
 * that were checked.
 *
 * @throws DestinationRefusedError, or GetFailedError if the response cannot be used.
 */
export async function get(target: string, options: GetOptions): Promise<GetResult> {
  const signal = AbortSignal.timeout(options.timeoutMs)
  let url = readDestination(target, options.allowPrivate)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await open(url, options, signal)
    const { statusCode: status = 0, headers } = response
    if (status >= 200 && status < 300) return await readResult(response, options, signal)
    response.destroy()
    if (status < 300 || status >= 400 || headers.location === undefined)
      throw new GetFailedError(`The address responded with status ${status}`)
    if (!URL.canParse(headers.location, url.href)) throw new GetFailedError('The redirect leads to no URL')
    url = readDestination(new URL(headers.location, url).href, options.allowPrivate)
  }
  throw new GetFailedError(`The address redirects more than ${MAX_REDIRECTS} times`)
}

function open(url: URL, options: GetOptions, signal: AbortSignal): Promise<IncomingMessage> {
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
  { maxBytes }: GetOptions,
  signal: AbortSignal,
): Promise<GetResult> {
  const [type = ''] = (response.headers['content-type'] ?? '').split(';')
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response) {
      // Without an encoding, a response consists of buffers.
      const bytes = chunk as Buffer
      size += bytes.length
      if (size > maxBytes) throw new GetFailedError(`The response has more than ${maxBytes} bytes`)
      chunks.push(bytes)
    }
  } catch (error) {
    throw toFailure(error, signal)
  } finally {
    response.destroy()
  }
  return { type: type.trim().toLowerCase(), body: new Uint8Array(Buffer.concat(chunks)) }
}

/** Names of hosts and addresses of the network are no part of the message. */
function toFailure(error: unknown, { aborted }: AbortSignal): Error {
  if (error instanceof DestinationRefusedError || error instanceof GetFailedError) return error
  const message = aborted ? 'The address did not respond in time' : 'The address cannot be read'
  return new GetFailedError(message, { cause: error })
}
