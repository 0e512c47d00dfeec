import { sql } from 'kysely'
import { sequenceEvents } from '../event-streams.ts'
import type { TestGateway } from '../gateway.ts'

export interface RecordedEvent {
  readonly sequence: number
  readonly type: string
  readonly subject: string
  readonly data: unknown
}

/**
 * Runs work and returns the events of its changes, oldest first. A change that cannot be reported is an
 * error.
 */
export async function recordEvents(
  gateway: TestGateway,
  project: number,
  work: () => Promise<unknown>,
): Promise<RecordedEvent[]> {
  const earlier = await sequence(gateway, project)
  await work()
  await sequence(gateway, project)
  const { rows } = await sql<RecordedEvent>`
    select sequence, type, subject, data from gateway.events
    where project_id = ${project} and sequence > ${earlier} order by sequence`.execute(gateway.owner.system)
  return rows
}

/** Lists the types of events, each once, by name. */
export function listTypes(events: readonly RecordedEvent[]): string[] {
  return [...new Set(events.map(({ type }) => type))].sort()
}

/** Numbers all events and returns the newest number of the project. */
async function sequence(gateway: TestGateway, project: number): Promise<number> {
  await sequenceEvents(gateway)
  const { rows } = await sql<{ newest: number }>`
    select newest from gateway.event_counts where project_id = ${project}`.execute(gateway.owner.system)
  return rows[0]?.newest ?? 0
}
