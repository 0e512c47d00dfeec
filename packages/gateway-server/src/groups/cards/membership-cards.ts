import { membershipCards } from '@mintmark/cards'
import { implement } from '../../context.ts'
import { cardHandlers } from './card-handlers.ts'
import { membershipCardOf } from './card-records.ts'
import { verificationHandlers } from './verification-handlers.ts'

export const membershipCardRoutes = implement(membershipCards, {
  ...cardHandlers('membership', membershipCardOf),
  ...verificationHandlers('membership'),
})
