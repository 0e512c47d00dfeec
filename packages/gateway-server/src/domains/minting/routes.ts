import type { Route } from '@mintmark/server-kit'
import type { GatewayContext } from '../../http/context.ts'
import { lazyMintingRoutes } from './lazy-minting/lazy-minting.ts'
import type { MintPorts } from './mint-ports.ts'

export const mintingRoutes: readonly Route<GatewayContext & MintPorts>[] = lazyMintingRoutes
