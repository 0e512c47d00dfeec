import type { Route } from '@mintmark/server-kit'
import type { GatewayContext } from '../../context.ts'
import { commonSaleRoutes } from './common-sales.ts'
import { productCardRoutes } from './product-cards.ts'

export const marketRoutes: readonly Route<GatewayContext>[] = [...commonSaleRoutes, ...productCardRoutes]
