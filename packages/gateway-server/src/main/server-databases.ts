import { type Logger, Replica, type Tracing } from '@mintmark/server-kit'
import { openGatewayDatabase } from '../database/database.ts'
import { ROLE } from '../database/migrations.ts'
import type { Configuration } from './configuration.ts'

/** Opening a connection to a replica that does not respond must not delay a call for long. */
const REPLICA_CONNECT_TIMEOUT_MS = 2000
/** How long a job waits behind a lock. Its next run repeats what it could not do. */
const JOB_LOCK_TIMEOUT_MS = 10_000

/** Attempts use a connection for a moment before and after their request. */
const WEBHOOK_CONNECTIONS = 5
const MAINTENANCE_CONNECTIONS = 1
const INDEXER_CONNECTIONS = 2
const EVENT_CONNECTIONS = 1
const PEOPLE_CONNECTIONS = 3

/**
 * The connections of a process in addition to DATABASE_CONNECTIONS. The last two are for short reads and for
 * streams of events.
 */
export const OTHER_CONNECTIONS =
  WEBHOOK_CONNECTIONS +
  MAINTENANCE_CONNECTIONS +
  INDEXER_CONNECTIONS +
  EVENT_CONNECTIONS +
  PEOPLE_CONNECTIONS +
  2

/**
 * Opens the connections for calls, which use the servers' role, and those of the schema's owner: only the
 * owner may create partitions, and the indexer writes rows of all projects. The owner's statements may take
 * longer than a call, so they have no statement timeout, but do not wait behind a lock for long. No
 * connection may stay idle within a transaction.
 */
export function openDatabases(
  url: string,
  {
    connections,
    timeouts,
    readDatabaseUrl,
  }: Pick<Configuration, 'connections' | 'timeouts' | 'readDatabaseUrl'>,
  log: Pick<Logger, 'info' | 'warn'>,
  tracing?: Tracing,
) {
  const { idleInTransactionTimeoutMs } = timeouts
  const callOptions = {
    role: ROLE,
    max: connections,
    applicationName: 'mintmark-gateway',
    log,
    tracing,
    ...timeouts,
  }
  const calls = openGatewayDatabase({ url, ...callOptions })
  const replica = readDatabaseUrl === undefined ? undefined : openReplica(readDatabaseUrl)
  function openReplica(replicaUrl: string) {
    const standby = openGatewayDatabase({
      url: replicaUrl,
      acceptsStandby: true,
      connectTimeoutMs: REPLICA_CONNECT_TIMEOUT_MS,
      ...callOptions,
    })
    return new Replica({ primary: calls, replica: standby, timeoutMs: timeouts.statementTimeoutMs, log })
  }
  const openForOwner = (purpose: string, max: number) =>
    openGatewayDatabase({
      url,
      max,
      idleInTransactionTimeoutMs,
      lockTimeoutMs: JOB_LOCK_TIMEOUT_MS,
      applicationName: `mintmark-gateway-${purpose}`,
      tracing,
    })
  const maintenance = openForOwner('maintenance', MAINTENANCE_CONNECTIONS)
  const indexer = openForOwner('indexer', INDEXER_CONNECTIONS)
  const events = openForOwner('events', EVENT_CONNECTIONS)
  const webhooks = openForOwner('webhooks', WEBHOOK_CONNECTIONS)
  const people = openForOwner('people', PEOPLE_CONNECTIONS)
  return {
    calls,
    replica,
    maintenance,
    indexer,
    events,
    webhooks,
    people,
    async close() {
      await replica?.close()
      await calls.close()
      await people.close()
      await webhooks.close()
      await events.close()
      await indexer.close()
      await maintenance.close()
    },
  }
}
export type Databases = ReturnType<typeof openDatabases>
