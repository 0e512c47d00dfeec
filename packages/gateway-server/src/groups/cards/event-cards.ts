import { eventCards } from '@mintmark/cards'
import { implement } from '../../context.ts'
import { eventCardOf } from './card-records.ts'
import { newCard } from './new-card.ts'

export const eventCardRoutes = implement(eventCards, {
  async create({ isCheckedIn, ...input }, context) {
    return eventCardOf(
      await newCard('event', { ...input, isCheckedIn: isCheckedIn ?? false }, context),
      context.publicUrl,
    )
  },
})
