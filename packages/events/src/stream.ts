import { isMintmarkError, TimeoutError, UnexpectedResponseError } from '@mintmark/envelope'
import {
  type CallResult,
  createCallError,
  type GatewayClient,
  type OperationShape,
  wait,
} from '@mintmark/operation'
import type { GatewayEvent } from './event.ts'
import { type Message, readMessages } from './messages.ts'

export interface StreamOptions {
  /**
   * The `sequence` of the last event that you have processed. Default: the stream begins with the oldest
   * stored event.
   */
  readonly after?: number | undefined
  /** Types of events and patterns; see `toTypes`. Default: all types. */
  readonly types?: string | undefined
  /** Ends the stream, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /**
   * Milliseconds without an event and without a heartbeat after which the connection counts as lost. Default:
   * 45,000, three heartbeats of the server.
   */
  readonly silenceMs?: number | undefined
}

const DEFAULT_SILENCE_MS = 45_000
/** The pause before a connection is opened again, until the server sends another one. */
const DEFAULT_RETRY_MS = 1000
/** The longest pause before a connection is opened again, whatever the server says. */
const MAX_PAUSE_MS = 30_000
/** Connections in turn on which nothing arrived, after which the stream ends. */
const MAX_SILENT_CONNECTIONS = 3

/** Reads a stream of events, and continues after the last one when the connection is lost. */
export async function* readStream(
  operation: OperationShape,
  gateway: GatewayClient,
  { after, types, signal, silenceMs = DEFAULT_SILENCE_MS }: StreamOptions = {},
): AsyncGenerator<GatewayEvent, void, undefined> {
  let position = after
  let retryMs = DEFAULT_RETRY_MS
  let failures = 0
  let silentConnections = 0
  for (;;) {
    const response = await open(operation, gateway, { after: position, types }, signal)
    let pause = response.pause
    if (response.body === undefined) {
      failures += 1
      pause ??= Math.min(MAX_PAUSE_MS, retryMs * 2 ** Math.min(failures, 10)) * Math.random()
    } else {
      failures = 0
      silentConnections += 1
      for await (const message of readMessages(response.body, silenceMs, signal)) {
        silentConnections = 0
        if (message.data !== undefined) yield parseEvent(operation, message)
        if (message.id !== undefined && /^\d+$/.test(message.id)) position = Number(message.id)
        retryMs = message.retryMs ?? retryMs
      }
      if (silentConnections >= MAX_SILENT_CONNECTIONS) throw createSilenceError(operation)
    }
    // Many clients lose their connections at the same time, when a server stops.
    await wait(Math.min(MAX_PAUSE_MS, pause ?? retryMs * (0.5 + Math.random())), signal)
  }
}

interface OpenedStream {
  /** Undefined: the call failed, and may succeed later. */
  readonly body?: ReadableStream<Uint8Array>
  /** Milliseconds after which the server expects the next call. */
  readonly pause?: number | undefined
}

/** Opens the stream. Throws the errors that do not pass. */
async function open(
  operation: OperationShape,
  gateway: GatewayClient,
  input: { after: number | undefined; types: string | undefined },
  signal: AbortSignal | undefined,
): Promise<OpenedStream> {
  signal?.throwIfAborted()
  let result: CallResult
  try {
    result = await gateway.call(operation, input, {
      signal,
      headers: { accept: 'text/event-stream' },
      retries: 0,
    })
  } catch (error) {
    if (!isMintmarkError(error) || !error.retryable) throw error
    return { pause: error.retryAfter === undefined ? undefined : error.retryAfter * 1000 }
  }
  const { headers } = result
  // Clients return the body of a response whose operation is a stream.
  const body = result.data as ReadableStream<Uint8Array> | null
  if (body === null || !/^text\/event-stream\b/i.test(headers.get('content-type') ?? '')) {
    await body?.cancel()
    const message = 'Expected a stream of events. A proxy may have responded'
    throw createCallError(UnexpectedResponseError, operation, message, result, {
      field: '',
      received: undefined,
      accepted: false,
    })
  }
  return { body }
}

function parseEvent(operation: OperationShape, { data = '' }: Message): GatewayEvent {
  try {
    return JSON.parse(data)
  } catch {
    throw createCallError(
      UnexpectedResponseError,
      operation,
      'the data of a message is not JSON',
      undefined,
      {
        field: 'data',
        received: data,
        accepted: false,
      },
    )
  }
}

function createSilenceError(operation: OperationShape): Error {
  const message = 'the server accepts the call and sends nothing. A proxy may buffer its responses'
  return createCallError(TimeoutError, operation, message, undefined, {})
}
