import { type QueryExecutorProvider, sql } from 'kysely'
import type { PostOutcome } from './post.ts'
import type { Enqueue, WebhookSchema, WebhookStatus } from './schema.ts'

/** An attempt to make, as the job queue stores it. */
export interface AttemptJob {
  /** The account or project of the webhook. */
  readonly owner: number
  readonly delivery: number
  /** A job is outdated if its delivery has another turn. */
  readonly turn: number
}

/** An event, identified by its owner and its key. */
export interface AddedEvent {
  readonly owner: number
  readonly event: number
  readonly type: string
}

/** A delivery whose attempt is due, with its webhook. */
export interface DueDelivery {
  readonly owner: number
  readonly delivery: number
  /** The key of the event. Null: a test message. */
  readonly event: number | null
  readonly event_type: string
  readonly created_at: Date
  /** Failed attempts since the delivery was last started. */
  readonly failures: number
  /** Whether the time of the attempt was reserved within the rate limit of the webhook. */
  readonly has_slot: boolean
  readonly webhook_id: number
  readonly url: string
  readonly secret: string
  readonly previous_secret: string
  /** Whether the previous secret still signs. */
  readonly is_rotating: boolean
  readonly webhook_status: WebhookStatus
  readonly failing_since: Date | null
  readonly max_per_second: number | null
}

/** An attempt that was made. */
export interface AttemptOutcome extends PostOutcome {
  readonly durationMs: number
}

type Nullable<Row> = { readonly [Column in keyof Row]: Row[Column] | null }

/** The newest attempts of a delivery that its row describes. */
export const LOGGED_ATTEMPTS = 20

/** The statements of deliveries, with the names of a server's tables. */
export class DeliveryStore {
  readonly #names: WebhookSchema
  readonly #webhooks
  readonly #deliveries
  readonly #owner

  constructor(names: WebhookSchema) {
    this.#names = names
    this.#webhooks = sql.table(`${names.schema}.webhooks`)
    this.#deliveries = sql.table(`${names.schema}.${names.deliveries}`)
    this.#owner = sql.ref(names.owner)
  }

  /**
   * Finds the delivery of a job with its event. Undefined if it was delivered, abandoned, restarted or
   * removed since, or if its event was.
   *
   * @typeParam EventRow The columns of the server's events. Null for a test message.
   */
  async findDue<EventRow>(
    db: QueryExecutorProvider,
    job: AttemptJob,
  ): Promise<(DueDelivery & Nullable<EventRow>) | undefined> {
    const { eventKey, deliveredEvent, schema } = this.#names
    const event = sql.ref(`d.${deliveredEvent}`)
    const { rows } = await sql<DueDelivery & Nullable<EventRow>>`
      select e.*, d.${this.#owner} as owner, d.id as delivery, ${event} as event, d.event_type,
        d.created_at, d.failures, d.slot_turn = d.turn as has_slot, w.id as webhook_id, w.url, w.secret, w.previous_secret,
        w.previous_secret_until is not null and w.previous_secret_until > clock_timestamp() as is_rotating,
        w.status as webhook_status, w.failing_since, w.max_per_second
      from ${this.#deliveries} d
      join ${this.#webhooks} w on w.${this.#owner} = d.${this.#owner} and w.id = d.webhook_id
      left join ${sql.table(`${schema}.events`)} e on e.${this.#owner} = d.${this.#owner} and e.${sql.ref(eventKey)} = ${event}
      where d.${this.#owner} = ${job.owner} and d.id = ${job.delivery} and d.turn = ${job.turn} and d.status = 'PENDING'
        and (${event} is null or e.${sql.ref(eventKey)} is not null)`.execute(db)
    return rows[0]
  }

