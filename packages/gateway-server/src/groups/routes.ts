import type { Route } from '@mintmark/server-kit'
import type { GatewayContext } from '../context.ts'
import { withAddressCheck } from './address-input.ts'
import { cardsRoutes } from './cards/routes.ts'
import { contractsRoutes } from './contracts/routes.ts'
import { marketRoutes } from './market/routes.ts'
import { ordersRoutes } from './orders/routes.ts'
import { walletRoutes } from './wallet/routes.ts'

/** Every operation of the gateway with its handler. */
export const routes: readonly Route<GatewayContext>[] = [
  ...walletRoutes,
  ...cardsRoutes,
  ...contractsRoutes,
  ...marketRoutes,
  ...ordersRoutes,
].map(withAddressCheck)
