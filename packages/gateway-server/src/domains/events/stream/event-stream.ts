import type { Logger } from '@mintmark/server-kit'

/** Provides the messages of one stream. */
export interface MessageSource {
  /**
   * The place up to which earlier calls of `next` have returned everything. Heartbeats report it, so that a
   * caller does not resume before events that it does not want. What the last call returned counts only when
   * `next` is called again: it may not be sent yet.
   */
  readonly position: number
  /**
   * Returns the next messages as bytes, or undefined at the end. Called again after the caller has received
   * them. Rejects when the signal is aborted.
   */
  next(signal: AbortSignal): Promise<Uint8Array | undefined>
  /** Whether the caller may still read the stream. */
  isAuthorized(): Promise<boolean>
  /** Runs once, when the stream has ended. */
  onEnd(reason: StreamEnd): void
}

/**
 * Why a stream ended: its source has no more, the caller disconnected, reads too slowly or is no longer
 * authorized, or the server stops.
 */
export type StreamEnd = 'finished' | 'disconnected' | 'slow' | 'unauthorized' | 'stopping' | 'failed'

export interface EventStreamOptions {
  /** How often a silent stream sends a heartbeat, and every stream is checked, in milliseconds. */
  readonly heartbeatMs: number
  /** How long a caller may take to receive what was sent, in milliseconds. Then its connection is closed. */
  readonly drainMs: number
  /** Closes the caller's connection. */
  disconnect(): void
  readonly log: Pick<Logger, 'warn'>
}

/**
 * The shortest pause before a caller opens a lost stream again. The longest is twice as long, so that not all
 * callers return at once.
 */
const RETRY_MS = 1000

/**
 * A response without an end, in the format of server-sent events. Its source is read only when the caller has
 * received what was sent before, so that a slow caller makes nothing accumulate here.
 */
export class EventStream {
  /** The body of the response. */
  readonly body: ReadableStream<Uint8Array>
  readonly #source: MessageSource
  readonly #options: EventStreamOptions
  readonly #aborter = new AbortController()
  readonly #timer: NodeJS.Timeout
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #hasEnded = false
  /**
   * Since when the caller has not received what was sent. Undefined: the stream waits for messages. Callers
   * can ignore a body.
   */
  #unreceivedSince: number | undefined = performance.now()
  #isReading = false
  #messages: Uint8Array | undefined
  #isHeartbeatDue = false
  /** The position of the last heartbeat. */
  #reportedPosition = -1
  #wake = () => {}

  constructor(source: MessageSource, options: EventStreamOptions) {
    this.#source = source
    this.#options = options
    this.#messages = Buffer.from(`retry: ${Math.round(RETRY_MS * (1 + Math.random()))}\n\n`)
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => this.#send(),
        cancel: () => void this.#finish('disconnected'),
      },
      // Nothing is produced before the caller can receive it.
      { highWaterMark: 0 },
    )
    this.#timer = setInterval(() => void this.#check(), options.heartbeatMs)
  }

  /** Ends the stream after the messages that are being sent. The caller opens it again elsewhere. */
  end(reason: StreamEnd): void {
    if (this.#finish(reason)) this.#controller?.close()
  }

  /** Sends the next messages, or a heartbeat. */
  async #send(): Promise<void> {
    this.#unreceivedSince = undefined
    while (!this.#hasEnded) {
      const messages = this.#messages ?? this.#takeHeartbeat()
      if (messages !== undefined) {
        if (messages === this.#messages) this.#messages = undefined
        this.#unreceivedSince = performance.now()
        this.#isHeartbeatDue = false
        this.#controller?.enqueue(messages)
        return
      }
      if (!this.#isReading) void this.#read()
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** Reads the next messages of the source. They are sent when the caller can receive them. */
  async #read(): Promise<void> {
    this.#isReading = true
    try {
      this.#messages = await this.#source.next(this.#aborter.signal)
      if (this.#messages === undefined) this.end('finished')
    } catch (error) {
      if (!this.#hasEnded) this.#options.log.warn({ err: error }, 'a stream of events failed')
      this.end('failed')
    }
    this.#isReading = false
    this.#wake()
  }

  #takeHeartbeat(): Uint8Array | undefined {
    if (!this.#isHeartbeatDue) return undefined
    const { position } = this.#source
    if (position === this.#reportedPosition) return HEARTBEAT
    this.#reportedPosition = position
    return Buffer.from(`:\nid: ${position}\n\n`)
  }

  /** Runs with every heartbeat, also while messages are sent. */
  async #check(): Promise<void> {
    const since = this.#unreceivedSince
    if (since !== undefined && performance.now() - since > this.#options.drainMs) return this.#cut('slow')
    this.#isHeartbeatDue = true
    this.#wake()
    // While the database does not respond, the stream has nothing to send. The next heartbeat checks again.
    const isAuthorized = await this.#source.isAuthorized().catch(() => true)
    if (!isAuthorized) {
      if (this.#unreceivedSince === undefined) this.end('unauthorized')
      else this.#cut('unauthorized')
    }
  }

  /** Ends the stream of a caller who does not receive it. */
  #cut(reason: StreamEnd): void {
    if (!this.#finish(reason)) return
    this.#controller?.close()
    this.#options.disconnect()
  }

  #finish(reason: StreamEnd): boolean {
    if (this.#hasEnded) return false
    this.#hasEnded = true
    clearInterval(this.#timer)
    this.#aborter.abort()
    this.#wake()
    this.#source.onEnd(reason)
    return true
  }
}

const HEARTBEAT = Buffer.from(':\n\n')
