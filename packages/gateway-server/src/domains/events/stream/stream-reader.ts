import type { TypeFilter } from './batch.ts'
import type { MessageSource, StreamEnd } from './event-stream.ts'
import { PlaceLostError, type ProjectFeed } from './project-feed.ts'

export interface StreamReaderOptions {
  readonly feed: ProjectFeed
  readonly after: number
  readonly filter: TypeFilter
  isAuthorized(): Promise<boolean>
  onEnd(reason: StreamEnd): void
}

/** The place of one stream in the feed of its project. */
export class StreamReader implements MessageSource {
  #position: number
  /** The place after the messages that were returned last. */
  #next: number
  readonly #options: StreamReaderOptions

  constructor(options: StreamReaderOptions) {
    this.#options = options
    this.#position = options.after
    this.#next = options.after
  }

  get position(): number {
    return this.#position
  }

  async next(signal: AbortSignal): Promise<Uint8Array | undefined> {
    const { feed, filter } = this.#options
    this.#position = this.#next
    try {
      for (;;) {
        const batch = await feed.read(this.#position, filter, signal)
        const messages = batch.getMessages(this.#position, filter)
        this.#next = batch.upTo
        if (messages.length > 0) return messages
        this.#position = this.#next
      }
    } catch (error) {
      // The client's next call reports why.
      if (error instanceof PlaceLostError) return undefined
      throw error
    }
  }

  isAuthorized(): Promise<boolean> {
    return this.#options.isAuthorized()
  }

  onEnd(reason: StreamEnd): void {
    this.#options.onEnd(reason)
  }
}
