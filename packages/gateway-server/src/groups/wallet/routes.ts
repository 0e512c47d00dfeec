import type { Route } from '@mintmark/server-kit'
import type { GatewayContext } from '../../context.ts'
import { walletInfoRoutes } from './wallet-info.ts'

export const walletRoutes: readonly Route<GatewayContext>[] = [...walletInfoRoutes]
