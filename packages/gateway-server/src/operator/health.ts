import type { ServerHealth } from '@mintmark/admin'
import { type Chain, readNodeStates, toNodesHealth } from '@mintmark/evm-reader'
import { LISTED_SESSIONS, listBlockedSessions } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Db } from '../database/tables.ts'
import { listProblems } from '../domains/events/problems.ts'
import { listSharedPayments } from '../domains/orders/payments/shared-payments.ts'
import { listDisabledWebhooks } from '../domains/webhooks/disabled-webhooks.ts'
import { readOldestDue } from '../domains/webhooks/gauges.ts'
import { type ChainLag, listLags } from '../indexer/blocks/cursor-store.ts'
import { version } from '../version.ts'
import type { OperatorPort } from './operator-port.ts'

const LISTED_PROBLEMS = 100
const SHARED_PAYMENT_DAYS = 7

/** Reads how the server and what it depends on are. Chains are read concurrently, each once. */
export async function readHealth(port: OperatorPort): Promise<ServerHealth> {
  const { db, chains, listJobs } = port
  const databaseMs = await measure(() => sql`select 1`.execute(db))
  const lags = await listLags(db)
  const unreadable = port.listUnreadableBlocks()
  const [chainHealth, problems, oldestUnreported, oldestDue, waiting] = await Promise.all([
    Promise.all(chains.all.map((chain) => readChainHealth(chain, lags, unreadable))),
    listProblems(db, LISTED_PROBLEMS),
    readOldestUnreported(db),
    readOldestDue(db),
    readWaiting(db),
  ])
  return {
    version,
    time: new Date().toISOString(),
    databaseMs,
    chains: chainHealth,
    jobs: listJobs().map(({ name, everyMs, succeededAt, problem }) => ({
      name,
      everyMs,
      problem,
      ...(succeededAt !== undefined && { succeedTime: new Date(succeededAt).toISOString() }),
    })),
    oldestUnreportedSeconds: Math.round(oldestUnreported),
    oldestDueDeliverySeconds: Math.round(oldestDue),
    unreported: problems.map(({ changedAt, ...problem }) => ({
      ...problem,
      changeTime: changedAt.toISOString(),
    })),
    ...waiting,
  }
}

/** Reads what waits for a person, in all projects. */
async function readWaiting(
  db: Db,
): Promise<Pick<ServerHealth, 'disabledWebhooks' | 'sharedPayments' | 'blockedSessions'>> {
  const [disabledWebhooks, sharedPayments, blockedSessions] = await Promise.all([
    listDisabledWebhooks(db, LISTED_PROBLEMS),
    listSharedPayments(db, { days: SHARED_PAYMENT_DAYS, limit: LISTED_PROBLEMS }),
    listBlockedSessions(db, LISTED_SESSIONS),
  ])
  return { disabledWebhooks, sharedPayments, blockedSessions }
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return Math.round(performance.now() - started)
}

async function readChainHealth(
  chain: Chain,
  lags: readonly ChainLag[],
  unreadable: ReadonlyMap<string, number>,
): Promise<ServerHealth['chains'][number]> {
  const chainId = String(chain.id)
  const lag = lags.find((each) => each.chainId === chainId)
  const unreadableBlock = unreadable.get(chainId)
  return {
    chainId,
    ...toNodesHealth(await readNodeStates(chain)),
    ...(lag !== undefined && { lagBlocks: Math.round(lag.blocks), lagSeconds: Math.round(lag.seconds) }),
    ...(unreadableBlock !== undefined && { unreadableBlock }),
  }
}

async function readOldestUnreported(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(max(extract(epoch from clock_timestamp() - changed_at)), 0)::float8 as seconds
    from gateway.first_unreported_changes()`.execute(db)
  return rows[0]?.seconds ?? 0
}
