import { eventCards } from '@mintmark/cards'
import { implement } from '../../context.ts'
import { cardHandlers } from './card-handlers.ts'
import { eventCardOf } from './card-records.ts'
import { verificationHandlers } from './verification-handlers.ts'

export const eventCardRoutes = implement(eventCards, {
  ...cardHandlers('event', eventCardOf),
  ...verificationHandlers('event'),
})
