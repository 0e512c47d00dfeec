import { NetworkError, TimeoutError, UnknownOutcomeError } from '@mintmark/envelope'
import ky, { isTimeoutError } from 'ky'
import { dataOf, type Found } from './answer.ts'
import { type Answer, fail, failureOf, text } from './failure.ts'
import { notify } from './notify.ts'
import type { CallOptions, CallResult, OperationShape } from './operation.ts'
import type { AttemptEvent, ClientOptions } from './options.ts'
import { conceal, headersOf, type Reason, reasonOf } from './proof.ts'
import type { WireRequest } from './request.ts'

/** What the gateway and the facilitator do each in their own way. */
export interface Wire {
  /** The headers that authenticate one attempt; made anew for each. */
  headers(request: WireRequest): Promise<Record<string, string>>
  /** Looks at an answer and when it was asked for; true has the attempt signed and sent once more (a corrected clock). */
  again?(answer: Answer, askedAt: number): boolean
  /** Whether an answer says that the outcome is not known yet. */
  pending?(answer: Answer): boolean
  /** Where an answer's data stands; false when it says that the call failed. */
  find(operation: OperationShape, answer: Answer): Found | false
}

// Some servers answer JSON under another content type (operation 3 is `*/*`), and some error bodies are pages.
function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body || undefined
  }
}

/**
 * Sends one call: each attempt is authenticated anew, ky repeats what is safe to repeat, and the answer is read whatever
 * its status. Errors of ky and of fetch end here, for they hold the request with its signature.
 */
export async function send(
  operation: OperationShape,
  request: WireRequest,
  wire: Wire,
  client: ClientOptions,
  options: CallOptions,
): Promise<CallResult> {
  const { now = Date.now, hooks } = client
  const { signal } = options
  const { url, method, path } = request
  const idempotencyKey = options.idempotencyKey === 'auto' ? crypto.randomUUID() : options.idempotencyKey
  const unsafe = !operation.idempotent
  const limit = unsafe && idempotencyKey === undefined ? 0 : (options.retries ?? client.retries ?? 2)
  const event: AttemptEvent = { operation: operation.id, method, path, attempt: 0 }
  let sentAt = 0
  // An attempt may have taken effect without our knowing: it was sent, and no answer of the server's told.
  let inDoubt = false
  // How the last attempt ended: one of these three, or in a time-out.
  let answer = undefined as Answer | undefined
  let broken = undefined as Reason | undefined
  let unsigned = undefined as { cause: unknown } | undefined

  async function attempt(ended: AbortSignal): Promise<Response> {
    for (let corrected = false; ; corrected = true) {
      answer = broken = undefined
      let headers: Record<string, string>
      try {
        headers = headersOf(
          { accept: 'application/json' },
          client.headers,
          options.headers,
          {
            'content-type': operation.body && 'application/json',
            'idempotency-key': idempotencyKey,
          },
          await wire.headers(request),
        )
      } catch (cause) {
        if (!ended.aborted) unsigned = { cause }
        throw cause
      }
      // Credentials may come late: nothing is sent for a caller who has gone.
      ended.throwIfAborted()
      event.attempt++
      notify(hooks, 'onRequest', { ...event })
      const doubted = inDoubt
      inDoubt = true
      sentAt = now()
      try {
        const body = operation.body ? request.body : null
        const init: RequestInit = { method, headers, body, signal: ended, redirect: 'manual' }
        const response = await (client.fetch ?? fetch)(url, init)
        // Read here, so that an answer that stalls or breaks off is an attempt that failed.
        const told = parse(conceal(await response.text(), headers))
        if (ended.aborted) return response
        const { status } = response
        inDoubt = doubted || status === 502 || status === 504
        const milliseconds = now() - sentAt
        const requestId = response.headers.get('x-request-id') ?? undefined
        answer = { status, headers: response.headers, body: told, requestId }
        notify(hooks, 'onResponse', { ...event, status, milliseconds, requestId })
        if (corrected || !wire.again?.(answer, sentAt + milliseconds / 2)) return response
      } catch (error) {
        if (!ended.aborted) {
          broken = reasonOf(error, headers)
          if (broken.unsent) inDoubt = doubted
        }
        throw error
      }
    }
  }

  try {
    // ky's own request is not what is sent, so that its method does not matter: it would be read once for all attempts.
    await ky(url, {
      async fetch(input) {
        const ended = (input as Request).signal
        ended.throwIfAborted()
        const sent = attempt(ended)
        if (!signal) return sent
        // Neither credentials nor a fetch of the caller's need to heed the signal.
        const left = new Promise<never>((_, reject) => {
          ended.onabort = () => reject(ended.reason)
        })
        return Promise.race([sent, left])
      },
      timeout: options.timeout ?? client.timeout ?? 30_000,
      retry: {
        limit,
        maxRetryAfter: 60_000,
        jitter: true,
        // ky knows what to do with a status; network errors it tells by their messages, which a fetch of the caller's
        // words as it likes.
        shouldRetry: () => (answer ? undefined : !unsigned),
      },
      // Otherwise ky takes every answer for good.
      throwHttpErrors: limit > 0,
      ...(signal && { signal }),
    })
  } catch (error) {
    if (unsigned) throw unsigned.cause
    signal?.throwIfAborted()
    // What is neither broken nor late nor a status that was read is a mistake in ky's options.
    if (!broken && !answer && !isTimeoutError(error)) throw error
  }
  // No answer leaves as much open as one that puts the call off.
  const status = answer?.status ?? 500
  const putOff = [408, 409, 429].includes(status) || status >= 500
  // An attempt went unanswered, a proxy lost its server, or a settlement is pending.
  const isOpen = (unsafe && inDoubt && putOff) || (answer && wire.pending?.(answer))
  const transaction = text(answer?.body, 'transaction')
  const open = isOpen ? { sentAt, idempotencyKey, transaction } : undefined
  if (!answer) {
    const said = `no answer${broken ? broken.code && ` (${broken.code})` : ' in time'}`
    const Class = open ? UnknownOutcomeError : broken ? NetworkError : TimeoutError
    throw fail(Class, operation, said, answer, { ...open, cause: broken })
  }
  const found = !open && status < 400 && wire.find(operation, answer)
  if (!found) throw failureOf(operation, answer, now(), open)
  return {
    data: dataOf(operation, answer, found, client),
    status,
    headers: answer.headers,
    requestId: answer.requestId,
  }
}
