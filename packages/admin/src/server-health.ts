import { Id, Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'

const chainHealth = record({
  /** The chain's id. */
  chainId: v.string(),
  /** The number of the newest block; absent if the chain cannot be read. */
  newestBlock: v.optional(Integer),
  /** How long the node took to respond, in milliseconds. */
  responseMs: Integer,
  /** Why the chain cannot be read; `''` if it can. */
  problem: v.string(),
  /** The blocks that the indexer has not read; absent if nothing of the chain is indexed. */
  lagBlocks: v.optional(Integer),
  /** The seconds since the indexer had read all blocks; absent if nothing of the chain is indexed. */
  lagSeconds: v.optional(Integer),
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
 * Lets the server report changes again that could not be reported as events: all of them, or those of a project. Call it when the cause is removed.
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
