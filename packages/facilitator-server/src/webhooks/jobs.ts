import { grantUse, type Logger, openDatabase } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { fromKysely, type Db as JobDatabase, PgBoss } from 'pg-boss'
import { facilitatorSchema } from '../migrations/index.ts'
import type { Tables } from '../tables.ts'

/** The job queue's own schema, beside the facilitator's. */
const jobSchema = 'facilitator_jobs'

/**
 * A queue, and how much of it is worked on at once. Webhooks that fail have a queue of their own: one that hangs keeps
 * a place for all of the time that an answer may take, and those that answer shall not wait behind it.
 */
export interface Lane {
  readonly queue: string
  /** Attempts of this process at once. */
  readonly places: number
  /** Attempts to one webhook at once, of all processes. */
  readonly placesEach: number
}
export const lanes: { readonly steady: Lane; readonly failing: Lane } = {
  steady: { queue: 'webhooks', places: 64, placesEach: 4 },
  failing: { queue: 'webhooks-failing', places: 32, placesEach: 2 },
}

/** One attempt to be made. */
export interface AttemptJob {
  readonly delivery: number
  readonly turn: number
}

/** An attempt, which webhook it goes to, and when. */
export interface PlannedAttempt extends AttemptJob {
  readonly webhook: number
  readonly failing: boolean
  /** Seconds from now. */
  readonly after: number
}

export interface JobTimes {
  /** After how many seconds an attempt that nobody ended counts as lost with its process. */
  readonly expireSeconds: number
  /** How often, in seconds, lost attempts are looked for. */
  readonly superviseSeconds: number
}

/** Far above any real number of lost processes: an attempt that was begun is never given up. */
const retryLimit = 1_000_000
/** An attempt that is due while no server runs waits this long. */
const retentionSeconds = 365 * 24 * 3600
/** Ended jobs have no reader: the deliveries tell what happened. */
const deleteAfterSeconds = 3600

/**
 * Brings the job queue's schema up to date and lets the servers' role use it. The facilitator's own schema comes first.
 *
 * @param url Connection string of the schema's owner.
 */
export async function migrateJobs(url: string): Promise<void> {
  const database = openDatabase<unknown>({ url, max: 3, applicationName: `migrate ${jobSchema}` })
  try {
    await database.system.connection().execute(async (db) => {
      // One at a time; it ends with the connection, which is this call's own.
      await sql`select pg_advisory_lock(hashtextextended(${`migrate ${jobSchema}`}, 0))`.execute(db)
      const boss = new PgBoss({ ...bossOptions(database.pool), migrate: true, createSchema: true })
      const failures: Error[] = []
      boss.on('error', (error) => failures.push(error))
      try {
        await boss.start()
        await provideQueues(boss)
      } finally {
        await boss.stop({ graceful: false, close: false })
      }
      await grantUse(db, jobSchema, facilitatorSchema.role)
      if (failures.length > 0) throw new AggregateError(failures, 'the job queue could not be migrated')
    })
  } finally {
    await database.close()
  }
}

async function provideQueues(boss: PgBoss): Promise<void> {
  const options = { retryLimit, retryDelay: 1, retentionSeconds, deleteAfterSeconds }
  for (const { queue } of Object.values(lanes)) {
    const known = await boss.getQueue(queue)
    if (known === null) await boss.createQueue(queue, options)
    else await boss.updateQueue(queue, options)
  }
}

/** The job queue as a server uses it: never changed in its shape. */
export function openJobs(pool: pg.Pool, times: JobTimes, log: Pick<Logger, 'error' | 'warn'>): PgBoss {
  const boss = new PgBoss({
    ...bossOptions(pool),
    migrate: false,
    supervise: true,
    superviseIntervalSeconds: times.superviseSeconds,
    monitorIntervalSeconds: times.superviseSeconds,
    maintenanceIntervalSeconds: 3600,
  })
  boss.on('error', (error) => log.error({ err: error }, 'the job queue failed'))
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'the job queue warns'))
  return boss
}

/** Puts attempts into the transaction of the work they follow from: they are there when it commits, or never. */
export async function planAttempts(
  boss: PgBoss,
  trx: Kysely<Tables>,
  planned: readonly PlannedAttempt[],
  { expireSeconds }: JobTimes,
): Promise<void> {
  for (const failing of [false, true]) {
    const jobs = planned
      .filter((each) => each.failing === failing)
      .map(({ delivery, turn, webhook, after }) => ({
        data: { delivery, turn } satisfies AttemptJob,
        group: { id: String(webhook) },
        startAfter: after,
        expireInSeconds: expireSeconds,
      }))
    const lane = failing ? lanes.failing : lanes.steady
    if (jobs.length > 0) await boss.insert(lane.queue, jobs, { db: fromKysely(trx) })
  }
}

function bossOptions(pool: pg.Pool) {
  const db: JobDatabase = { executeSql: (text, values) => pool.query(text, values) }
  return {
    db,
    schema: jobSchema,
    supervise: false,
    schedule: false,
    // It would need the owner's rights, and the queues are short.
    reindex: false,
    monitorVacuum: false,
  }
}
