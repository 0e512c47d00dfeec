import { sql } from 'kysely'
import type { Tenant } from '../../../database/tenant.ts'

/** One side of a conversation: the wallet whose view it is, and the other wallet. */
export interface Side {
  readonly owner: string
  readonly other: string
}

/** Returns both sides, in the order in which every transaction locks them. */
export function toSides(a: string, b: string): readonly Side[] {
  const [first, second] = a < b ? [a, b] : [b, a]
  return [
    { owner: first, other: second },
    { owner: second, other: first },
  ]
}

/**
 * Locks both sides of a conversation until the transaction ends, and creates them if they are missing.
 * Message ids are drawn under this lock: within a conversation their order is that of the commits, so that no
 * message appears behind a cursor that has passed its id.
 */
export async function open(tenant: Tenant, sides: readonly Side[]): Promise<void> {
  await tenant
    .insertInto('gateway.conversations')
    .values(sides.map((side) => ({ ...side, last_message_id: null })))
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'owner', 'other'])
        .doUpdateSet({ owner: (excluded) => excluded.ref('excluded.owner') }),
    )
    .execute()
}

/** Locks existing sides. */
export async function lock(tenant: Tenant, sides: readonly Side[]): Promise<void> {
  await tenant
    .selectFrom('gateway.conversations')
    .select('owner')
    .where((or) => or.or(sides.map((side) => or.and({ ...side }))))
    .orderBy('owner')
    .orderBy('other')
    .forUpdate()
    .execute()
}

/** Shows a new message to both of its parties. The sides must be locked. */
export async function show(
  tenant: Tenant,
  { id, sender, recipient }: { id: number; sender: string; recipient: string },
): Promise<void> {
  await sql`
    with views as (
      insert into gateway.message_views (project_id, owner, id, other, incoming, created_at)
      select m.project_id, side.owner, m.id, side.other, side.incoming, m.created_at
      from gateway.messages m
      cross join (values (${sender}::text, ${recipient}::text, false), (${recipient}::text, ${sender}::text, true))
        as side (owner, other, incoming)
      where m.project_id = ${tenant.project} and m.id = ${id})
    update gateway.conversations set last_message_id = ${id}
    where project_id = ${tenant.project}
      and (owner, other) in ((${sender}, ${recipient}), (${recipient}, ${sender}))`.execute(tenant)
}

/**
 * Hides a message from the owners of sides, which must be locked. Returns the owners to whom it was visible.
 */
export async function hide(tenant: Tenant, id: number, sides: readonly Side[]): Promise<readonly string[]> {
  const owners = sides.map(({ owner }) => owner)
  const removedViews = await tenant
    .deleteFrom('gateway.message_views')
    .where('id', '=', id)
    .where('owner', 'in', owners)
    .returning('owner')
    .execute()
  await sql`
    update gateway.conversations c set last_message_id = (
      select max(v.id) from gateway.message_views v
      where v.project_id = c.project_id and v.owner = c.owner and v.other = c.other)
    where c.project_id = ${tenant.project} and c.last_message_id = ${id} and c.owner = any(${owners}::text[])`.execute(
    tenant,
  )
  return removedViews.map(({ owner }) => owner)
}

/**
 * Moves a reader's cursors to the newest message, in the conversation with `sender` or in all. Returns the
 * number of messages that they passed. The lock serializes it with concurrent messages, so that each message
 * is counted once.
 */
export async function readAll(tenant: Tenant, reader: string, sender: string | undefined): Promise<number> {
  let unread = tenant
    .selectFrom('gateway.conversations')
    .select('other')
    .where('owner', '=', reader)
    .whereRef('last_message_id', '>', 'read_id')
    .orderBy('other')
    .forUpdate()
  if (sender !== undefined) unread = unread.where('other', '=', sender)
  const others = (await unread.execute()).map(({ other }) => other)
  if (others.length === 0) return 0
  const { rows } = await sql<{ count: number }>`
    with passed_messages as (
      select v.id from gateway.conversations c
      join gateway.message_views v
        on v.project_id = c.project_id and v.owner = c.owner and v.other = c.other and v.incoming and v.id > c.read_id
      where c.project_id = ${tenant.project} and c.owner = ${reader} and c.other = any(${others}::text[])),
    cursors as (
      update gateway.conversations set read_id = last_message_id
      where project_id = ${tenant.project} and owner = ${reader} and other = any(${others}::text[]))
    select count(*) as count from passed_messages`.execute(tenant)
  return rows[0]?.count ?? 0
}

export interface ConversationRow {
  other: string
  last_message_id: number
  name: string
  photo: string
  unread: number
}

/** Lists a wallet's conversations, the one with the newest message first. */
export async function listByOwner(
  tenant: Tenant,
  owner: string,
  limit: number,
): Promise<readonly ConversationRow[]> {
  const { rows } = await sql<ConversationRow>`
    select c.other, c.last_message_id, coalesce(i.name, '') as name, coalesce(i.profile_photo, '') as photo,
      (select count(*) from gateway.message_views v
        where v.project_id = c.project_id and v.owner = c.owner and v.other = c.other and v.incoming
          and v.id > c.read_id) as unread
    from gateway.conversations c
    left join gateway.wallet_info i on i.project_id = c.project_id and i.address = c.other
    where c.project_id = ${tenant.project} and c.owner = ${owner} and c.last_message_id is not null
    order by c.last_message_id desc
    limit ${limit}`.execute(tenant)
  return rows
}
