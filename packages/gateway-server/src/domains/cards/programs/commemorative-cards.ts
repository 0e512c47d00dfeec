import { commemorativeCards } from '@mintmark/cards'
import { implementWithLimits } from '../../../context.ts'
import { cardHandlers, cardPage } from './card-handlers.ts'
import { cardLimits } from './card-limits.ts'
import { commemorativeCardItemOf, commemorativeCardOf } from './card-records.ts'

export const commemorativeCardRoutes = implementWithLimits(cardLimits)(commemorativeCards, {
  ...cardHandlers('commemorative', commemorativeCardOf),
  // The one list whose item is stated.
  listByCreator: (input, context) =>
    cardPage(
      'commemorative',
      commemorativeCardItemOf,
      input,
      { creator: input.creator.toLowerCase() },
      context,
    ),
})
