import { setTimeout as pause } from 'node:timers/promises'
import { connectClient } from '../postgres/index.ts'
import { isStandbyOf, MAX_LAG_MS, READ_STATE, type ServerState } from '../postgres/replica.ts'
import { type Check, defineCheck, warnIf } from './check.ts'

const OPTIONS = {
  connectionTimeoutMillis: 5000,
  query_timeout: 5000,
  application_name: 'mintmark-doctor',
  acceptsStandby: true,
}
const REPEAT_MS = 100

async function readState(url: string): Promise<ServerState> {
  const client = await connectClient(url, OPTIONS)
  try {
    const { rows } = await client.query<ServerState>(READ_STATE)
    const [state] = rows
    if (state === undefined) throw new Error('PostgreSQL did not return its state')
    return state
  } finally {
    await client.end()
  }
}

/** Creates the check that a replica is a standby of the database, and has its changes soon. */
export const createReplicaCheck = (databaseUrl: string, replicaUrl: string): Check =>
  defineCheck({
    area: 'database',
    name: 'READ_DATABASE_URL',
    async read() {
      const primary = await readState(databaseUrl)
      const startedAt = performance.now()
      let replica = await readState(replicaUrl)
      while (replica.bytes < primary.bytes && performance.now() - startedAt < MAX_LAG_MS) {
        await pause(REPEAT_MS)
        replica = await readState(replicaUrl)
      }
      return [{ primary, replica }]
    },
    problems({ primary, replica }) {
      const isStandby = isStandbyOf(replica, primary)
      return [
        warnIf(!isStandby)`READ_DATABASE_URL leads to no standby of DATABASE_URL, so nothing is read from it
          Set READ_DATABASE_URL to a standby by streaming replication, with the name of the same database`,
        warnIf(isStandby && replica.bytes < primary.bytes)`
          The standby of READ_DATABASE_URL is more than ${MAX_LAG_MS / 1000} seconds behind, so nothing is read from it
          Read pg_stat_replication on the primary, and recovery_min_apply_delay and pg_is_wal_replay_paused() on the standby`,
      ]
    },
    ok: () => 'READ_DATABASE_URL leads to a standby of DATABASE_URL, which has its changes',
  })
