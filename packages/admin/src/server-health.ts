import { Id, Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import { DECISION_REFUSED } from './rules.ts'

const nodeHealth = record({
  /** The number of the node's newest block; absent if the node does not respond. */
  newestBlock: v.optional(Integer),
  /** How long the node took to respond, in milliseconds. */
  responseMs: Integer,
  /** Why the node did not return its newest block; `''` if it did. */
  problem: v.string(),
})

const chainHealth = record({
  /** The chain's id. */
  chainId: v.string(),
  /** The number of the newest block; absent if the chain cannot be read. */
  newestBlock: v.optional(Integer),
  /** How long the node with the newest block took to respond, in milliseconds. */
  responseMs: Integer,
  /** Why the chain cannot be read; `''` if it can. */
  problem: v.string(),
  /** The nodes of the chain, in the order of the settings. */
  nodes: v.array(nodeHealth),
  /** The blocks that the indexer has not read; absent if nothing of the chain is indexed. */
  lagBlocks: v.optional(Integer),
  /** The seconds since the indexer had read all blocks; absent if nothing of the chain is indexed. */
  lagSeconds: v.optional(Integer),
  /**
   * The block at which the indexer of this process cannot continue, because no node returns its logs; absent
   * if there is none.
   */
  unreadableBlock: v.optional(Integer),
})

const jobHealth = record({
  /** The job's name. */
  name: v.string(),
  /** The pause between its runs, in milliseconds. */
  everyMs: Integer,
  /** When its last successful run ended; absent before the first one. */
  succeedTime: v.optional(Timestamp),
  /** Why the last run failed; `''` if it succeeded. */
  problem: v.string(),
})

const unreported = record({
  /** The change's id. */
  change: Integer,
  /** The project's id. */
  projectId: Integer,
  /** The table's name. */
  table: v.string(),
  /** What identifies the row in its table. */
  row: v.string(),
  /** When the row was changed. */
  changeTime: Timestamp,
  /** Why the change could not be reported as an event. */
  problem: v.string(),
})

const disabledWebhook = record({
  /** The project's id. */
  projectId: Integer,
  /** The webhook's id. */
  webhookId: Integer,
  /** The receiver's address. */
  url: v.string(),
  /** When the receiver began to fail. */
  failingSince: v.optional(Timestamp),
  /** Why the newest failed attempt failed; `''` if none of the newest 5,000 deliveries has one. */
  problem: v.string(),
  /** How many of the newest 1,000 deliveries failed. */
  failedDeliveries: Integer,
})

const sharedPaymentOrder = record({
  /** The project's id. */
  projectId: Integer,
  /** The order's number. */
  orderNo: v.string(),
})

const sharedPayment = record({
  /** The chain's id. */
  chainId: v.string(),
  /** The transaction's hash. */
  hash: v.string(),
  /** When the newest of the orders counted it. */
  countTime: Timestamp,
  /** The orders that count it, in the order in which they did. */
  orders: v.array(sharedPaymentOrder),
})

const blockingSession = record({
  /** The process id of the session in the database. */
  sessionId: Integer,
  /** The program that opened the session, such as `mintmark-gateway`; `''` if it has no name. */
  program: v.string(),
  /** What the session does, such as `idle in transaction`; `''` if it cannot be read. */
  state: v.string(),
  /** The seconds since its transaction began; absent if it has none. */
  transactionSeconds: v.optional(Integer),
  /** The beginning of its newest statement; `''` for a session of another program. */
  statement: v.string(),
  /** The database role that opened the session; `''` for a process of the database itself. */
  databaseRole: v.string(),
  /** When the session began, which `endSession` requires; absent if it cannot be read. */
  startTime: v.optional(Timestamp),
  /**
   * Whether `endSession` can end the session: it is one of the server's own database, and the server's
   * database role may end it.
   */
  isEndable: v.boolean(),
})

const blockedSession = record({
  /** The process id of the session in the database. */
  sessionId: Integer,
  /** The program that opened the session, such as `mintmark-gateway`; `''` if it has no name. */
  program: v.string(),
  /** The seconds for which it has waited for the lock. */
  waitingSeconds: Integer,
  /** The beginning of the statement that waits; `''` for a session of another program. */
  statement: v.string(),
  /** The sessions that have the lock, or wait for it before this one. */
  blockers: v.array(blockingSession),
})

const serverHealth = record({
  /** The server's version. */
  version: v.string(),
  /** The server's time. */
  time: Timestamp,
  /** How long the database took to respond, in milliseconds. */
  databaseMs: Integer,
  /** The configured chains. */
  chains: v.array(chainHealth),
  /** The jobs of the process that responded. */
  jobs: v.array(jobHealth),
  /** The age of the oldest change that waits to be reported as an event, in seconds; 0 for none. */
  oldestUnreportedSeconds: Integer,
  /** How late the oldest due delivery of a webhook is, in seconds; 0 for none. */
  oldestDueDeliverySeconds: Integer,
  /** The oldest 100 changes that could not be reported as events. */
  unreported: v.array(unreported),
  /** The 100 webhooks that were disabled most recently because their receivers failed for too long. */
  disabledWebhooks: v.array(disabledWebhook),
  /** The newest 100 payments that orders of several projects counted within the last seven days. */
  sharedPayments: v.array(sharedPayment),
  /** The 20 sessions of the database that have waited longest for a lock, for at least a second. */
  blockedSessions: v.array(blockedSession),
})
/** How a server and what it depends on are. */
export interface ServerHealth extends v.InferOutput<typeof serverHealth> {}
export const ServerHealth: Schema<ServerHealth> = serverHealth

/**
 * Reports how the server, its database, chains and jobs are. It reads each chain once.
 *
 * @example
 * const { chains } = await serverHealth.get(gateway)
 */
export const get = gatewayOperation({
  id: 'serverHealth.get',
  method: 'GET',
  path: '/admin/v1/operator/health',
  source: 'own',
  scope: 'operator:read',
  data: ServerHealth,
})

const retriedChanges = record({
  /** The number of changes that wait again. */
  retried: Integer,
})
/** The result of a retry. */
export interface RetriedChanges extends v.InferOutput<typeof retriedChanges> {}
export const RetriedChanges: Schema<RetriedChanges> = retriedChanges

/**
 * Lets the server report changes again that could not be reported as events: all of them, or those of a
 * project. Call it when the cause is removed.
 *
 * @example
 * const { retried } = await serverHealth.retryUnreported(gateway, { projectId: 1 })
 */
export const retryUnreported = gatewayOperation({
  id: 'serverHealth.retryUnreported',
  method: 'POST',
  path: '/admin/v1/operator/health/retryUnreported',
  source: 'own',
  scope: 'operator:write',
  idempotent: true,
  body: {
    /** Only changes of this project. Default: all projects. */
    projectId: v.optional(Id),
  },
  data: RetriedChanges,
})
export type RetryUnreportedInput = InputOf<typeof retryUnreported>

const endedSession = record({
  /** The process id of the session in the database. */
  sessionId: Integer,
  /** The program that opened the session; `''` if it has no name. */
  program: v.string(),
  /** Whether it ended within five seconds. Otherwise the database ends it as soon as it can. */
  hasEnded: v.boolean(),
})
/** A session of the database that was ended. */
export interface EndedSession extends v.InferOutput<typeof endedSession> {}
export const EndedSession: Schema<EndedSession> = endedSession

/**
 * Ends a session of the server's database for which other sessions wait, as `blockedSessions` lists it. Its
 * transaction is rolled back. Whether it blocks others is decided at the moment of the call.
 * `DECISION_REFUSED` if it does not, or if the server's database role may not end it: the message says which
 * rights are missing.
 *
 * @example
 * const { blockedSessions } = await serverHealth.get(gateway)
 * for (const { sessionId, startTime, isEndable } of blockedSessions.flatMap(({ blockers }) => blockers))
 *   if (isEndable && startTime !== undefined) await serverHealth.endSession(gateway, { sessionId, startTime })
 */
export const endSession = gatewayOperation({
  id: 'serverHealth.endSession',
  method: 'POST',
  path: '/admin/v1/operator/health/endSession',
  source: 'own',
  scope: 'operator:write',
  body: {
    /** The process id of the session in the database. */
    sessionId: Id,
    /** When the session began, as `blockedSessions` has it: the database uses process ids again. */
    startTime: Timestamp,
  },
  data: EndedSession,
  errors: [DECISION_REFUSED],
})
export type EndSessionInput = InputOf<typeof endSession>
