import type { Route } from '@mintmark/server-kit'
import type { GatewayContext } from '../../http/context.ts'
import { lazyMintingRoutes } from './lazy-minting/lazy-minting.ts'

export const mintingRoutes: readonly Route<GatewayContext>[] = lazyMintingRoutes
