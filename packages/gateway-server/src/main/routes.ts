import type { Route } from '@mintmark/server-kit'
import { auditRoutes } from '../domains/audit/audit-handlers.ts'
import { cardsRoutes } from '../domains/cards/routes.ts'
import { contractsRoutes } from '../domains/contracts/routes.ts'
import { eventRoutes } from '../domains/events/event-handlers.ts'
import { marketRoutes } from '../domains/market/routes.ts'
import { mintingRoutes } from '../domains/minting/routes.ts'
import { ordersRoutes } from '../domains/orders/routes.ts'
import { adminRoutes } from '../domains/people/routes.ts'
import { totalsRoutes } from '../domains/totals/totals-handlers.ts'
import { walletRoutes } from '../domains/wallet/routes.ts'
import { webhookRoutes } from '../domains/webhooks/webhook-handlers.ts'
import type { GatewayContext } from '../http/context.ts'
import { operatorRoutes } from '../operator/operator-handlers.ts'

/** Every operation of the gateway with its handler. */
export const routes: readonly Route<GatewayContext>[] = [
  ...walletRoutes,
  ...cardsRoutes,
  ...contractsRoutes,
  ...mintingRoutes,
  ...marketRoutes,
  ...ordersRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...adminRoutes,
  ...operatorRoutes,
  ...auditRoutes,
  ...totalsRoutes,
]
