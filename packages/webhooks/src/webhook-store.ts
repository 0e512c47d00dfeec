import { randomBytes } from 'node:crypto'
import type { Sealer } from '@mintmark/server-kit'
import { transaction } from '@mintmark/server-kit'
import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import { DeliveryStore } from './delivery-store.ts'
import type { WebhookSchema, WebhookStatus } from './schema.ts'

/** A webhook without its secrets. */
export interface WebhookRow {
  readonly id: number
  readonly url: string
  readonly events: string[]
  readonly description: string
  readonly status: WebhookStatus
  readonly failing_since: Date | null
  readonly max_per_second: number | null
  /** Until when the previous secret signs too. Null: it does not. */
  readonly previous_secret_until: Date | null
  readonly created_at: Date
  readonly updated_at: Date
}

export interface WebhookTerms {
  readonly url: string
  /** Types of events; empty for all. */
  readonly events?: readonly string[] | undefined
  readonly description?: string | undefined
  /** The most messages per second. Null: no limit. */
  readonly maxPerSecond?: number | null | undefined
}

/** The sealed secrets of a webhook. */
export interface SealedSecrets {
  readonly owner: number
  readonly webhook_id: number
  readonly secret: string
  readonly previous_secret: string
  /** Whether the previous secret still signs. */
  readonly is_rotating: boolean
}

export const MAX_WEBHOOKS = 20

const COLUMNS = sql.raw(
  `id, url, events, description, status, failing_since, max_per_second, created_at, updated_at,
  case when previous_secret_until > clock_timestamp() then previous_secret_until end as previous_secret_until`,
)

const createSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** The statements of webhooks, with the names of a server's tables. */
export class WebhookStore {
  readonly #sealer: Sealer
  readonly #names: WebhookSchema
  readonly #deliveries: DeliveryStore
  readonly #table
  readonly #owner

  constructor(names: WebhookSchema, sealer: Sealer) {
    this.#names = names
    this.#sealer = sealer
    this.#deliveries = new DeliveryStore(names)
    this.#table = sql.table(`${names.schema}.webhooks`)
    this.#owner = sql.ref(names.owner)
  }

