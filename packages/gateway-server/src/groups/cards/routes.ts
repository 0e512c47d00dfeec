import type { Route } from '@mintmark/server-kit'
import type { GatewayContext } from '../../context.ts'
import { commemorativeCardRoutes } from './commemorative-cards.ts'
import { eventCardRoutes } from './event-cards.ts'
import { membershipCardRoutes } from './membership-cards.ts'
import { promoCodeCardRoutes } from './promo-code-cards.ts'

export const cardsRoutes: readonly Route<GatewayContext>[] = [
  ...commemorativeCardRoutes,
  ...eventCardRoutes,
  ...membershipCardRoutes,
  ...promoCodeCardRoutes,
]
