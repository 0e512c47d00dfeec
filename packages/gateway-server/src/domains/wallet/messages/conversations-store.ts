import { sql } from 'kysely'
import type { Db } from '../../../context.ts'

/** One side of a conversation: whose it is, and who the other is. */
export interface Side {
  readonly owner: string
  readonly other: string
}

/** Both sides, in the order in which every transaction locks them. */
export function sidesOf(a: string, b: string): readonly Side[] {
  const [first, second] = a < b ? [a, b] : [b, a]
  return [
    { owner: first, other: second },
    { owner: second, other: first },
  ]
}

/**
 * Locks both sides of a conversation until the transaction ends, making them where they are missing. Ids of messages are drawn
 * under this lock: in a conversation they come in the order of commits, so that no message ever appears before a cursor that has passed it.
 */
export async function open(db: Db, project: number, sides: readonly Side[]): Promise<void> {
  await db
    .insertInto('gateway.conversations')
    .values(sides.map((side) => ({ project_id: project, ...side, last_message_id: null })))
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'owner', 'other'])
        .doUpdateSet({ owner: (excluded) => excluded.ref('excluded.owner') }),
    )
    .execute()
}

/** Locks sides that are there. */
export async function lock(db: Db, project: number, sides: readonly Side[]): Promise<void> {
  await db
    .selectFrom('gateway.conversations')
    .select('owner')
    .where('project_id', '=', project)
    .where((or) => or.or(sides.map((side) => or.and({ ...side }))))
    .orderBy('owner')
    .orderBy('other')
    .forUpdate()
    .execute()
}

/** Shows a message, the newest of its conversation, to both of its parties. The sides are locked. */
export async function show(
  db: Db,
  project: number,
  { id, sender, recipient }: { id: number; sender: string; recipient: string },
): Promise<void> {
  await sql`
    with shown as (
      insert into gateway.message_views (project_id, owner, id, other, incoming)
      values (${project}, ${sender}, ${id}, ${recipient}, false), (${project}, ${recipient}, ${id}, ${sender}, true))
    update gateway.conversations set last_message_id = ${id}
    where project_id = ${project}
      and (owner, other) in ((${sender}, ${recipient}), (${recipient}, ${sender}))`.execute(db)
}

/** Hides a message from the owners of sides, which are locked. Answers those that saw it. */
export async function hide(
  db: Db,
  project: number,
  id: number,
  sides: readonly Side[],
): Promise<readonly string[]> {
  const owners = sides.map(({ owner }) => owner)
  const hidden = await db
    .deleteFrom('gateway.message_views')
    .where('project_id', '=', project)
    .where('id', '=', id)
    .where('owner', 'in', owners)
    .returning('owner')
    .execute()
  await sql`
    update gateway.conversations c set last_message_id = (
      select max(v.id) from gateway.message_views v
      where v.project_id = c.project_id and v.owner = c.owner and v.other = c.other)
    where c.project_id = ${project} and c.last_message_id = ${id} and c.owner = any(${owners}::text[])`.execute(
    db,
  )
  return hidden.map(({ owner }) => owner)
}

/**
 * Moves a reader's cursors to the newest message, for one other party or for all; answers how many messages they passed. What is being
 * sent meanwhile waits for the lock, or is waited for: each message is counted once.
 */
export async function readAll(
  db: Db,
  project: number,
  reader: string,
  sender: string | undefined,
): Promise<number> {
  let unread = db
    .selectFrom('gateway.conversations')
    .select('other')
    .where('project_id', '=', project)
    .where('owner', '=', reader)
    .whereRef('last_message_id', '>', 'read_id')
    .orderBy('other')
    .forUpdate()
  if (sender !== undefined) unread = unread.where('other', '=', sender)
  const others = (await unread.execute()).map(({ other }) => other)
  if (others.length === 0) return 0
  const { rows } = await sql<{ count: number }>`
    with passed as (
      select v.id from gateway.conversations c
      join gateway.message_views v
        on v.project_id = c.project_id and v.owner = c.owner and v.other = c.other and v.incoming and v.id > c.read_id
      where c.project_id = ${project} and c.owner = ${reader} and c.other = any(${others}::text[])),
    moved as (
      update gateway.conversations set read_id = last_message_id
      where project_id = ${project} and owner = ${reader} and other = any(${others}::text[]))
    select count(*) as count from passed`.execute(db)
  return rows[0]?.count ?? 0
}

export interface ConversationRow {
  other: string
  last_message_id: number
  name: string
  photo: string
  unread: number
}

/** A wallet's conversations, the one with the newest message first. */
export async function listByOwner(
  db: Db,
  project: number,
  owner: string,
  most: number,
): Promise<readonly ConversationRow[]> {
  const { rows } = await sql<ConversationRow>`
    select c.other, c.last_message_id, coalesce(i.name, '') as name, coalesce(i.profile_photo, '') as photo,
      (select count(*) from gateway.message_views v
        where v.project_id = c.project_id and v.owner = c.owner and v.other = c.other and v.incoming
          and v.id > c.read_id) as unread
    from gateway.conversations c
    left join gateway.wallet_info i on i.project_id = c.project_id and i.address = c.other
    where c.project_id = ${project} and c.owner = ${owner} and c.last_message_id is not null
    order by c.last_message_id desc
    limit ${most}`.execute(db)
  return rows
}