  /** Adds the jobs of pending deliveries of an owner, each at the time of its next attempt. */
  async enqueue(
    db: QueryExecutorProvider,
    { owner, deliveries }: { readonly owner: number; readonly deliveries: readonly number[] },
    enqueue: Enqueue,
  ): Promise<void> {
    if (deliveries.length === 0) return
    const add = sql.id(this.#names.schema, 'enqueue_deliveries')
    const owners = deliveries.map(() => owner)
    await sql`select ${add}(${owners}::bigint[], ${deliveries}::bigint[], ${JSON.stringify(enqueue)}::jsonb)`.execute(
      db,
    )
  }

  /** Adds deliveries of events to the webhooks of their owners, and their jobs. */
  async addForEvents(
    db: QueryExecutorProvider,
    events: readonly AddedEvent[],
    enqueue: Enqueue,
  ): Promise<void> {
    if (events.length === 0) return
    const add = sql.id(this.#names.schema, 'add_deliveries')
    const owners = events.map(({ owner }) => owner)
    const keys = events.map(({ event }) => event)
    const types = events.map(({ type }) => type)
    await sql`select ${add}(${owners}::bigint[], ${keys}::bigint[], ${types}::text[], ${JSON.stringify(enqueue)}::jsonb)`.execute(
      db,
    )
  }

  /**
   * Reserves the next time at which a webhook with a rate limit may receive a message, for the present turn
   * of a delivery.
   *
   * @returns Whether that time is now.
   */
  async reserveSlot(db: QueryExecutorProvider, due: DueDelivery): Promise<boolean> {
    const { rows } = await sql<{ is_due: boolean }>`
      with slot as (
        update ${this.#webhooks}
        set next_slot_at = greatest(next_slot_at, clock_timestamp()) + interval '1 second' / max_per_second
        where ${this.#owner} = ${due.owner} and id = ${due.webhook_id} and max_per_second is not null
        returning next_slot_at - interval '1 second' / max_per_second as starts_at
      )
      update ${this.#deliveries} d
      set slot_turn = d.turn, next_attempt_at = slot.starts_at
      from slot
      where d.${this.#owner} = ${due.owner} and d.id = ${due.delivery} and d.status = 'PENDING'
      returning slot.starts_at <= clock_timestamp() as is_due`.execute(db)
    // Without a row the limit was removed meanwhile.
    return rows[0]?.is_due ?? true
  }

  /**
   * Records an attempt and ends its turn. If the delivery was restarted meanwhile, another job has the next
   * turn, and only the number of attempts changes.
   *
   * @param retryAfter Seconds until the next attempt. Undefined if a failure is final.
   * @returns Whether there is a next attempt.
   */
  async recordAttempt(
    db: QueryExecutorProvider,
    { owner, delivery, turn }: AttemptJob,
    outcome: AttemptOutcome,
    retryAfter: number | undefined,
  ): Promise<boolean> {
    const isRetried = !outcome.delivered && retryAfter !== undefined
    const status = outcome.delivered ? 'DELIVERED' : isRetried ? 'PENDING' : 'FAILED'
    const next = isRetried ? sql`clock_timestamp() + make_interval(secs => ${retryAfter})` : sql`null`
    const isCurrent = sql`turn = ${turn} and status = 'PENDING'`
    const attempt = sql`jsonb_build_array(jsonb_build_object('at', clock_timestamp(), 'status', ${outcome.status}::integer,
      'error', ${outcome.error}::text, 'ms', ${Math.round(outcome.durationMs)}::integer))`
    const { rows } = await sql<{ is_current: boolean }>`
      update ${this.#deliveries} set
        attempts = attempts + 1,
        attempt_log = case when jsonb_array_length(attempt_log) < ${LOGGED_ATTEMPTS} then attempt_log else attempt_log - 0 end
          || ${attempt},
        last_attempt_at = clock_timestamp(),
        response_status = ${outcome.status},
        error = ${outcome.error},
        status = case when ${isCurrent} then ${status} else status end,
        failures = case when ${isCurrent} and not ${outcome.delivered} then failures + 1 else failures end,
        next_attempt_at = case when ${isCurrent} then ${next} else next_attempt_at end,
        turn = case when ${isCurrent} then turn + 1 else turn end
      where ${this.#owner} = ${owner} and id = ${delivery}
      returning status = 'PENDING' and turn = ${turn + 1} as is_current`.execute(db)
    return isRetried && rows[0]?.is_current === true
  }

  /** Records that a webhook no longer fails. */
  async recordSuccess(db: QueryExecutorProvider, { owner, webhook_id }: DueDelivery): Promise<void> {
    await sql`
      update ${this.#webhooks} set failing_since = null
      where ${this.#owner} = ${owner} and id = ${webhook_id} and failing_since is not null`.execute(db)
  }

  /**
   * Records a failure of a webhook and disables the webhook if it has failed for too long.
   *
   * @param patience Seconds of failures after which the webhook is disabled.
   * @returns The webhook's new status, and whether this failure disabled it.
   */
  async recordFailure(
    db: QueryExecutorProvider,
    { owner, webhook_id }: DueDelivery,
    patience: number,
  ): Promise<{ status: WebhookStatus; wasDisabled: boolean }> {
    const { rows } = await sql<{ status: WebhookStatus; was_disabled: boolean }>`
      with before as (
        select status from ${this.#webhooks} where ${this.#owner} = ${owner} and id = ${webhook_id} for no key update
      )
      update ${this.#webhooks} w set
        failing_since = coalesce(w.failing_since, clock_timestamp()),
        status = case when w.status = 'ENABLED' and w.failing_since <= clock_timestamp() - make_interval(secs => ${patience})
          then 'DISABLED' else w.status end
      from before
      where w.${this.#owner} = ${owner} and w.id = ${webhook_id}
      returning w.status, w.status = 'DISABLED' and before.status = 'ENABLED' as was_disabled`.execute(db)
    const row = rows[0]
    return { status: row?.status ?? 'REMOVED', wasDisabled: row?.was_disabled === true }
  }

  /** Abandons the pending deliveries of a webhook. */
  async abandon(db: QueryExecutorProvider, owner: number, webhook: number, error: string): Promise<void> {
    await sql`
      update ${this.#deliveries}
      set status = 'FAILED', next_attempt_at = null, turn = turn + 1, error = ${error}
      where ${this.#owner} = ${owner} and webhook_id = ${webhook} and status = 'PENDING'`.execute(db)
  }

  /**
   * Restarts a delivery in any status, with its full retry schedule. Returns whether the webhook has such a
   * delivery.
   */
  async restart(
    db: QueryExecutorProvider,
    owner: number,
    webhook: number,
    delivery: number,
  ): Promise<boolean> {
    const { numAffectedRows } = await sql`
      update ${this.#deliveries}
      set status = 'PENDING', failures = 0, turn = turn + 1, next_attempt_at = clock_timestamp()
      where ${this.#owner} = ${owner} and webhook_id = ${webhook} and id = ${delivery}`.execute(db)
    return numAffectedRows === 1n
  }
}
