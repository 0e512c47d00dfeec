import { Network, Timeout, UnknownOutcome } from '@mintmark/envelope'
import ky, { isHTTPError, isTimeoutError } from 'ky'
import type { Answer } from './failure.ts'
import { retryAfterOf } from './failure.ts'
import type { CallOptions, OperationShape } from './operation.ts'
import type { AttemptEvent, ClientOptions } from './options.ts'
import type { WireRequest } from './request.ts'

/** How a client authenticates an attempt. */
export interface Authenticator {
  /** The headers of one attempt; made anew for each. */
  headers(request: WireRequest): Promise<Record<string, string>>
  /** Looks at an answer; true asks for the attempt to be signed and sent once more (a corrected clock). */
  again?(response: Response, sentAt: number): Promise<boolean>
}

/** Codes of a connection that was never made: the call did not reach the server. */
const NEVER_SENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|ERR_TLS_)/
const RETRIED = [408, 429, 500, 502, 503, 504]

// The message of an authenticator's own failure (credentials that cannot be fetched) reaches the caller as it is.
class NotSigned {
  readonly cause: unknown
  constructor(cause: unknown) {
    this.cause = cause
  }
}

export function notify<Event>(hook: ((event: Event) => void) | undefined, event: Event): void {
  try {
    hook?.(event)
  } catch (error) {
    console.error('A hook of a Mintmark client failed:', error)
  }
}

function codeOf(error: unknown): string {
  for (let at = error, depth = 0; depth < 4 && typeof at === 'object' && at !== null; depth++) {
    if ('code' in at && typeof at.code === 'string') return at.code
    at = 'cause' in at ? at.cause : undefined
  }
  return ''
}

// Some servers answer JSON under another content type (operation 3 is `*/*`), and some error bodies are pages.
function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Sends one call: each attempt is authenticated anew, ky repeats what is safe to repeat, and the answer is read whatever
 * its status. Errors of ky and of fetch end here, for they hold the request with its signature.
 */
export async function send(
  operation: OperationShape,
  request: WireRequest,
  authenticator: Authenticator,
  client: ClientOptions,
  options: CallOptions,
): Promise<Answer> {
  const now = client.now ?? Date.now
  const idempotencyKey = options.idempotencyKey === 'auto' ? crypto.randomUUID() : options.idempotencyKey
  const repeatable = operation.idempotent || idempotencyKey !== undefined
  const limit = repeatable ? (options.retries ?? client.retries ?? 2) : 0
  const event: AttemptEvent = {
    operation: operation.id,
    method: request.method,
    path: request.path,
    attempt: 0,
  }
  let sentAt = 0

  const attempt = async (signal: AbortSignal): Promise<Response> => {
    for (let corrected = false; ; corrected = true) {
      let proof: Record<string, string>
      try {
        proof = await authenticator.headers(request)
      } catch (cause) {
        throw new NotSigned(cause)
      }
      const headers: Record<string, string> = {
        accept: 'application/json',
        ...client.headers,
        ...options.headers,
      }
      if (operation.body) headers['content-type'] = 'application/json'
      if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
      Object.assign(headers, proof)
      event.attempt++
      notify(client.hooks?.onRequest, { ...event })
      sentAt = now()
      const init: RequestInit = { method: request.method, headers, signal, redirect: 'manual' }
      if (operation.body) init.body = request.body
      const response = await (client.fetch ?? fetch)(request.url, init)
      notify(client.hooks?.onResponse, {
        ...event,
        status: response.status,
        milliseconds: now() - sentAt,
        requestId: response.headers.get('x-request-id') ?? undefined,
      })
      if (corrected || !(await authenticator.again?.(response, sentAt))) return response
    }
  }

  try {
    const response = await ky(request.url, {
      method: request.method,
      // ky's own request is not what is sent: it would be read once for all attempts.
      fetch: (input) => attempt((input as Request).signal),
      timeout: options.timeout ?? client.timeout ?? 30_000,
      retry: {
        limit,
        methods: [request.method.toLowerCase() as 'get'],
        statusCodes: RETRIED,
        afterStatusCodes: [429, 503],
        maxRetryAfter: 60_000,
        jitter: true,
        retryOnTimeout: true,
      },
      throwHttpErrors: (status) => limit > 0 && RETRIED.includes(status),
      ...(options.signal && { signal: options.signal }),
    })
    const { status, headers } = response
    return {
      status,
      headers,
      body: parse(await response.text()),
      requestId: headers.get('x-request-id') ?? undefined,
    }
  } catch (error) {
    if (error instanceof NotSigned) throw error.cause
    if (options.signal?.aborted) throw options.signal.reason
    if (isHTTPError(error)) {
      const { status, headers } = error.response
      const body = typeof error.data === 'string' ? parse(error.data) : error.data
      return { status, headers, body, requestId: headers.get('x-request-id') ?? undefined }
    }
    throw noAnswer(operation, error, { sentAt, idempotencyKey, repeatable })
  }
}

function noAnswer(
  operation: OperationShape,
  error: unknown,
  call: { sentAt: number; idempotencyKey: string | undefined; repeatable: boolean },
): Timeout | Network | UnknownOutcome {
  const timedOut = isTimeoutError(error)
  const code = codeOf(error)
  const said = timedOut ? 'no answer in time' : `no answer${code ? ` (${code})` : ''}`
  // A fetch error's own cause names the socket's trouble; ky's errors hold the signed request and go no further.
  const cause = error instanceof TypeError ? error : error instanceof Error ? error.cause : undefined
  const details = { operation: operation.id, cause: timedOut ? undefined : cause }
  if (!call.repeatable && call.sentAt > 0 && !NEVER_SENT.test(code)) {
    const message = `${operation.id}: ${said}; the call may have taken effect, find out before sending it again`
    return new UnknownOutcome(message, { ...details, ...call })
  }
  return timedOut
    ? new Timeout(`${operation.id}: ${said}`, details)
    : new Network(`${operation.id}: ${said}`, details)
}

/**
 * Whether an answer leaves the outcome of an unsafe call open: a proxy that lost its server (502, 504), or a facilitator
 * whose settlement is pending (503).
 */
export function outcomeUnknown(
  operation: OperationShape,
  answer: Answer,
  idempotencyKey: string | undefined,
  now: number,
): UnknownOutcome | undefined {
  if (operation.effect !== 'write') return undefined
  const body =
    typeof answer.body === 'object' && answer.body !== null ? (answer.body as Record<string, unknown>) : {}
  const pending = answer.status === 503 && body.error === 'SettlementPending'
  const lost =
    !operation.idempotent && idempotencyKey === undefined && (answer.status === 502 || answer.status === 504)
  if (!pending && !lost) return undefined
  const transaction = typeof body.transaction === 'string' ? body.transaction : undefined
  const message = `${operation.id}: ${answer.status}; the outcome is not known${transaction ? `, transaction ${transaction}` : ''}`
  return new UnknownOutcome(message, {
    operation: operation.id,
    status: answer.status,
    reason: pending ? 'SettlementPending' : undefined,
    requestId: answer.requestId,
    sentAt: now,
    idempotencyKey,
    transaction,
    retryAfter: retryAfterOf(answer.headers, now),
  })
}
