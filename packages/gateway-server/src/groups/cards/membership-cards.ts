import { membershipCards } from '@mintmark/cards'
import { implementWithLimits } from '../../context.ts'
import { cardHandlers } from './card-handlers.ts'
import { cardLimits } from './card-limits.ts'
import { membershipCardOf } from './card-records.ts'
import { verificationHandlers } from './verification-handlers.ts'

export const membershipCardRoutes = implementWithLimits(cardLimits)(membershipCards, {
  ...cardHandlers('membership', membershipCardOf),
  ...verificationHandlers('membership'),
})
