import { NetworkError, TimeoutError, UnknownOutcomeError } from '@mintmark/envelope'
import { type CallOptions, type CallResult, createCallError, type OperationShape } from '@mintmark/operation'
import ky, { isTimeoutError } from 'ky'
import { createAttempt, type Progress, type ServiceAdapter } from './attempt.ts'
import { checkData } from './check-data.ts'
import type { ClientOptions } from './options.ts'
import { getText } from './received.ts'
import type { WireRequest } from './request.ts'
import { createResponseError } from './response-error.ts'

/**
 * Sends one call. Each attempt is authenticated again, ky repeats what is safe to repeat, and the response is read whatever its status.
 * Errors of ky and fetch are not passed on, because they refer to the request with its signature.
 */
export async function send(
  operation: OperationShape,
  request: WireRequest,
  service: ServiceAdapter,
  client: ClientOptions,
  options: CallOptions,
): Promise<CallResult> {
  const { signal } = options
  const idempotencyKey = options.idempotencyKey === 'auto' ? crypto.randomUUID() : options.idempotencyKey
  const progress: Progress = { sentAt: 0, inDoubt: false }
  const attempt = createAttempt(operation, request, service, client, { ...options, idempotencyKey }, progress)
  const isRepeatable = operation.idempotent || idempotencyKey !== undefined
  const limit = isRepeatable ? (options.retries ?? client.retries ?? 2) : 0
  const timeout = options.timeout ?? client.timeout ?? 30_000
  try {
    await attemptWithRetries(request.url, attempt, progress, limit, timeout, signal)
  } catch (error) {
    if (progress.unsigned) throw progress.unsigned.cause
    signal?.throwIfAborted()
    // An error without a response, a failure or a timeout is a mistake in the options of ky.
    if (!progress.response && !progress.failure && !isTimeoutError(error)) throw error
  }
  const { response, failure } = progress
  // Without a response, as with one that asks to retry later, earlier attempts decide.
  const errorStatus = response?.status ?? 500
  const isTemporary = [408, 409, 429].includes(errorStatus) || errorStatus >= 500
  const isLost = !operation.idempotent && progress.inDoubt && isTemporary
  const isUnknown = isLost || (response && service.isPending?.(response))
  const transaction = getText(response?.body, 'transaction')
  const open = isUnknown ? { sentAt: progress.sentAt, idempotencyKey, transaction } : undefined
  if (!response) {
    const suffix = failure ? failure.code && ` (${failure.code})` : ' in time'
    const FailureClass = failure ? NetworkError : TimeoutError
    const Class = open ? UnknownOutcomeError : FailureClass
    throw createCallError(Class, operation, `no response${suffix}`, response, { ...open, cause: failure })
  }
  const { status, headers, requestId } = response
  const payload = !open && status < 400 && service.findPayload(operation, response)
  if (!payload) throw createResponseError(operation, response, (client.now ?? Date.now)(), open)
  return { data: checkData(operation, response, payload, client), status, headers, requestId }
}

/** Sends attempts until ky accepts a response or gives up. */
async function attemptWithRetries(
  url: string,
  attempt: (signal: AbortSignal) => Promise<Response>,
  progress: Progress,
  limit: number,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  // The method does not matter, because ky's own request is not sent: its body could be read only once.
  await ky(url, {
    async fetch(input) {
      const attemptSignal = (input as Request).signal
      attemptSignal.throwIfAborted()
      const sent = attempt(attemptSignal)
      if (!signal) return sent
      // Credentials and a custom fetch may ignore the signal.
      const aborted = new Promise<never>((_, reject) => {
        attemptSignal.onabort = () => reject(attemptSignal.reason)
      })
      return Promise.race([sent, aborted])
    },
    timeout,
    retry: {
      limit,
      maxRetryAfter: 60_000,
      jitter: true,
      // ky decides by status. It recognizes network errors by their messages, which a custom fetch words differently.
      shouldRetry: () => (progress.response ? undefined : !progress.unsigned),
    },
    // Otherwise ky accepts every status and does not retry.
    throwHttpErrors: limit > 0,
    ...(signal && { signal }),
  })
}
