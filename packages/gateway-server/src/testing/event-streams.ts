import type { GatewayClient } from '@mintmark/operation'
import { createGateway } from '@mintmark/transport'
import { sql } from 'kysely'
import type { EventSource } from '../database/event-source.ts'
import { addAuditEntries } from '../domains/audit/add-entries.ts'
import { EVENTS_CHANNEL, type SequencerOptions, sequenceAllChanges } from '../domains/events/sequencer.ts'
import { addTotals, eventSources } from '../main/composition.ts'
import { TEST_URL, type TestGateway, type TestKey } from './gateway.ts'

/**
 * Numbers all changes that wait, as the gateway's job does. A change that cannot be reported is an error, unless
 * there is another log.
 */
export async function sequenceEvents(
  { owner }: Pick<TestGateway, 'owner'>,
  options: Partial<SequencerOptions> = {},
): Promise<void> {
  const log = {
    error: (fields: { err?: unknown }) => {
      throw fields.err
    },
  }
  const shared = { db: owner.system, sources: eventSources, publicUrl: TEST_URL, log }
  await sequenceAllChanges({ ...shared, addAuditEntries, addTotals, ...options })
}

/** Numbers changes like `sequenceEvents`. A change that cannot be reported is left, as in production. */
export async function recordAudit(
  gateway: Pick<TestGateway, 'owner'>,
  sources: readonly EventSource[] = eventSources,
): Promise<void> {
  await sequenceEvents(gateway, { sources, log: { error: () => {} } })
}

/** Adds events to the feed of a project as the sequencer does, without the changes that cause them. */
export async function addEvents(
  gateway: TestGateway,
  project: number,
  count: number,
  { type = 'card.created', bytes = 10, notify = true } = {},
): Promise<void> {
  await gateway.owner.system.transaction().execute(async (trx) => {
    await sql`
      with counted as (
        insert into gateway.event_counts as e (project_id, newest) values (${project}, ${count}::bigint)
        on conflict (project_id) do update set newest = e.newest + excluded.newest returning newest
      )
      insert into gateway.events (project_id, sequence, type, subject, occurred_at, data)
      select ${project}, counted.newest - ${count}::bigint + n, ${type}, 'card/' || n, clock_timestamp(),
        json_build_object('text', repeat('ä', ${bytes}::int / 2))
      from counted, generate_series(1, ${count}::int) n`.execute(trx)
    if (notify) await sql`select pg_notify(${EVENTS_CHANNEL}, ${JSON.stringify([project])})`.execute(trx)
  })
}

/**
 * The real client with a key, calling a gateway that listens at `url`.
 *
 * @param route Replaces the address of a call.
 */
export function createStreamClient(
  url: string,
  { apiKey, secret }: Pick<TestKey, 'apiKey' | 'secret'>,
  route = (address: string) => address,
): GatewayClient {
  return createGateway({
    baseUrl: url,
    credentials: { apiKey, secret },
    fetch: (address, init) => fetch(route(address), init),
  })
}

const STREAM_PATH = '/api/v1/events/stream'

export interface RawStream {
  readonly response: Response
  /** Reads until the text contains a part. Returns all of the text so far. */
  readUntil(part: string): Promise<string>
  /** Reads to the end of the stream. Returns all of the text. */
  readAll(): Promise<string>
  /** Closes the connection. */
  close(): void
}

export interface RawStreamOptions {
  readonly query?: string
  readonly headers?: Record<string, string>
}

/** Opens a stream at a server without our client. */
export async function openRawStream(
  url: string,
  key: TestKey,
  { query = '', headers = {} }: RawStreamOptions = {},
): Promise<RawStream> {
  const signed = key.request({ path: STREAM_PATH, query, headers })
  const aborter = new AbortController()
  const response = await fetch(`${url}${STREAM_PATH}${query && `?${query}`}`, {
    headers: signed.headers,
    signal: aborter.signal,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const readMore = async () => {
    const { value } = (await reader?.read()) ?? {}
    if (value === undefined) return false
    text += value
    return true
  }
  return {
    response,
    async readUntil(part) {
      while (!text.includes(part)) {
        if (!(await readMore())) throw new Error(`The stream ended: ${text}`)
      }
      return text
    },
    async readAll() {
      while (await readMore());
      return text
    },
    close: () => aborter.abort(),
  }
}

/** Returns the ids in the text of a stream. */
export function listIds(text: string): number[] {
  return [...text.matchAll(/^id: (\d+)\ndata/gm)].map(([, id]) => Number(id))
}
