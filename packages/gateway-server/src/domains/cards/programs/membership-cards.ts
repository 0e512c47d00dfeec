import { membershipCards } from '@mintmark/cards'
import { implementWithLimits } from '../../../context.ts'
import { verificationHandlers } from '../verification/verification-handlers.ts'
import { cardHandlers } from './card-handlers.ts'
import { cardLimits } from './card-limits.ts'
import { membershipCardOf } from './card-records.ts'

export const membershipCardRoutes = implementWithLimits(cardLimits)(membershipCards, {
  ...cardHandlers('membership', membershipCardOf),
  ...verificationHandlers('membership'),
})
