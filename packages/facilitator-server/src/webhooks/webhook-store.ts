import { randomBytes } from 'node:crypto'
import { type Sealer, transaction } from '@mintmark/server-kit'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Tables } from '../tables.ts'
import type { WebhooksTable } from './tables.ts'

export type WebhookRow = Selectable<WebhooksTable>

export const WEBHOOKS_AN_ACCOUNT = 20

export interface WebhookTerms {
  readonly url: string
  readonly events?: readonly string[] | undefined
  readonly description?: string | undefined
}

/** Where a webhook's secret is sealed for. */
const placeOf = (account: number, id: number) => ({
  table: 'facilitator.webhooks',
  project: account,
  row: id,
})

/** The secret that a webhook's messages are signed with. */
export function secretOf(sealer: Sealer, row: Pick<WebhookRow, 'id' | 'account_id' | 'secret'>): string {
  return sealer.open(row.secret, placeOf(row.account_id, row.id))
}

/** Makes a webhook with a secret of its own, which only this answer shows; undefined where the account has enough. */
export async function addWebhook(
  db: Kysely<Tables>,
  sealer: Sealer,
  account: number,
  { url, events = [], description = '' }: WebhookTerms,
): Promise<{ row: WebhookRow; secret: string } | undefined> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  return await transaction(db, async (trx) => {
    // Two that are made at once would each count without the other.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`mintmark webhooks ${account}`}, 0))`.execute(
      trx,
    )
    const drawn = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence('facilitator.webhooks', 'id')) as id
      where (select count(*) from facilitator.webhooks where account_id = ${account}) < ${WEBHOOKS_AN_ACCOUNT}`.execute(
      trx,
    )
    const id = drawn.rows[0]?.id
    if (id === undefined) return undefined
    const row = await trx
      .insertInto('facilitator.webhooks')
      .values({
        id,
        account_id: account,
        url,
        events: [...new Set(events)],
        description,
        secret: sealer.seal(secret, placeOf(account, id)),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return { row, secret }
  })
}

/** Changes a webhook and enables it; what is not given stays. Undefined where the account has none of the id. */
export async function changeWebhook(
  db: Kysely<Tables>,
  account: number,
  id: number,
  { url, events, description }: WebhookTerms,
): Promise<WebhookRow | undefined> {
  return await db
    .updateTable('facilitator.webhooks')
    .set({
      url,
      ...(events !== undefined && { events: [...new Set(events)] }),
      ...(description !== undefined && { description }),
      status: 'ENABLED',
      failing_since: null,
      updated_at: sql<Date>`clock_timestamp()`,
    })
    .where('account_id', '=', account)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function listWebhooks(db: Kysely<Tables>, account: number): Promise<WebhookRow[]> {
  return await db
    .selectFrom('facilitator.webhooks')
    .selectAll()
    .where('account_id', '=', account)
    .orderBy('id')
    .execute()
}

export async function findWebhook(
  db: Kysely<Tables>,
  account: number,
  id: number,
): Promise<WebhookRow | undefined> {
  return await db
    .selectFrom('facilitator.webhooks')
    .selectAll()
    .where('account_id', '=', account)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Removes a webhook with its deliveries: jobs that are on their way find nothing to send. */
export async function removeWebhook(db: Kysely<Tables>, account: number, id: number): Promise<boolean> {
  const removed = await db
    .deleteFrom('facilitator.webhooks')
    .where('account_id', '=', account)
    .where('id', '=', id)
    .executeTakeFirst()
  return removed.numDeletedRows > 0n
}
