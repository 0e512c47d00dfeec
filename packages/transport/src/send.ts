import { NetworkError, TimeoutError, UnknownOutcomeError } from '@mintmark/envelope'
import { type CallOptions, type CallResult, createCallError, type OperationShape } from '@mintmark/operation'
import ky, { isTimeoutError } from 'ky'
import { checkData } from './check-data.ts'
import { concealSecrets, describeFetchFailure, type FetchFailure, mergeHeaders } from './headers.ts'
import { notify } from './notify.ts'
import type { ClientOptions } from './options.ts'
import { getText, type Received } from './received.ts'
import type { WireRequest } from './request.ts'
import { createResponseError } from './response-error.ts'
import type { ServiceAdapter } from './service-adapter.ts'

/**
 * Sends one call. Each attempt is authenticated again, ky repeats what is safe to repeat, and the response is read whatever its status.
 * Errors of ky and fetch are not passed on, because they refer to the request with its signature.
 *
 * One function, because programs contain it: its state in an object or behind parameters would exceed the size budget.
 */
export async function send(
  operation: OperationShape,
  request: WireRequest,
  adapter: ServiceAdapter,
  client: ClientOptions,
  options: CallOptions,
): Promise<CallResult> {
  const { now = Date.now, hooks } = client
  const { signal } = options
  const { url, method, path } = request
  const idempotencyKey = options.idempotencyKey === 'auto' ? crypto.randomUUID() : options.idempotencyKey
  const isUnsafe = !operation.idempotent
  const limit = isUnsafe && idempotencyKey === undefined ? 0 : (options.retries ?? client.retries ?? 2)
  const event = { operation: operation.id, method, path, attempt: 0 }
  let sentAt = 0
  let milliseconds = 0
  // Whether an attempt may have taken effect: it was sent, and the server has not reported its outcome.
  let inDoubt = false
  // How the last attempt ended. After a timeout, all three are undefined.
  let response = undefined as Received | undefined
  let failure = undefined as FetchFailure | undefined
  let unsigned = undefined as { cause: unknown } | undefined

  async function createHeaders(): Promise<Record<string, string>> {
    return mergeHeaders(
      { accept: 'application/json' },
      client.headers,
      options.headers,
      { 'content-type': operation.body && 'application/json', 'idempotency-key': idempotencyKey },
      await adapter.headers(request),
    )
  }

  async function sendOnce(ended: AbortSignal): Promise<Response> {
    response = failure = undefined
    const headers = await createHeaders().catch((cause: unknown) => {
      if (!ended.aborted) unsigned = { cause }
      throw cause
    })
    // Credentials may take long to load. Nothing is sent after the caller has aborted.
    ended.throwIfAborted()
    event.attempt++
    notify(hooks, 'onRequest', { ...event })
    const wasInDoubt = inDoubt
    inDoubt = true
    sentAt = now()
    try {
      const body = operation.body ? request.body : null
      const init: RequestInit = { method, headers, body, signal: ended, redirect: 'manual' }
      const fetched = await (client.fetch ?? fetch)(url, init)
      // The body is read here, so that a response that stalls or breaks off counts as a failed attempt.
      const text = concealSecrets(await fetched.text(), headers)
      if (ended.aborted) return fetched
      const { status } = fetched
      milliseconds = now() - sentAt
      const requestId = fetched.headers.get('x-request-id') ?? undefined
      inDoubt = wasInDoubt || status === 502 || status === 504
      response = { status, headers: fetched.headers, body: parseBody(text), requestId }
      notify(hooks, 'onResponse', { ...event, status, milliseconds, requestId })
      return fetched
    } catch (error) {
      if (!ended.aborted) {
        failure = describeFetchFailure(error, headers)
        inDoubt = wasInDoubt || !failure.unsent
      }
      throw error
    }
  }

  async function attempt(ended: AbortSignal): Promise<Response> {
    const fetched = await sendOnce(ended)
    const isClockWrong = response && adapter.correctClock?.(response, sentAt + milliseconds / 2)
    return isClockWrong ? sendOnce(ended) : fetched
  }

  try {
    // The method does not matter, because ky's own request is not sent: its body could be read only once.
    await ky(url, {
      async fetch(input) {
        const ended = (input as Request).signal
        ended.throwIfAborted()
        // Credentials and a custom fetch may ignore the signal.
        const aborted = new Promise<never>((_, reject) => {
          ended.onabort = () => reject(ended.reason)
        })
        return Promise.race([attempt(ended), aborted])
      },
      timeout: options.timeout ?? client.timeout ?? 30_000,
      retry: {
        limit,
        maxRetryAfter: 60_000,
        jitter: true,
        // ky decides by status. It recognizes network errors by their messages, which a custom fetch words differently.
        shouldRetry: () => (response ? undefined : !unsigned),
      },
      // Otherwise ky accepts every status and does not retry.
      throwHttpErrors: limit > 0,
      ...(signal && { signal }),
    })
  } catch (error) {
    if (unsigned) throw unsigned.cause
    signal?.throwIfAborted()
    // An error without a response, a failure or a timeout is a mistake in the options of ky.
    if (!failure && !response && !isTimeoutError(error)) throw error
  }
  // Without a response, as with a temporary failure, earlier attempts decide.
  const errorStatus = response?.status ?? 500
  const isTemporary = [408, 409, 429].includes(errorStatus) || errorStatus >= 500
  const isUnknown = (isUnsafe && inDoubt && isTemporary) || (response && adapter.pending?.(response))
  const transaction = getText(response?.body, 'transaction')
  const open = isUnknown ? { sentAt, idempotencyKey, transaction } : undefined
  if (!response) {
    const suffix = failure ? failure.code && ` (${failure.code})` : ' in time'
    const FailureClass = failure ? NetworkError : TimeoutError
    const Class = open ? UnknownOutcomeError : FailureClass
    throw createCallError(Class, operation, `no response${suffix}`, response, { ...open, cause: failure })
  }
  const { status, headers, requestId } = response
  const payload = !open && status < 400 && adapter.payload(operation, response)
  if (!payload) throw createResponseError(operation, response, now(), open)
  return { data: checkData(operation, response, payload, client), status, headers, requestId }
}

// Some servers send JSON with another content type (operation 3 is */*), and some error bodies are pages.
function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text || undefined
  }
}
