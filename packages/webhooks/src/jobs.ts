import type { Logger } from '@mintmark/server-kit'
import { grantUse, openDatabase } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type pg from 'pg'
import { type Db as JobDatabase, PgBoss } from 'pg-boss'
import type { Enqueue, WebhookSchema } from './schema.ts'

/**
 * A queue of deliveries and its limits. Webhooks that fail have a separate queue: a receiver that hangs
 * occupies a slot for the whole timeout, and deliveries to working receivers must not wait for it.
 */
export interface DeliveryQueue {
  readonly name: string
  /**
   * Attempts of this process that have a slot. An attempt returns its slot when it ends, or after `SLOT_MS`.
   */
  readonly concurrency: number
  /** Concurrent attempts of this process, with and without a slot. */
  readonly maxAttempts: number
  /** Concurrent attempts to one webhook, of all processes. */
  readonly concurrencyPerWebhook: number
}
export const deliveryQueues: { readonly steady: DeliveryQueue; readonly failing: DeliveryQueue } = {
  steady: { name: 'webhooks', concurrency: 64, maxAttempts: 512, concurrencyPerWebhook: 4 },
  failing: { name: 'webhooks-failing', concurrency: 32, maxAttempts: 128, concurrencyPerWebhook: 2 },
}

export interface JobTimes {
  /** Seconds after which an unfinished attempt counts as lost with its process. */
  readonly expireSeconds: number
  /** Seconds between two searches for lost attempts. */
  readonly superviseSeconds: number
}

/** Far above any real number of lost processes, so that a started attempt is never abandoned. */
const RETRY_LIMIT = 1_000_000
/**
 * An attempt that cannot be made, such as one whose secret no key opens, is repeated after a second, and then
 * less and less often. This is the longest pause.
 */
const MAX_RETRY_SECONDS = 60
/** How long an attempt waits for a server. */
const RETENTION_SECONDS = 365 * 24 * 3600
/** Completed jobs are not needed: the deliveries record the results. */
const DELETE_AFTER_SECONDS = 3600

/**
 * Migrates the schema of the job queue and grants its use to the server's role. The server's own schema must
 * be migrated first.
 *
 * @param url Connection string of the schema's owner.
 */
export async function migrateJobs(
  url: string,
  { jobSchema, role }: Pick<WebhookSchema, 'jobSchema' | 'role'>,
): Promise<void> {
  const database = openDatabase<unknown>({ url, max: 3, applicationName: `migrate ${jobSchema}` })
  try {
    await database.system.connection().execute(async (db) => {
      // Serializes migrations. The lock ends with the connection, which belongs to this call.
      await sql`select pg_advisory_lock(hashtextextended(${`migrate ${jobSchema}`}, 0))`.execute(db)
      const boss = new PgBoss({
        ...toBossOptions(database.pool, jobSchema),
        migrate: true,
        createSchema: true,
      })
      const failures: Error[] = []
      boss.on('error', (error) => failures.push(error))
      try {
        await boss.start()
        await provideQueues(boss)
      } finally {
        await boss.stop({ graceful: false, close: false })
      }
      await grantUse(db, jobSchema, role)
      if (failures.length > 0) throw new AggregateError(failures, 'The job queue could not be migrated')
    })
  } finally {
    await database.close()
  }
}

async function provideQueues(boss: PgBoss): Promise<void> {
  const options = {
    retryLimit: RETRY_LIMIT,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: MAX_RETRY_SECONDS,
    retentionSeconds: RETENTION_SECONDS,
    deleteAfterSeconds: DELETE_AFTER_SECONDS,
  }
  for (const { name } of Object.values(deliveryQueues)) {
    const existing = await boss.getQueue(name)
    if (existing === null) await boss.createQueue(name, options)
    else await boss.updateQueue(name, options)
  }
}

/** Opens the job queue for a server, without migrating it. */
export function openJobs(
  pool: pg.Pool,
  jobSchema: string,
  times: JobTimes,
  log: Pick<Logger, 'error' | 'warn'>,
): PgBoss {
  const boss = new PgBoss({
    ...toBossOptions(pool, jobSchema),
    migrate: false,
    supervise: true,
    superviseIntervalSeconds: times.superviseSeconds,
    monitorIntervalSeconds: times.superviseSeconds,
    maintenanceIntervalSeconds: 3600,
  })
  boss.on('error', (error) => log.error({ err: error }, 'The job queue failed'))
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'The job queue reported a warning'))
  return boss
}

/** Reads the statements with which the job queue adds jobs. Requires a started queue. */
export async function readEnqueue(boss: PgBoss, { expireSeconds }: JobTimes): Promise<Enqueue> {
  const [steady, failing] = await Promise.all([
    readInsertStatement(boss, deliveryQueues.steady),
    readInsertStatement(boss, deliveryQueues.failing),
  ])
  return { steady, failing, expireSeconds }
}

/** Lets the job queue insert a job into a database that only keeps the statement. */
async function readInsertStatement(boss: PgBoss, { name }: DeliveryQueue): Promise<string> {
  const statements: string[] = []
  const recorder: JobDatabase = {
    async executeSql(text) {
      statements.push(text)
      return { rows: [] }
    },
  }
  await boss.insert(name, [{}], { db: recorder })
  const [statement] = statements
  if (statement === undefined || statements.length > 1)
    throw new Error(`The job queue inserted a job with ${statements.length} statements instead of one`)
  return statement
}

function toBossOptions(pool: pg.Pool, schema: string) {
  const db: JobDatabase = { executeSql: (text, values) => pool.query(text, values) }
  return {
    db,
    schema,
    supervise: false,
    schedule: false,
    // Reindexing requires the owner's privileges, and the queues are short.
    reindex: false,
    monitorVacuum: false,
  }
}
