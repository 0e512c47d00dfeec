import type { Route } from '@mintmark/server-kit'
import type { GatewayContext } from '../../context.ts'
import { commemorativeCardRoutes } from './programs/commemorative-cards.ts'
import { eventCardRoutes } from './programs/event-cards.ts'
import { membershipCardRoutes } from './programs/membership-cards.ts'
import { promoCodeCardRoutes } from './programs/promo-code-cards.ts'

export const cardsRoutes: readonly Route<GatewayContext>[] = [
  ...commemorativeCardRoutes,
  ...eventCardRoutes,
  ...membershipCardRoutes,
  ...promoCodeCardRoutes,
]
