import { HttpError, type Logger, type ServerMetrics } from '@mintmark/server-kit'
import type { Tenant } from '../../../database/tenant.ts'
import type { TypeFilter } from './batch.ts'
import { type ListeningFeeds, type NewestByProject, startEventListener } from './event-listener.ts'
import { EventStream, type EventStreamOptions, type StreamEnd } from './event-stream.ts'
import { ProjectFeed } from './project-feed.ts'
import { ReadSlots } from './read-slots.ts'
import { StreamReader } from './stream-reader.ts'

export interface EventStreamSettings {
  /** Most open streams of one project in this process. */
  readonly streamsPerProject: number
  /** Most open streams of this process. */
  readonly streams: number
  /** How often a silent stream sends a heartbeat, and the key of every stream is checked, in milliseconds. */
  readonly heartbeatMs: number
  /** How long a client may take to receive what was sent, in milliseconds. */
  readonly drainMs: number
}

export const DEFAULT_STREAM_SETTINGS: EventStreamSettings = {
  streamsPerProject: 50,
  streams: 500,
  heartbeatMs: 15_000,
  drainMs: 30_000,
}

export interface EventStreamsOptions {
  /** The connection string of the schema's owner. */
  readonly url: string
  readonly log: Logger
  readonly settings?: Partial<EventStreamSettings>
  /** How often the database is searched for events whose notification was lost, in milliseconds. */
  readonly pollMs?: number
}

export interface StreamRequest {
  /** Whether the key and the secret of the call are still valid. */
  isAuthorized(): Promise<boolean>
  disconnect(): void
  readonly tenant: Tenant
  /** The place to begin at. */
  readonly after: number
  /** The number of the project's newest event. */
  readonly newest: number
  /** Undefined: all types. */
  readonly types: readonly string[] | undefined
}

/** The most reads of streams at a time, so that calls always find a connection. */
const CONCURRENT_READS = 4

/** A project with open streams. */
interface ProjectStreams {
  readonly feed: ProjectFeed
  readonly open: Set<EventStream>
}

/**
 * The open streams of this process. Streams of one project share their reads, and all share the connection
 * that listens for events.
 */
export class EventStreams implements ListeningFeeds {
  readonly #settings: EventStreamSettings
  readonly #log: Logger
  readonly #slots = new ReadSlots(CONCURRENT_READS)
  readonly #projects = new Map<number, ProjectStreams>()
  readonly #listener: ReturnType<typeof startEventListener>
  #count = 0
  #isStopping = false

  constructor({ url, log, settings, pollMs }: EventStreamsOptions) {
    this.#settings = { ...DEFAULT_STREAM_SETTINGS, ...settings }
    this.#log = log
    this.#listener = startEventListener({ url, feeds: this, log, pollMs })
  }

  /** Resolves when this process listens for events. */
  get ready(): Promise<void> {
    return this.#listener.ready
  }

  /**
   * Opens a stream and returns the body of the response. Throws 429 when too many are open, and 503 when the
   * process stops.
   */
  open({
    tenant,
    after,
    newest,
    types,
    isAuthorized,
    disconnect,
  }: StreamRequest): ReadableStream<Uint8Array> {
    const { project } = tenant
    const existing = this.#projects.get(project)
    this.#checkLimits(existing)
    const streams = existing ?? {
      feed: new ProjectFeed(tenant, this.#slots, newest),
      open: new Set<EventStream>(),
    }
    const filter: TypeFilter = { key: types?.toSorted().join() ?? '*', types }
    const onEnd = (reason: StreamEnd) => this.#remove(project, streams, stream, reason)
    const reader = new StreamReader({ feed: streams.feed, after, filter, isAuthorized, onEnd })
    const { heartbeatMs, drainMs } = this.#settings
    const options: EventStreamOptions = { heartbeatMs, drainMs, disconnect, log: this.#log }
    const stream = new EventStream(reader, options)
    this.#projects.set(project, streams)
    streams.open.add(stream)
    this.#count += 1
    return stream.body
  }

  #checkLimits(existing: ProjectStreams | undefined): void {
    const { streamsPerProject, streams } = this.#settings
    if (this.#isStopping) {
      throw new HttpError(503, 'The server is stopping. Retry on another one', { retryAfter: 1 })
    }
    if (existing !== undefined && existing.open.size >= streamsPerProject) {
      const message = `The project has ${existing.open.size} open streams of events. Close one, or retry later`
      throw new HttpError(429, message, { retryAfter: RETRY_AFTER_SECONDS })
    }
    if (this.#count >= streams) {
      const message = 'The server has too many open streams of events. Retry later'
      throw new HttpError(429, message, { retryAfter: RETRY_AFTER_SECONDS })
    }
  }

  #remove(project: number, streams: ProjectStreams, stream: EventStream, reason: StreamEnd): void {
    streams.open.delete(stream)
    this.#count -= 1
    if (streams.open.size === 0) this.#projects.delete(project)
    this.#log.info({ project, reason }, 'a stream of events ended')
  }

  wake(projects: readonly number[]): void {
    for (const project of projects) this.#projects.get(project)?.feed.wake()
  }

  listNewest(): NewestByProject {
    return new Map([...this.#projects].map(([project, { feed }]) => [project, feed.newest]))
  }

  compare(known: NewestByProject, stored: NewestByProject): void {
    for (const [project, newest] of known) {
      // An older state of the database was restored if there are fewer events: reading ends the streams.
      if ((stored.get(project) ?? 0) !== newest) this.#projects.get(project)?.feed.wake()
    }
  }

  /** The number of open streams. */
  get count(): number {
    return this.#count
  }

  /** Ends all streams and refuses new ones. Clients resume at another process. */
  async close(): Promise<void> {
    this.#isStopping = true
    for (const { open } of [...this.#projects.values()]) {
      for (const stream of [...open]) stream.end('stopping')
    }
    await this.#listener.stop()
  }
}

const RETRY_AFTER_SECONDS = 5

/** Reports the streams of this process. */
export function addStreamGauges(metrics: ServerMetrics, streams: EventStreams): void {
  metrics.gauge('event_streams', 'Open streams of events', async () => streams.count)
}
