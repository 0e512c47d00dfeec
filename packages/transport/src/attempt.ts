import type { OperationShape } from '@mintmark/operation'
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
 * Creates the function that signs a request of ky, sends it and reads the response. It signs and sends the
 * request again if the server rejected the client's clock.
 *
 * @param onSend Is called with the time whenever something is sent.
 */
export function createAttempt(
  operation: OperationShape,
  wire: WireRequest,
  adapter: ServiceAdapter,
  client: ClientOptions,
  onSend: (time: number) => void,
): (request: Request) => Promise<Outcome> {
  const { now = Date.now, hooks } = client
  const event = { operation: operation.id, method: operation.method, path: wire.path, attempt: 0 }

  return async function attempt(request: Request, isRepeated?: boolean): Promise<Outcome> {
    const { signal } = request
    let headers: Record<string, string>
    try {
      headers = mergeHeaders(Object.fromEntries(request.headers), await adapter.headers(wire))
    } catch (cause) {
      // Whatever the source of the credentials throws.
      return { unsent: true, failure: cause as FetchFailure }
    }
    // Credentials may take long to load. Nothing is sent after the caller has aborted.
    signal.throwIfAborted()
    const sentAt = now()
    onSend(sentAt)
    event.attempt++
    notify(hooks, 'onRequest', { ...event })
    try {
      const fetched = await (client.fetch ?? fetch)(request.url, {
        method: request.method,
        headers,
        // ky would copy a body for each retry, so its request has none.
        body: operation.body ? wire.body : null,
        signal,
        // Another host must not receive the signature.
        redirect: 'manual',
      })
      const { status, headers: received } = fetched
      // A stream has no end.
      const content =
        operation.result === 'event-stream' && fetched.ok
          ? fetched.body
          : parseBody(concealSecrets(await fetched.text(), headers))
      signal.throwIfAborted()
      const milliseconds = now() - sentAt
      const requestId = received.get('x-request-id') ?? undefined
      notify(hooks, 'onResponse', { ...event, status, milliseconds, requestId })
      // Seconds or a date.
      const later = received.get('retry-after') ?? ''
      const seconds = Math.ceil(Number(later) || (Date.parse(later) - now()) / 1000)
      const retryAfter = seconds > 0 ? seconds : undefined
      const response = { status, headers: received, body: content, requestId, retryAfter }
      const isClockWrong = !isRepeated && adapter.correctClock?.(response, sentAt + milliseconds / 2)
      return isClockWrong ? attempt(request, true) : { fetched, response }
    } catch (error) {
      return { failure: describeFetchFailure(error, headers) }
    }
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
