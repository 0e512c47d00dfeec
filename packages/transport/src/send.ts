import ky, { isTimeoutError } from 'ky'
import type { Answer } from './failure.ts'
import { type Attempts, lostAnswer, neverSent, openOutcome, reasonOf } from './lost.ts'
import { notify } from './notify.ts'
import type { CallOptions, OperationShape } from './operation.ts'
import type { AttemptEvent, ClientOptions } from './options.ts'
import { conceal, headersOf, secretsOf } from './proof.ts'
import type { WireRequest } from './request.ts'

/** How a client authenticates an attempt. */
export interface Authenticator {
  /** The headers of one attempt; made anew for each. */
  headers(request: WireRequest): Promise<Record<string, string>>
  /** Looks at an answer and when it was asked for; true has the attempt signed and sent once more (a corrected clock). */
  again?(answer: Answer, askedAt: number): boolean
}

const RETRIED = [408, 429, 500, 502, 503, 504]

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
  const { hooks } = client
  const { signal } = options
  const idempotencyKey = options.idempotencyKey === 'auto' ? crypto.randomUUID() : options.idempotencyKey
  const repeatable = operation.idempotent || idempotencyKey !== undefined
  const limit = repeatable ? (options.retries ?? client.retries ?? 2) : 0
  const event: AttemptEvent = {
    operation: operation.id,
    method: request.method,
    path: request.path,
    attempt: 0,
  }
  const attempts: Attempts = { idempotencyKey, sentAt: 0, inDoubt: false }

  async function attempt(ended: AbortSignal): Promise<Response> {
    for (let corrected = false; ; corrected = true) {
      attempts.answer = attempts.broken = undefined
      let headers: Record<string, string>
      try {
        headers = headersOf(
          { accept: 'application/json' },
          client.headers,
          options.headers,
          operation.body && { 'content-type': 'application/json' },
          idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey },
          await authenticator.headers(request),
        )
      } catch (cause) {
        if (!ended.aborted) attempts.unsigned = { cause }
        throw cause
      }
      // Credentials may come late: nothing is sent for a caller who has gone.
      ended.throwIfAborted()
      const secrets = secretsOf(headers)
      event.attempt++
      notify(() => hooks?.onRequest?.({ ...event }))
      const before = attempts.inDoubt
      const sentAt = now()
      attempts.sentAt = sentAt
      attempts.inDoubt = true
      const init: RequestInit = { method: request.method, headers, signal: ended, redirect: 'manual' }
      if (operation.body) init.body = request.body
      try {
        const response = await (client.fetch ?? fetch)(request.url, init)
        const answeredAt = now()
        // Read here, so that an answer that stalls or breaks off is an attempt that failed.
        const body = parse(conceal(await response.text(), secrets))
        const { status } = response
        const requestId = response.headers.get('x-request-id') ?? undefined
        if (ended.aborted) return response
        attempts.inDoubt = before || status === 502 || status === 504
        const answer = { status, headers: response.headers, body, requestId }
        attempts.answer = answer
        const milliseconds = now() - sentAt
        notify(() => hooks?.onResponse?.({ ...event, status, milliseconds, requestId }))
        if (corrected || !authenticator.again?.(answer, (sentAt + answeredAt) / 2)) return response
      } catch (error) {
        if (ended.aborted) throw error
        attempts.broken = reasonOf(error, secrets)
        if (neverSent(attempts.broken)) attempts.inDoubt = before
        throw error
      }
    }
  }

  try {
    signal?.throwIfAborted()
    await ky(request.url, {
      method: request.method,
      // ky's own request is not what is sent: it would be read once for all attempts.
      fetch(input) {
        const ended = (input as Request).signal
        const sent = attempt(ended)
        if (!signal) return sent
        // Neither credentials nor a fetch of the caller's need to heed the signal.
        const left = new Promise<never>((_, reject) => {
          ended.addEventListener('abort', () => reject(ended.reason))
        })
        return Promise.race([sent, left])
      },
      timeout: options.timeout ?? client.timeout ?? 30_000,
      retry: {
        limit,
        methods: [request.method.toLowerCase() as 'get'],
        statusCodes: RETRIED,
        afterStatusCodes: [429, 503],
        maxRetryAfter: 60_000,
        jitter: true,
        retryOnTimeout: true,
        // ky tells network errors by their messages, which a fetch of the caller's words as it likes.
        shouldRetry: () => (attempts.unsigned ? false : attempts.broken ? true : undefined),
      },
      throwHttpErrors: (status) => limit > 0 && RETRIED.includes(status),
      ...(signal && { signal }),
    })
  } catch (error) {
    if (attempts.unsigned) throw attempts.unsigned.cause
    signal?.throwIfAborted()
    const late = isTimeoutError(error)
    if (late || attempts.broken) throw lostAnswer(operation, attempts, late)
    // What is left is ky's word on a status that was read, or a mistake in its options.
    if (!attempts.answer) throw error
  }
  const { answer } = attempts
  if (!answer) throw lostAnswer(operation, attempts, false)
  const open = openOutcome(operation, { ...attempts, answer }, now())
  if (open) throw open
  return answer
}
