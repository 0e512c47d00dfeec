import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import {
  DestinationRefusedError,
  type DestinationRules,
  reachableLookup,
  readDestination,
} from './destination.ts'

/** The result of one attempt. */
export interface PostOutcome {
  readonly delivered: boolean
  /** The receiver's HTTP status. 0 if there was no response. */
  readonly status: number
  /** The reason of the failure, for the webhook's owner. Empty if the attempt succeeded. */
  readonly error: string
}

export interface PostOptions extends DestinationRules {
  /** Milliseconds for the whole attempt, from resolving the name to the headers of the response. */
  readonly timeoutMs: number
  /** The value of the header `user-agent`. */
  readonly userAgent: string
}

/** How much of a response's body is read, and for how long, so that the receiver can finish writing. */
const MAX_BODY_BYTES = 16 * 1024
const MAX_BODY_MS = 1000

// Connections are not reused, so that the destination is checked for every attempt. The addresses of a host
// are tried in turn.
const connecting = { keepAlive: false, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2000 }
const agents = { http: new HttpAgent(connecting), https: new HttpsAgent(connecting) }

/** Sends one POST request. Failures of the receiver or its network are outcomes, not errors. */
export async function post(
  target: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  options: PostOptions,
): Promise<PostOutcome> {
  let url: URL
  try {
    // Checked again: the rules may have become stricter since the webhook was configured.
    url = readDestination(target, options.allowPrivate)
  } catch (error) {
    if (error instanceof DestinationRefusedError) return failed(error.message)
    throw error
  }
  return new Promise((resolve) => {
    const bytes = Buffer.from(body)
    let sending: ClientRequest
    try {
      sending = open(url, { ...headers, 'content-length': bytes.length }, options)
    } catch (error) {
      resolve(failed(describeFailure(error)))
      return
    }
    const deadline = setTimeout(() => end(failed('The receiver did not respond in time')), options.timeoutMs)
    function end(outcome: PostOutcome): void {
      clearTimeout(deadline)
      // Errors after the end are expected: the request is destroyed.
      sending.on('error', () => {})
      sending.destroy()
      resolve(outcome)
    }
    sending.on('error', (error) => end(failed(describeFailure(error))))
    sending.on('close', () => end(failed('The connection was closed without a response')))
    sending.on('response', (response) => {
      clearTimeout(deadline)
      const outcome = toPostOutcome(response)
      drain(response, () => end(outcome))
    })
    sending.end(bytes)
  })
}

function open(url: URL, headers: OutgoingHttpHeaders, options: PostOptions): ClientRequest {
  const secure = url.protocol === 'https:'
  return (secure ? requestHttps : requestHttp)(url, {
    method: 'POST',
    agent: secure ? agents.https : agents.http,
    lookup: reachableLookup(options),
    headers: { ...headers, 'content-type': 'application/json', 'user-agent': options.userAgent },
  })
}

function failed(error: string, status = 0): PostOutcome {
  return { delivered: false, status, error }
}

function toPostOutcome({ statusCode: status = 0 }: IncomingMessage): PostOutcome {
  if (status >= 200 && status < 300) return { delivered: true, status, error: '' }
  if (status >= 300 && status < 400)
    return failed('The receiver responded with a redirect, which is not followed', status)
  return failed(`The receiver responded with status ${status}`, status)
}

/** Reads and discards a part of the body. How it ends does not matter. */
function drain(response: IncomingMessage, done: () => void): void {
  let left = MAX_BODY_BYTES
  const patience = setTimeout(finish, MAX_BODY_MS)
  function finish(): void {
    clearTimeout(patience)
    done()
  }
  response.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left <= 0) finish()
  })
  response.on('error', finish)
  response.on('close', finish)
  response.on('end', finish)
}

const MESSAGES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was reset',
  EPIPE: 'The connection was reset',
  ENOTFOUND: 'The host cannot be found',
  ENODATA: 'The host cannot be found',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
  ETIMEDOUT: 'The connection could not be made in time',
}

function describeFailure(error: unknown): string {
  if (error instanceof DestinationRefusedError) return error.message
  if (!(error instanceof Error)) return 'The request failed'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return MESSAGES[code] ?? `The request failed (${code})`
}
