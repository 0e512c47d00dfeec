import { commemorativeCards } from '@mintmark/cards'
import { implement } from '../../context.ts'
import { cardHandlers, cardPage } from './card-handlers.ts'
import { commemorativeCardItemOf, commemorativeCardOf } from './card-records.ts'

export const commemorativeCardRoutes = implement(commemorativeCards, {
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
