import type { CallOptions, OperationShape } from '@mintmark/operation'
import { concealSecrets, describeFetchFailure, type FetchFailure, mergeHeaders } from './headers.ts'
import { notify } from './notify.ts'
import type { ClientOptions } from './options.ts'
import type { Received } from './received.ts'
import type { WireRequest } from './request.ts'
import type { ServiceAdapter } from './service-adapter.ts'

/** How an attempt ended: with a response, with a failure of fetch, or because it could not be signed. */
export interface Outcome {
  readonly fetched?: Response
  readonly response?: Received
  readonly failure?: FetchFailure
  /** Nothing was sent, because the credentials could not be loaded. */
  readonly unsent?: true
}

/**
 * Creates the function that sends one attempt of a call, and sends it again if the server rejected the
 * client's clock. Call it until an attempt ends the call.
 *
 * @param onSend Is called with the time whenever something is sent.
 */
export function createAttempt(
  operation: OperationShape,
  request: WireRequest,
  adapter: ServiceAdapter,
  client: ClientOptions,
  options: CallOptions,
  onSend: (time: number) => void,
): (ended: AbortSignal) => Promise<Outcome> {
  const { now = Date.now, hooks } = client
  const { method, path } = request
  const event = { operation: operation.id, method, path, attempt: 0 }

  async function attempt(ended: AbortSignal, isRepeated?: boolean): Promise<Outcome> {
    let headers: Record<string, string>
    try {
      headers = mergeHeaders(
        { accept: 'application/json' },
        client.headers,
        options.headers,
        { 'content-type': operation.body && 'application/json', 'idempotency-key': options.idempotencyKey },
        await adapter.headers(request),
      )
    } catch (cause) {
      // Whatever the source of the credentials throws.
      return { unsent: true, failure: cause as FetchFailure }
    }
    // Credentials may take long to load. Nothing is sent after the caller has aborted.
    ended.throwIfAborted()
    const sentAt = now()
    onSend(sentAt)
    event.attempt++
    notify(hooks, 'onRequest', { ...event })
    try {
      const fetched = await (client.fetch ?? fetch)(request.url, {
        method,
        headers,
        body: operation.body ? request.body : null,
        signal: ended,
        redirect: 'manual',
      })
      const { status, headers: received } = fetched
      // The body is read here, so that a response that stalls or breaks off counts as a failed attempt. A
      // stream has no end.
      const body =
        operation.result === 'event-stream' && fetched.ok
          ? fetched.body
          : parseBody(concealSecrets(await fetched.text(), headers))
      ended.throwIfAborted()
      const milliseconds = now() - sentAt
      const requestId = received.get('x-request-id') ?? undefined
      notify(hooks, 'onResponse', { ...event, status, milliseconds, requestId })
      // Seconds or a date.
      const later = received.get('retry-after') ?? ''
      const seconds = Math.ceil(Number(later) || (Date.parse(later) - now()) / 1000)
      const retryAfter = seconds > 0 ? seconds : undefined
      const response = { status, headers: received, body, requestId, retryAfter }
      const isClockWrong = !isRepeated && adapter.correctClock?.(response, sentAt + milliseconds / 2)
      return isClockWrong ? attempt(ended, true) : { fetched, response }
    } catch (error) {
      return { failure: describeFetchFailure(error, headers) }
    }
  }
  return attempt
}

// Some servers send JSON with another content type (operation 3 is */*), and some error bodies are pages.
function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text || undefined
  }
}
