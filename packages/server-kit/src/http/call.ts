import type { OperationShape } from '@mintmark/operation'
import type { Logger } from 'pino'
import type { IncomingCall, RawCall } from './raw-call.ts'

/** A call whose headers were received, before its caller is authenticated. */
export interface UnauthenticatedCall extends IncomingCall {
  operation: OperationShape
  requestId: string
  log: Logger
  /** Sets a header of the response, also when the call ends in an error. */
  setHeader(name: string, value: string): void
  /** Adds a listener that receives the length of the response's body, in characters, before it is sent. */
  onResponse(listener: (length: number) => void): void
  /** Adds a listener that runs when the response was sent, or when the caller has disconnected. */
  onEnd(listener: () => void): void
  /**
   * Adds a listener that runs if the caller receives nothing of what the handler returns: the call ends in an
   * error, or the connection ends before a byte of the response was written.
   */
  onUndelivered(listener: () => void): void
  /** Returns the signal that is aborted when the caller disconnects before its response was sent. */
  getSignal(): AbortSignal
  /** Whether the caller can still receive the response. Work that takes long stops when it cannot. */
  isConnected(): boolean
  /** Closes the caller's connection without a complete response. */
  disconnect(): void
}

/** An authenticated call whose body was read. */
export interface Call<Caller> extends UnauthenticatedCall, RawCall {
  caller: Caller
}

/** The response of a call in progress. A handler may add headers to it. */
export interface PendingResponse {
  readonly headers: Headers
}

/** What a server does with its calls. */
export interface CallHandling<Caller, Context> {
  /**
   * Authenticates the caller; throws an HttpError (401, 403, 429). Runs before the input is checked and
   * before the body is read: check the headers first, then call `readBody` if the signature covers the body.
   */
  authenticate(call: UnauthenticatedCall): Promise<Caller>
  /**
   * Runs the handler in its context. A response under an Idempotency-Key is stored here: see
   * `runIdempotently`. `handle` runs the handler's `prepare` step first unless it receives its result.
   */
  run(
    call: Call<Caller>,
    handle: (context: Context, prepared?: Promise<unknown>) => Promise<unknown>,
    response: PendingResponse,
    prepare: ((context: Context) => Promise<unknown>) | undefined,
  ): Promise<HandlerResult>
}

/** The result of a call: data that is not formatted yet, or a stored response. */
export type HandlerResult = { data: unknown } | { stored: StoredResponse }

/** A response that was stored under an Idempotency-Key. */
export interface StoredResponse {
  status: number
  /** JSON. */
  body: string
}
