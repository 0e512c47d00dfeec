import type { CallOptions, OperationShape } from '@mintmark/operation'
import type { Payload } from './check-data.ts'
import { concealSecrets, describeFetchFailure, type FetchFailure, mergeHeaders } from './headers.ts'
import { notify } from './notify.ts'
import type { ClientOptions } from './options.ts'
import type { Received } from './received.ts'
import type { WireRequest } from './request.ts'

/** What differs between the gateway and the facilitator. */
export interface ServiceAdapter {
  /** Creates the headers that authenticate one attempt. */
  authenticate(request: WireRequest): Promise<Record<string, string>>
  /** Corrects the clock after a response. Returns true when the attempt must be signed and sent again. */
  correctClock?(response: Received, sentAt: number): boolean
  /** Whether a response says that the outcome is still unknown. */
  isPending?(response: Received): boolean
  /** Finds the data of a response; undefined when the response reports a failure. */
  findPayload(operation: OperationShape, response: Received): Payload | undefined
}

/** The progress of a call. After a timeout, the last attempt has neither a response nor a failure. */
export interface Progress {
  sentAt: number
  /** Whether an attempt may have taken effect: it was sent, and the server has not reported its outcome. */
  inDoubt: boolean
  response?: Received | undefined
  failure?: FetchFailure | undefined
  /** Set when an attempt could not be signed. */
  unsigned?: { readonly cause: unknown }
}

/** Returns a function that sends one attempt of a call, and a second one when the first one's timestamp was wrong. */
export function createAttempt(
  operation: OperationShape,
  request: WireRequest,
  service: ServiceAdapter,
  client: ClientOptions,
  options: CallOptions,
  progress: Progress,
): (signal: AbortSignal) => Promise<Response> {
  const { hooks, now = Date.now } = client
  const { method, path, url } = request
  const event = { operation: operation.id, method, path, attempt: 0 }
  async function sendOnce(signal: AbortSignal): Promise<Response> {
    progress.response = progress.failure = undefined
    let headers: Record<string, string>
    try {
      headers = mergeHeaders(
        { accept: 'application/json' },
        client.headers,
        options.headers,
        { 'content-type': operation.body && 'application/json', 'idempotency-key': options.idempotencyKey },
        await service.authenticate(request),
      )
    } catch (cause) {
      if (!signal.aborted) progress.unsigned = { cause }
      throw cause
    }
    // Credentials may take long to load. Nothing is sent after the caller has aborted.
    signal.throwIfAborted()
    event.attempt++
    notify(hooks, 'onRequest', { ...event })
    const wasInDoubt = progress.inDoubt
    progress.inDoubt = true
    progress.sentAt = now()
    try {
      const body = operation.body ? request.body : null
      const init: RequestInit = { method, headers, body, signal, redirect: 'manual' }
      const response = await (client.fetch ?? fetch)(url, init)
      // The body is read here, so that a response that stalls or breaks off counts as a failed attempt.
      const text = concealSecrets(await response.text(), headers)
      if (signal.aborted) return response
      const { status } = response
      const milliseconds = now() - progress.sentAt
      const requestId = response.headers.get('x-request-id') ?? undefined
      progress.inDoubt = wasInDoubt || status === 502 || status === 504
      progress.response = {
        status,
        headers: response.headers,
        body: parseBody(text),
        requestId,
        milliseconds,
      }
      notify(hooks, 'onResponse', { ...event, status, milliseconds, requestId })
      return response
    } catch (error) {
      if (!signal.aborted) {
        progress.failure = describeFetchFailure(error, headers)
        progress.inDoubt = wasInDoubt || !progress.failure.unsent
      }
      throw error
    }
  }

  return async (signal) => {
    const first = await sendOnce(signal)
    const { response, sentAt } = progress
    const isClockWrong = response && service.correctClock?.(response, sentAt + response.milliseconds / 2)
    return isClockWrong ? sendOnce(signal) : first
  }
}

// Some servers send JSON with another content type (operation 3 is */*), and some error bodies are pages.
function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text || undefined
  }
}
