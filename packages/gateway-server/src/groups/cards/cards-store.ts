import { type FoundPage, findPage, type Orders, type PageQuery } from '@mintmark/server-kit'
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../context.ts'
import type { Tables } from '../../tables.ts'

export type Card = Selectable<Tables['gateway.cards']>
export type Program = Card['program']

/** What card lists can be ordered by; the first is the order unasked. */
export const CARD_ORDERS: Orders = {
  id: 'id',
  createTime: 'id',
  name: 'name',
  startTime: 'start_time',
  endTime: 'end_time',
}

export async function add(db: Db, card: Insertable<Tables['gateway.cards']>): Promise<Card> {
  return await db.insertInto('gateway.cards').values(card).returningAll().executeTakeFirstOrThrow()
}

export async function find(db: Db, project: number, program: Program, id: number): Promise<Card | undefined> {
  return await db
    .selectFrom('gateway.cards')
    .selectAll()
    .where('project_id', '=', project)
    .where('program', '=', program)
    .where('id', '=', id)
    .where('deleted', '=', false)
    .executeTakeFirst()
}

/** Whether a card, of whichever program, has this code. */
export async function hasQrCode(db: Db, project: number, code: string): Promise<boolean> {
  const row = await db
    .selectFrom('gateway.cards')
    .select('id')
    .where('project_id', '=', project)
    .where('qr_code', '=', code)
    .where('deleted', '=', false)
    .executeTakeFirst()
  return row !== undefined
}

export async function pageByCreator(
  db: Db,
  project: number,
  program: Program,
  creator: string,
  query: PageQuery,
): Promise<FoundPage<Card>> {
  const cards = db
    .selectFrom('gateway.cards')
    .selectAll()
    .where('project_id', '=', project)
    .where('program', '=', program)
    .where('creator', '=', creator)
    .where('deleted', '=', false)
  return await findPage(db, 'gateway.cards', cards, query)
}
