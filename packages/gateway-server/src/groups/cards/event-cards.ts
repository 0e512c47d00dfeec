import { eventCards } from '@mintmark/cards'
import { implementWithLimits } from '../../context.ts'
import { cardHandlers } from './card-handlers.ts'
import { cardLimits } from './card-limits.ts'
import { eventCardOf } from './card-records.ts'
import { verificationHandlers } from './verification-handlers.ts'

export const eventCardRoutes = implementWithLimits(cardLimits)(eventCards, {
  ...cardHandlers('event', eventCardOf),
  ...verificationHandlers('event'),
})
