import { commemorativeCards } from '@mintmark/cards'
import { pageOf, readPageQuery } from '@mintmark/server-kit'
import { implement } from '../../context.ts'
import { commemorativeCardItemOf } from './card-records.ts'
import * as cards from './cards-store.ts'

export const commemorativeCardRoutes = implement(commemorativeCards, {
  async listByCreator(input, { db, project, publicUrl, invalid }) {
    const query = readPageQuery(input, cards.CARD_ORDERS, invalid)
    const found = await cards.pageByCreator(db, project, 'commemorative', input.creator.toLowerCase(), query)
    return pageOf(query, found, (card) => commemorativeCardItemOf(card, publicUrl))
  },
})
