import type { GatewayClient } from '@mintmark/operation'
import { createGateway } from '@mintmark/transport'
import { sql } from 'kysely'
import { eventSources } from '../composition.ts'
import { EVENTS_CHANNEL, sequenceAllChanges } from '../domains/events/sequencer.ts'
import { TEST_URL, type TestGateway, type TestKey } from './gateway.ts'

/** Numbers all changes that wait, as the gateway's job does. */
export async function sequenceEvents(gateway: TestGateway): Promise<void> {
  const log = {
    error: (fields: { err?: unknown }) => {
      throw fields.err
    },
  }
  await sequenceAllChanges({ db: gateway.owner.system, sources: eventSources, publicUrl: TEST_URL, log })
}

/** The type of the events of `addEvents`. */
export const ADDED_TYPE = 'card.created'

/** Adds events to the feed of a project as the sequencer does, without the changes that cause them. */
export async function addEvents(
  gateway: TestGateway,
  project: number,
  count: number,
  { type = ADDED_TYPE, bytes = 10, notify = true } = {},
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

/** The real client with a key, calling a gateway that listens at `url`. Signatures are those of the server's public URL. */
export function createStreamClient(url: string, key: TestKey): GatewayClient {
  return createGateway({ baseUrl: url, credentials: { apiKey: key.apiKey, secret: key.secret } })
}
