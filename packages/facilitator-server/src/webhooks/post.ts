import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { DestinationRefused, type DestinationRules, reachableLookup, readDestination } from './destination.ts'

/** What became of one attempt to send. */
export interface PostOutcome {
  readonly delivered: boolean
  /** The receiver's HTTP status; 0 when it gave none. */
  readonly status: number
  /** For the webhook's owner: why it failed; `''` when it did not. */
  readonly error: string
}

export interface PostOptions extends DestinationRules {
  /** The whole attempt, from resolving the name to the answer's headers, in milliseconds. */
  readonly timeoutMs: number
}

/** How much of an answer's body is read, and for how long: a receiver may finish writing, and no more. */
const bodyBytes = 16 * 1024
const bodyMs = 1000

// No connection outlives its attempt: the next one is to be checked again. A host's addresses are tried in turn.
const connecting = { keepAlive: false, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2000 }
const agents = { http: new HttpAgent(connecting), https: new HttpsAgent(connecting) }

/** Posts once. Never throws for what the receiver or its network does. */
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
    if (error instanceof DestinationRefused) return failed(error.message)
    throw error
  }
  return new Promise((resolve) => {
    const bytes = Buffer.from(body)
    let sending: ClientRequest
    try {
      sending = open(url, { ...headers, 'content-length': bytes.length }, options)
    } catch (error) {
      resolve(failed(wordsFor(error)))
      return
    }
    const deadline = setTimeout(() => end(failed('No answer within the time')), options.timeoutMs)
    function end(outcome: PostOutcome): void {
      clearTimeout(deadline)
      // Errors of a request that is over have nowhere to go, and none is left to be told of.
      sending.on('error', () => {})
      sending.destroy()
      resolve(outcome)
    }
    sending.on('error', (error) => end(failed(wordsFor(error))))
    sending.on('close', () => end(failed('The connection was closed without an answer')))
    sending.on('response', (response) => {
      clearTimeout(deadline)
      const outcome = outcomeOf(response)
      drain(response, () => end(outcome))
    })
    sending.end(bytes)
  })
}

function open(url: URL, headers: OutgoingHttpHeaders, rules: DestinationRules): ClientRequest {
  const secure = url.protocol === 'https:'
  return (secure ? requestHttps : requestHttp)(url, {
    method: 'POST',
    agent: secure ? agents.https : agents.http,
    lookup: reachableLookup(rules),
    headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'mintmark-facilitator' },
  })
}

function failed(error: string, status = 0): PostOutcome {
  return { delivered: false, status, error }
}

function outcomeOf({ statusCode: status = 0 }: IncomingMessage): PostOutcome {
  if (status >= 200 && status < 300) return { delivered: true, status, error: '' }
  if (status >= 300 && status < 400)
    return failed('The receiver redirects; redirects are not followed', status)
  return failed(`The receiver answered ${status}`, status)
}

/** Reads a little of the body, which nobody looks at; its end, or its breaking off, changes nothing. */
function drain(response: IncomingMessage, done: () => void): void {
  let left = bodyBytes
  const patience = setTimeout(finish, bodyMs)
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

const known: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was reset',
  EPIPE: 'The connection was reset',
  ENOTFOUND: 'The host cannot be found',
  ENODATA: 'The host cannot be found',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
  ETIMEDOUT: 'The connection could not be made in time',
}

function wordsFor(error: unknown): string {
  if (error instanceof DestinationRefused) return error.message
  if (!(error instanceof Error)) return 'The request failed'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return known[code] ?? `The request failed (${code})`
}
