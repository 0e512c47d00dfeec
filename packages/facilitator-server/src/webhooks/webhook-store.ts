import { randomBytes } from 'node:crypto'
import { type Sealer, transaction } from '@mintmark/server-kit'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Tables } from '../tables.ts'
import { abandonDeliveries } from './delivery-store.ts'
import type { WebhooksTable } from './tables.ts'

export type WebhookRow = Selectable<WebhooksTable>

export const MAX_WEBHOOKS_PER_ACCOUNT = 20

export interface WebhookTerms {
  readonly url: string
  readonly events?: readonly string[] | undefined
  readonly description?: string | undefined
}

/** Returns the row that a webhook's secret is sealed for. */
const toSealContext = (account: number, id: number) => ({
  table: 'facilitator.webhooks',
  project: account,
  row: id,
})

/** Decrypts the secret that signs a webhook's messages. */
export function openSecret(sealer: Sealer, row: Pick<WebhookRow, 'id' | 'account_id' | 'secret'>): string {
  return sealer.open(row.secret, toSealContext(row.account_id, row.id))
}

/** Creates a webhook with a secret, which only this result contains. Undefined if the account has reached the maximum. */
export async function addWebhook(
  db: Kysely<Tables>,
  sealer: Sealer,
  account: number,
  { url, events = [], description = '' }: WebhookTerms,
): Promise<{ row: WebhookRow; secret: string } | undefined> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  return await transaction(db, async (trx) => {
    // Serializes creations, which would otherwise not count each other.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`mintmark webhooks ${account}`}, 0))`.execute(
      trx,
    )
    const generated = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence('facilitator.webhooks', 'id')) as id
      where (select count(*) from facilitator.webhooks where account_id = ${account} and status <> 'REMOVED') < ${MAX_WEBHOOKS_PER_ACCOUNT}`.execute(
      trx,
    )
    const id = generated.rows[0]?.id
    if (id === undefined) return undefined
    const row = await trx
      .insertInto('facilitator.webhooks')
      .values({
        id,
        account_id: account,
        url,
        events: [...new Set(events)],
        description,
        secret: sealer.seal(secret, toSealContext(account, id)),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return { row, secret }
  })
}

/** Changes a webhook and enables it. Omitted fields stay unchanged. Undefined if the account has no webhook with this id. */
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
    .where('status', '<>', 'REMOVED')
    .returningAll()
    .executeTakeFirst()
}

export async function listWebhooks(db: Kysely<Tables>, account: number): Promise<WebhookRow[]> {
  return await db
    .selectFrom('facilitator.webhooks')
    .selectAll()
    .where('account_id', '=', account)
    .where('status', '<>', 'REMOVED')
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
    .where('status', '<>', 'REMOVED')
    .executeTakeFirst()
}

/** Removes a webhook, erases its secret and abandons its pending deliveries. Returns false if it does not exist. */
export async function removeWebhook(db: Kysely<Tables>, account: number, id: number): Promise<boolean> {
  return await transaction(db, async (trx) => {
    const removed = await trx
      .updateTable('facilitator.webhooks')
      .set({ status: 'REMOVED', secret: '', failing_since: null, updated_at: sql<Date>`clock_timestamp()` })
      .where('account_id', '=', account)
      .where('id', '=', id)
      .where('status', '<>', 'REMOVED')
      .returning('id')
      .executeTakeFirst()
    if (removed === undefined) return false
    await abandonDeliveries(trx, id, 'The webhook was removed')
    return true
  })
}

/** Seals the secrets of retired keys under the newest key. Returns their number. */
export async function resealSecrets(db: Kysely<Tables>, sealer: Sealer): Promise<number> {
  const rows = await db
    .selectFrom('facilitator.webhooks')
    .select(['id', 'account_id', 'secret'])
    .where('status', '<>', 'REMOVED')
    .orderBy('id')
    .execute()
  let resealed = 0
  for (const row of rows.filter(({ secret }) => !sealer.isCurrent(secret))) {
    const changed = await db
      .updateTable('facilitator.webhooks')
      .set({ secret: sealer.seal(openSecret(sealer, row), toSealContext(row.account_id, row.id)) })
      .where('id', '=', row.id)
      // A webhook that was removed meanwhile stays without a secret.
      .where('secret', '=', row.secret)
      .executeTakeFirst()
    resealed += Number(changed.numUpdatedRows)
  }
  return resealed
}
