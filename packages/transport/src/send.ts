import {
  NetworkError,
  type SIGNATURE_REPLAYED,
  TimeoutError,
  type UnknownOutcomeDetails,
  UnknownOutcomeError,
} from '@mintmark/envelope'
import {
  type CallOptions,
  type CallResult,
  createCallError,
  keepsIdempotencyKey,
  type Method,
  type OperationShape,
} from '@mintmark/operation'
import ky, { isTimeoutError } from 'ky'
import { createAttempt, type Outcome } from './attempt.ts'
import { checkData } from './check-data.ts'
import { mergeHeaders } from './headers.ts'
import type { ClientOptions } from './options.ts'
import { getField } from './received.ts'
import type { WireRequest } from './request.ts'
import { createResponseError } from './response-error.ts'
import type { ServiceAdapter } from './service-adapter.ts'

type SignatureReplayedCode = (typeof SIGNATURE_REPLAYED)['code']

/**
 * Sends one call. ky creates its requests, limits their time and repeats what is safe to repeat. Errors of ky
 * and fetch are not passed on, because they refer to the request with its signature.
 */
export async function send(
  operation: OperationShape,
  wire: WireRequest,
  adapter: ServiceAdapter,
  client: ClientOptions,
  options: CallOptions,
): Promise<CallResult> {
  // The server ignores the keys of other operations, so that these cannot be repeated.
  let idempotencyKey = keepsIdempotencyKey(operation) ? options.idempotencyKey : undefined
  if (idempotencyKey === 'auto') idempotencyKey = crypto.randomUUID()
  let sentAt = 0
  // Whether an attempt may have taken effect: it was sent, and the server has not reported its outcome.
  let inDoubt = false
  // How the last attempt ended. Undefined after a timeout.
  let outcome: Outcome | undefined
  const onSend = (time: number) => {
    sentAt = time
    inDoubt = true
  }
  const attempt = createAttempt(operation, wire, adapter, client, onSend)

  /**
   * Sends a request of ky. Signing is not a hook of ky, because hooks have no time-out, and the body is read
   * here, because the time-out and the retries of ky end when the headers of a response have arrived.
   */
  async function fetchInTime(request: Request): Promise<Response> {
    const { signal } = request
    const wasInDoubt = inDoubt
    outcome = undefined
    signal.throwIfAborted()
    // Credentials and a custom fetch may ignore the signal.
    outcome = await new Promise<Outcome>((resolve, reject) => {
      signal.onabort = () => reject(signal.reason)
      attempt(request).then(resolve, reject)
    })
    const { fetched, failure } = outcome
    inDoubt = wasInDoubt || failure?.unsent === false || fetched?.status === 502 || fetched?.status === 504
    if (fetched) return fetched
    throw failure
  }

  const timeout = options.timeout ?? client.timeout ?? 30_000
  try {
    await ky(wire.url, {
      method: operation.method,
      headers: mergeHeaders({ accept: 'application/json' }, client.headers, options.headers, {
        'content-type': operation.body && 'application/json',
        'idempotency-key': idempotencyKey,
      }),
      signal: options.signal ?? null,
      timeout,
      fetch: fetchInTime as typeof fetch,
      retry: {
        limit: operation.idempotent || idempotencyKey ? (options.retries ?? client.retries ?? 2) : 0,
        methods: [operation.method.toLowerCase() as Lowercase<Method>],
        maxRetryAfter: timeout,
        jitter: true,
        // ky decides by status. It recognizes network errors by their messages, which a custom fetch words
        // differently.
        shouldRetry() {
          const { response, unsent } = outcome ?? {}
          if (!response) return !unsent
          if ((response.retryAfter ?? 0) * 1000 > timeout) return false
          // Equal writes of two processes with one key have the same signature if they have the same timestamp.
          // The gateway accepts the first one. The other one has not been executed, unless a proxy has sent it
          // twice: the client cannot tell. So only a call that is safe to repeat is signed again.
          return getField(response.body, 'code') === (40102 satisfies SignatureReplayedCode) || undefined
        },
      },
    })
  } catch (error) {
    options.signal?.throwIfAborted()
    // Anything else is a mistake in the options of ky.
    if (!outcome && !isTimeoutError(error)) throw error
  }
  return getResult(operation, wire, adapter, client, outcome, inDoubt, { sentAt, idempotencyKey })
}

/** Returns the result of the last attempt, or throws the call's error. */
function getResult(
  operation: OperationShape,
  { origin }: WireRequest,
  adapter: ServiceAdapter,
  client: ClientOptions,
  outcome: Outcome | undefined,
  inDoubt: boolean,
  sent: UnknownOutcomeDetails,
): CallResult {
  const { response, failure, unsent } = outcome ?? {}
  const { status = 500, body } = response ?? {}
  // Only a success or a refusal of the call itself says what became of it. After any other response, such as
  // that of a proxy or a refusal of the caller, earlier attempts decide.
  const isDecided = status < 300 || ([400, 402, 404].includes(status) && typeof body === 'object')
  const pending = response && adapter.pending?.(response)
  const isOpen = pending || (inDoubt && !isDecided && !operation.idempotent)
  const open = isOpen ? { ...sent, ...pending } : undefined
  if (unsent && !open) throw failure
  if (!response) {
    const FailureClass = outcome ? NetworkError : TimeoutError
    const Class = open ? UnknownOutcomeError : FailureClass
    const suffix = failure?.code ? ` (${failure.code})` : outcome ? '' : ' in time'
    throw createCallError(Class, operation, `no response from ${origin}${suffix}`, response, {
      ...open,
      cause: failure,
    })
  }
  const { requestId, headers } = response
  const payload = !open && status < 400 && adapter.payload(operation, response)
  if (!payload) throw createResponseError(operation, response, open)
  return { data: checkData(operation, response, payload, client), status, requestId, headers }
}
