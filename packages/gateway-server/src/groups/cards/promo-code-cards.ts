import { promoCodeCards } from '@mintmark/cards'
import { NotFound } from '@mintmark/envelope'
import { implement } from '../../context.ts'
import { promoCodeCardOf } from './card-records.ts'
import * as cards from './cards-store.ts'
import { newCard } from './new-card.ts'

export const promoCodeCardRoutes = implement(promoCodeCards, {
  async create(input, context) {
    return promoCodeCardOf(await newCard('promo_code', input, context), context.publicUrl)
  },
  async get({ id }, { db, project, publicUrl, refuse }) {
    const card = await cards.find(db, project, 'promo_code', id)
    return card
      ? promoCodeCardOf(card, publicUrl)
      : refuse(NotFound, 'There is no promo code card with this id')
  },
})
