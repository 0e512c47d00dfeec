import { setTimeout as pause } from 'node:timers/promises'
import { checkWritable, connectClient, type Logger, MAX_LIFETIME_MS } from '@mintmark/server-kit'
import type pg from 'pg'
import { EVENTS_CHANNEL } from '../sequencer.ts'

/** The number of each project's newest event. */
export type NewestByProject = ReadonlyMap<number, number>

/** What has streams in this process. */
export interface ListeningFeeds {
  /** Announces that projects may have new events. */
  wake(projects: readonly number[]): void
  /** The newest events that this process has read of the projects with streams. */
  listNewest(): NewestByProject
  /** Compares the newest events of the database with those that this process had read before. */
  compare(known: NewestByProject, stored: NewestByProject): void
}

export interface EventListenerOptions {
  /** The connection string of the schema's owner, who sees the feeds of all projects. */
  readonly url: string
  readonly feeds: ListeningFeeds
  readonly log: Pick<Logger, 'warn'>
  /** How often the database is searched for events whose notification was lost. Default 2,000. */
  readonly pollMs?: number | undefined
  /** How long a connection is used, in milliseconds. Default 300,000. */
  readonly maxLifetimeMs?: number
}

const DEFAULT_POLL_MS = 2000
/** How long connecting and a search may take. */
const TIMEOUT_MS = 10_000
/** The longest pause before a lost connection is opened again. */
const MAX_RECONNECT_MS = 1000

export interface EventListener {
  /** Resolves when the first connection listens. */
  readonly ready: Promise<void>
  stop(): Promise<void>
}

/**
 * Listens for new events on one connection for all streams of this process, and opens it again when it
 * breaks, its server becomes read-only, or its lifetime ends. It also searches regularly, because a notification can be lost: with a connection, or in a pool of
 * connections that does not support LISTEN.
 */
export function startEventListener(options: EventListenerOptions): EventListener {
  const stopping = new AbortController()
  const { promise: ready, resolve: markReady } = Promise.withResolvers<void>()
  const loop = async () => {
    while (!stopping.signal.aborted) {
      try {
        await listenUntilBroken(options, stopping.signal, markReady)
      } catch (error) {
        if (stopping.signal.aborted) return
        options.log.warn({ err: error }, 'the connection that listens for events broke')
        await pause(Math.random() * MAX_RECONNECT_MS, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
  }
  const done = loop()
  return {
    ready,
    async stop() {
      stopping.abort()
      await done
    },
  }
}

/**
 * Listens on one connection. Rejects when it breaks or its server accepts no writes, and resolves when the
 * signal is aborted or the lifetime ends.
 */
async function listenUntilBroken(
  { url, feeds, log, pollMs = DEFAULT_POLL_MS, maxLifetimeMs = MAX_LIFETIME_MS }: EventListenerOptions,
  stopping: AbortSignal,
  markReady: () => void,
): Promise<void> {
  const broken = new AbortController()
  const client = await connectClient(url, {
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    application_name: 'mintmark-gateway-listener',
  })
  client.on('error', (error) => broken.abort(error))
  client.on('end', () => broken.abort(new Error('The connection ended')))
  client.on('notification', ({ payload }) => {
    const projects = parseProjects(payload)
    if (projects === undefined) log.warn('a notification of events does not contain a list of projects')
    else feeds.wake(projects)
  })
  const signal = AbortSignal.any([broken.signal, stopping])
  const endsAt = performance.now() + maxLifetimeMs
  try {
    await client.query(`listen ${EVENTS_CHANNEL}`)
    while (!signal.aborted && performance.now() < endsAt) {
      await checkWritable(client)
      await search(client, feeds)
      markReady()
      // Rejects when the signal is aborted, for either reason.
      await pause(pollMs, undefined, { signal }).catch(() => {})
    }
  } finally {
    // A dead connection may never end.
    const ended = client.end().catch(() => {})
    if (stopping.aborted) await ended
  }
  if (broken.signal.aborted && !stopping.aborted) throw broken.signal.reason
}

/** Compares the newest events of the projects with streams. It also notices that the connection is dead. */
async function search(client: pg.Client, feeds: ListeningFeeds): Promise<void> {
  const known = feeds.listNewest()
  const { rows } = await client.query<{ project: string; newest: string }>(
    'select project_id as project, newest from gateway.event_counts where project_id = any ($1)',
    [[...known.keys()]],
  )
  feeds.compare(known, new Map(rows.map(({ project, newest }) => [Number(project), Number(newest)])))
}

/** Returns the ids of projects in a payload. Every user of the database can send one. */
function parseProjects(payload: string | undefined): number[] | undefined {
  try {
    const projects: unknown = JSON.parse(payload ?? '')
    return Array.isArray(projects) ? projects.filter((id) => typeof id === 'number') : undefined
  } catch {
    return undefined
  }
}
