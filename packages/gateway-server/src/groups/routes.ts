import type { Route } from '@mintmark/server-kit'
import type { GatewayContext } from '../context.ts'
import { commemorativeCardRoutes } from './cards/commemorative-cards.ts'
import { eventCardRoutes } from './cards/event-cards.ts'
import { promoCodeCardRoutes } from './cards/promo-code-cards.ts'
import { contractRoutes } from './contracts/contracts.ts'
import { productCardRoutes } from './market/product-cards.ts'
import { orderRoutes } from './orders/orders.ts'
import { walletInfoRoutes } from './wallet/wallet-info.ts'

/** Every operation of the gateway with its handler. */
export const routes: readonly Route<GatewayContext>[] = [
  ...walletInfoRoutes,
  ...promoCodeCardRoutes,
  ...eventCardRoutes,
  ...commemorativeCardRoutes,
  ...contractRoutes,
  ...productCardRoutes,
  ...orderRoutes,
]