  /**
   * Creates a webhook with a secret, which only this result contains. Undefined if the owner has reached the
   * maximum.
   */
  async add<DB>(
    db: Kysely<DB>,
    owner: number,
    { url, events = [], description = '', maxPerSecond = null }: WebhookTerms,
  ): Promise<{ row: WebhookRow; secret: string } | undefined> {
    const secret = createSecret()
    return await transaction(db, async (trx) => {
      // Serializes creations, which would otherwise not count each other.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`${this.#names.schema} webhooks ${owner}`}, 0))`.execute(
        trx,
      )
      const generated = await sql<{ id: number }>`
        select nextval(pg_get_serial_sequence(${`${this.#names.schema}.webhooks`}, 'id')) as id
        where (select count(*) from ${this.#table} where ${this.#owner} = ${owner} and status <> 'REMOVED') < ${MAX_WEBHOOKS}`.execute(
        trx,
      )
      const id = generated.rows[0]?.id
      if (id === undefined) return undefined
      const { rows } = await sql<WebhookRow>`
        insert into ${this.#table} (${this.#owner}, id, url, events, description, max_per_second, secret)
        values (${owner}, ${id}, ${url}, ${[...new Set(events)]}::text[], ${description}, ${maxPerSecond},
          ${this.#sealer.seal(secret, this.#placeOf(owner, id))})
        returning ${COLUMNS}`.execute(trx)
      const row = rows[0]
      return row && { row, secret }
    })
  }

  /**
   * Changes a webhook and enables it. Omitted fields stay unchanged. Undefined if the owner has no webhook
   * with this id.
   */
  async change(
    db: QueryExecutorProvider,
    owner: number,
    id: number,
    { url, events, description, maxPerSecond }: WebhookTerms,
  ): Promise<WebhookRow | undefined> {
    const setEvents = events === undefined ? sql`` : sql`events = ${[...new Set(events)]}::text[],`
    const setLimit =
      maxPerSecond === undefined ? sql`` : sql`max_per_second = ${maxPerSecond}, next_slot_at = null,`
    const { rows } = await sql<WebhookRow>`
      update ${this.#table} set
        url = ${url},
        ${setEvents}
        ${setLimit}
        description = coalesce(${description ?? null}::text, description),
        status = 'ENABLED',
        failing_since = null,
        updated_at = clock_timestamp()
      where ${this.#owner} = ${owner} and id = ${id} and status <> 'REMOVED'
      returning ${COLUMNS}`.execute(db)
    return rows[0]
  }

  async list(db: QueryExecutorProvider, owner: number): Promise<WebhookRow[]> {
    const { rows } = await sql<WebhookRow>`
      select ${COLUMNS} from ${this.#table} where ${this.#owner} = ${owner} and status <> 'REMOVED' order by id`.execute(
      db,
    )
    return rows
  }

  async find(db: QueryExecutorProvider, owner: number, id: number): Promise<WebhookRow | undefined> {
    const { rows } = await sql<WebhookRow>`
      select ${COLUMNS} from ${this.#table} where ${this.#owner} = ${owner} and id = ${id} and status <> 'REMOVED'`.execute(
      db,
    )
    return rows[0]
  }

  /**
   * Removes a webhook, erases its secrets and abandons its pending deliveries. Returns false if it does not
   * exist.
   */
  async remove<DB>(db: Kysely<DB>, owner: number, id: number): Promise<boolean> {
    return await transaction(db, async (trx) => {
      const { numAffectedRows } = await sql`
        update ${this.#table}
        set status = 'REMOVED', secret = '', previous_secret = '', previous_secret_until = null, failing_since = null,
          updated_at = clock_timestamp()
        where ${this.#owner} = ${owner} and id = ${id} and status <> 'REMOVED'`.execute(trx)
      if (numAffectedRows === 0n) return false
      await this.#deliveries.abandon(trx, owner, id, 'The webhook was removed')
      return true
    })
  }

  /**
   * Replaces the secret of a webhook. For `overlapSeconds` the previous one signs too. A secret that an
   * earlier rotation replaced signs no more.
   *
   * @param given The new secret. If the webhook has it already, nothing changes, so that the call can be
   * repeated. Default: a generated one.
   * @returns The new secret. Undefined if the webhook does not exist.
   */
  async rotateSecret(
    db: QueryExecutorProvider,
    owner: number,
    id: number,
    overlapSeconds: number,
    given?: string,
  ): Promise<{ row: WebhookRow; secret: string } | undefined> {
    const secret = given ?? createSecret()
    const sealed = this.#sealer.seal(secret, this.#placeOf(owner, id))
    for (;;) {
      const present = await this.#readSecret(db, owner, id)
      if (present === undefined) return undefined
      if (present.secret === secret) return { row: present.row, secret }
      const { rows } = await sql<WebhookRow>`
        update ${this.#table}
        set secret = ${sealed}, previous_secret = secret,
          previous_secret_until = clock_timestamp() + make_interval(secs => ${overlapSeconds}), updated_at = clock_timestamp()
        where ${this.#owner} = ${owner} and id = ${id} and status <> 'REMOVED' and secret = ${present.sealed}
        returning ${COLUMNS}`.execute(db)
      const row = rows[0]
      // Without a row, another call has replaced or resealed the secret meanwhile.
      if (row !== undefined) return { row, secret }
    }
  }

  async #readSecret(db: QueryExecutorProvider, owner: number, id: number) {
    const { rows } = await sql<WebhookRow & { secret: string }>`
      select ${COLUMNS}, secret from ${this.#table}
      where ${this.#owner} = ${owner} and id = ${id} and status <> 'REMOVED'`.execute(db)
    if (rows[0] === undefined) return undefined
    const { secret: sealed, ...row } = rows[0]
    return { row, sealed, secret: this.#sealer.open(sealed, this.#placeOf(owner, id)) }
  }

  /** Decrypts the secrets that sign the messages of a webhook, the newest first. */
  openSecrets(webhook: SealedSecrets): string[] {
    const { owner, webhook_id: id, secret, previous_secret: previous, is_rotating: isRotating } = webhook
    const sealed = isRotating && previous !== '' ? [secret, previous] : [secret]
    return sealed.map((each) => this.#sealer.open(each, this.#placeOf(owner, id)))
  }

  /** Seals the secrets of retired keys with the newest key. Returns the number of changed webhooks. */
  async reseal(db: QueryExecutorProvider): Promise<number> {
    const { rows } = await sql<{ owner: number; id: number; secret: string; previous_secret: string }>`
      select ${this.#owner} as owner, id, secret, previous_secret from ${this.#table}
      where status <> 'REMOVED' order by id`.execute(db)
    let resealed = 0
    for (const { owner, id, secret, previous_secret: previous } of rows) {
      if (this.#isCurrent(secret) && this.#isCurrent(previous)) continue
      const { numAffectedRows = 0n } = await sql`
        update ${this.#table}
        set secret = ${this.#reseal(secret, owner, id)}, previous_secret = ${this.#reseal(previous, owner, id)}
        where ${this.#owner} = ${owner} and id = ${id}
          -- A webhook that was removed meanwhile stays without a secret.
          and secret = ${secret} and previous_secret = ${previous}`.execute(db)
      resealed += Number(numAffectedRows)
    }
    return resealed
  }

  #isCurrent(sealed: string): boolean {
    return sealed === '' || this.#sealer.isCurrent(sealed)
  }

  #reseal(sealed: string, owner: number, id: number): string {
    if (this.#isCurrent(sealed)) return sealed
    const place = this.#placeOf(owner, id)
    return this.#sealer.seal(this.#sealer.open(sealed, place), place)
  }

  /** Returns the row that a secret is sealed for. */
  #placeOf(owner: number, id: number) {
    return { table: `${this.#names.schema}.webhooks`, project: owner, row: id }
  }
}
