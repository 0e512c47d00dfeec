import type { Tenant } from '../../../database/tenant.ts'
import { listEventsAfter, toGatewayEvent } from '../events-store.ts'
import { Batch, type TypeFilter } from './batch.ts'
import type { ReadSlots } from './read-slots.ts'

/** The most events that one read returns. */
const BATCH_SIZE = 500
/**
 * The most bytes of data that one read returns, apart from its last event. A slow reader keeps one batch in
 * memory.
 */
const BATCH_BYTES = 131_072
/** The most bytes of new events that are kept for readers of a project that are a little behind. */
const TAIL_BYTES = 1_048_576

/**
 * The feed does not have the place of a stream: its events were deleted, or the database was restored from an
 * earlier state.
 */
export class PlaceLostError extends Error {
  override readonly name = 'PlaceLostError'
}

/**
 * Reads the feed of one project for all of its streams in this process. Streams that have received everything
 * wait for one shared read of the new events (the tail). A stream that is further behind reads older events,
 * one project's reads in turn.
 */
export class ProjectFeed {
  readonly #tenant: Tenant
  readonly #slots: ReadSlots
  /** Consecutive batches. Empty if `#tailStart` and `#tailEnd` are equal. */
  #tail: Batch[] = []
  #tailStart: number
  #tailEnd: number
  /** Whether events after the tail may exist. */
  #isStale = true
  #tailRead: Promise<void> | undefined
  #olderRead: Promise<unknown> = Promise.resolve()
  /** Reads of older events in progress. Streams that were cut together resume together. */
  readonly #olderReads = new Map<string, Promise<Batch>>()
  readonly #waiting = new Set<() => void>()

  /** @param newest The place from which on events are shared. */
  constructor(tenant: Tenant, slots: ReadSlots, newest: number) {
    this.#tenant = tenant
    this.#slots = slots
    this.#tailStart = newest
    this.#tailEnd = newest
  }

  /** The number of the newest event that was read. */
  get newest(): number {
    return this.#tailEnd
  }

  /** Announces that there may be new events. */
  wake(): void {
    this.#isStale = true
    this.#wakeWaiting()
  }

  #wakeWaiting(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const resolve of waiting) resolve()
  }

  /**
   * Returns the events after a place, which may begin before it. Waits until there are some. A batch may
   * contain no event that matches the filter. Rejects with `PlaceLostError`, or with the signal's reason.
   */
  async read(position: number, filter: TypeFilter, signal: AbortSignal): Promise<Batch> {
    for (;;) {
      signal.throwIfAborted()
      if (position > this.#tailEnd) this.#restartTail(position)
      if (position < this.#tailStart) {
        const batch = await this.#shareOlder(position, filter)
        if (batch.upTo > position) return batch
        // The tail is ahead of the feed, whose database was restored from an earlier state.
        this.#restartTail(position)
      }
      if (position < this.#tailEnd) return this.#findInTail(position)
      if (this.#isStale) await this.#shareTailRead()
      else await this.#waitForNews(signal)
    }
  }

  /** The tail begins anew at a place that one stream has reached and the shared reads have not. */
  #restartTail(position: number): void {
    this.#tail = []
    this.#tailStart = position
    this.#tailEnd = position
    // Streams that wait at the former end are behind now.
    this.wake()
  }

  #findInTail(position: number): Batch {
    const batch = this.#tail.find(({ upTo }) => position < upTo)
    if (batch === undefined) throw new Error('The tail has a gap')
    return batch
  }

  async #shareTailRead(): Promise<void> {
    this.#tailRead ??= this.#readTail().finally(() => {
      this.#tailRead = undefined
    })
    await this.#tailRead
  }

  async #readTail(): Promise<void> {
    // Events that are announced during the read may not be part of it.
    this.#isStale = false
    const after = this.#tailEnd
    try {
      const { batch, hasMore } = await this.#readAfter(after, undefined)
      if (after !== this.#tailEnd || hasMore) this.#isStale = true
      if (after === this.#tailEnd && batch.upTo > after) this.#addToTail(batch)
    } catch (error) {
      this.#isStale = true
      throw error
    }
  }

  #addToTail(batch: Batch): void {
    this.#tail.push(batch)
    this.#tailEnd = batch.upTo
    let bytes = this.#tail.reduce((sum, { size }) => sum + size, 0)
    while (bytes > TAIL_BYTES && this.#tail.length > 1) {
      const oldest = this.#tail.shift()
      bytes -= oldest?.size ?? 0
    }
    this.#tailStart = this.#tail[0]?.after ?? this.#tailEnd
    // Streams that have arrived at the end during the read wait too.
    this.#wakeWaiting()
  }

  async #shareOlder(position: number, filter: TypeFilter): Promise<Batch> {
    const key = `${position}/${filter.key}`
    const running = this.#olderReads.get(key)
    if (running !== undefined) return await running
    // One after the other, so that a project with many streams that are behind does not take all connections.
    const turn = this.#olderRead
    const read = turn.then(async () => (await this.#readAfter(position, filter.types)).batch)
    this.#olderRead = read.catch(() => {})
    this.#olderReads.set(key, read)
    try {
      return await read
    } finally {
      this.#olderReads.delete(key)
    }
  }

  async #readAfter(
    after: number,
    types: readonly string[] | undefined,
  ): Promise<{ batch: Batch; hasMore: boolean }> {
    const query = { after, types, limit: BATCH_SIZE, maxBytes: BATCH_BYTES }
    const { rows, oldest, newest, next } = await this.#slots.run(() => listEventsAfter(this.#tenant, query))
    if (after < oldest - 1 || after > newest) throw new PlaceLostError('The feed does not have this place')
    return { batch: new Batch(after, next, rows.map(toGatewayEvent)), hasMore: next < newest }
  }

  #waitForNews(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const wake = () => {
        signal.removeEventListener('abort', abort)
        resolve()
      }
      const abort = () => {
        this.#waiting.delete(wake)
        reject(signal.reason)
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', abort, { once: true })
    })
  }
}
