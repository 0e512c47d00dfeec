import type { OperationShape } from '@mintmark/operation'
import type { Logger } from 'pino'
import type { IncomingCall, RawCall } from './raw-call.ts'

/** A call whose headers were received, before its caller is authenticated. */
export interface UnauthenticatedCall extends IncomingCall {
  operation: OperationShape
  requestId: string
  log: Logger
  /** Adds a listener that runs when the response was sent, or when the caller has disconnected. */
  onEnd(listener: () => void): void
}

/** An authenticated call whose body was read. */
export interface Call<Caller> extends UnauthenticatedCall, RawCall {
  caller: Caller
}

/** The response of a call in progress. A handler may add headers to it. */
export interface PendingResponse {
  readonly headers: Headers
}

/** The result of a call: data that is not formatted yet, or a stored response. */
export type HandlerResult = { data: unknown } | { stored: StoredResponse }

/** A response that was stored under an Idempotency-Key. */
export interface StoredResponse {
  status: number
  /** JSON. */
  body: string
}
