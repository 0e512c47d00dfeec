import type { InputOf } from '@mintmark/operation'
import {
  findPage,
  type PageQuery,
  type PageRows,
  type SortColumns,
  type TimeRange,
} from '@mintmark/server-kit'
import { type Message, words } from '@mintmark/wallet'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Tenant } from '../../../database/tenant.ts'
import { toRecord } from '../../../http/record-mapping.ts'

/** A message with whether its recipient has read it. */
export type MessageRow = Selectable<Tables['gateway.messages']> & { read: boolean }

export const MESSAGE_ORDERS = { id: 'created_at', createTime: 'created_at' } as const satisfies SortColumns

export function toMessage(row: MessageRow): Message {
  const withoutValue = {
    recipientGrade: '',
    recipientIsNftImage: false,
    senderGrade: '',
    senderIsNftImage: false,
  }
  return toRecord(words.Message, row, { ...withoutValue, replyTo: row.reply_to ?? 0 })
}

/** The fields that messages to wallets and to groups have. */
export type NewMessage = Omit<InputOf<typeof words.add>, 'recipient'>

/**
 * Adds a message to a wallet, with the present names and photos of both. Returns undefined if `replyTo` is
 * not a message of this conversation that the sender can see. The message is invisible until `show` is
 * called.
 */
export async function add(
  tenant: Tenant,
  { sender, content, ...message }: NewMessage,
  recipient: string,
): Promise<MessageRow | undefined> {
  const replyTo = message.replyTo ?? null
  const { rows } = await sql<MessageRow>`
    insert into gateway.messages (project_id, sender, recipient, content, reply_to,
      sender_name, sender_photo, recipient_name, recipient_photo)
    select ${tenant.project}::bigint, ${sender}::text, ${recipient}::text, ${content}::text, ${replyTo}::bigint,
      coalesce(s.name, ''), coalesce(s.profile_photo, ''), coalesce(r.name, ''), coalesce(r.profile_photo, '')
    from (select) one
    left join gateway.wallet_info s on s.project_id = ${tenant.project} and s.address = ${sender}
    left join gateway.wallet_info r on r.project_id = ${tenant.project} and r.address = ${recipient}
    where ${replyTo}::bigint is null or exists (
      select from gateway.message_views
      where project_id = ${tenant.project} and owner = ${sender} and other = ${recipient} and id = ${replyTo}::bigint)
    returning *, false as read`.execute(tenant)
  return rows[0]
}

/** Adds a message to a group. Returns undefined if `replyTo` is not a message of the group. */
export async function addToGroup(
  tenant: Tenant,
  { sender, content, ...message }: NewMessage,
  group: string,
): Promise<MessageRow | undefined> {
  const replyTo = message.replyTo ?? null
  const { rows } = await sql<MessageRow>`
    insert into gateway.messages (project_id, sender, group_id, content, reply_to, sender_name, sender_photo)
    select ${tenant.project}::bigint, ${sender}::text, ${group}::text, ${content}::text, ${replyTo}::bigint,
      coalesce(s.name, ''), coalesce(s.profile_photo, '')
    from (select) one
    left join gateway.wallet_info s on s.project_id = ${tenant.project} and s.address = ${sender}
    where ${replyTo}::bigint is null or exists (
      select from gateway.messages
      where project_id = ${tenant.project} and group_id = ${group} and id = ${replyTo}::bigint and not removed)
    returning *, false as read`.execute(tenant)
  return rows[0]
}

/** Finds a message that its sender did not remove. */
export async function find(
  tenant: Tenant,
  id: number,
): Promise<Selectable<Tables['gateway.messages']> | undefined> {
  return await tenant
    .selectFrom('gateway.messages')
    .selectAll()
    .where('id', '=', id)
    .where('removed', '=', sql.lit(false))
    .executeTakeFirst()
}

/** Marks a message as removed by its sender. Returns false if it already was. */
export async function markRemoved(tenant: Tenant, id: number): Promise<boolean> {
  const { numUpdatedRows } = await tenant
    .updateTable('gateway.messages')
    .set({ removed: true })
    .where('id', '=', id)
    .where('removed', '=', sql.lit(false))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Finds messages to wallets, by id, with whether their recipients have read them. */
export async function findByIds(
  tenant: Tenant,
  ids: readonly number[],
): Promise<ReadonlyMap<number, MessageRow>> {
  const { rows } = await sql<MessageRow>`
    select m.*, coalesce(c.read_id >= m.id, false) as read
    from gateway.messages m
    left join gateway.conversations c
      on c.project_id = m.project_id and c.owner = m.recipient and c.other = m.sender
    where m.project_id = ${tenant.project} and m.id = any(${ids}::bigint[])`.execute(tenant)
  return new Map(rows.map((row) => [row.id, row]))
}

export async function listByGroup(
  tenant: Tenant,
  { group, from, to }: { group: string } & TimeRange,
  query: PageQuery,
): Promise<PageRows<MessageRow>> {
  const messages = tenant
    .selectFrom('gateway.messages')
    .selectAll()
    .select(sql<boolean>`false`.as('read'))
    // The condition of the partial index, which excludes the messages to wallets.
    .where('group_id', '<>', sql.lit(''))
    .where('removed', '=', sql.lit(false))
  const index = { columns: { group_id: group } }
  return await findPage(tenant.db, 'gateway.messages', messages, query, { index, created: { from, to } })
}

/** Lists the messages that a wallet can see: all, or those between it and another wallet. */
export async function listByOwner(
  tenant: Tenant,
  { owner, other, from, to }: { owner: string; other?: string | undefined } & TimeRange,
  query: PageQuery,
): Promise<PageRows<MessageRow>> {
  const views = tenant.selectFrom('gateway.message_views').select('id')
  const page = await findPage(tenant.db, 'gateway.message_views', views, query, {
    index: { columns: other === undefined ? { owner } : { owner, other } },
    created: { from, to },
    readsByKey: false,
  })
  const messages = await findByIds(
    tenant,
    page.rows.map(({ id }) => id),
  )
  return { ...page, rows: page.rows.flatMap(({ id }) => messages.get(id) ?? []) }
}
