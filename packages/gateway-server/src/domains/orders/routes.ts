import type { Route } from '@mintmark/server-kit'
import type { GatewayContext } from '../../http/context.ts'
import type { OrderPorts } from './order-ports.ts'
import { orderRoutes } from './orders.ts'

export const ordersRoutes: readonly Route<GatewayContext & OrderPorts>[] = [...orderRoutes]
