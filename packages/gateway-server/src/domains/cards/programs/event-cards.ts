import { eventCards } from '@mintmark/cards'
import { implementWithLimits } from '../../../context.ts'
import { verificationHandlers } from '../verification/verification-handlers.ts'
import { cardHandlers } from './card-handlers.ts'
import { cardLimits } from './card-limits.ts'
import { eventCardOf } from './card-records.ts'

export const eventCardRoutes = implementWithLimits(cardLimits)(eventCards, {
  ...cardHandlers('event', eventCardOf),
  ...verificationHandlers('event'),
})
