import type { Route } from '@mintmark/server-kit'
import type { GatewayContext } from '../../context.ts'
import { contractRoutes } from './contracts.ts'

export const contractsRoutes: readonly Route<GatewayContext>[] = [...contractRoutes]
