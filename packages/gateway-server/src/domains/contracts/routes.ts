import type { Route } from '@mintmark/server-kit'
import type { GatewayContext } from '../../http/context.ts'
import { assetRoutes } from './assets/assets.ts'
import type { ContractPorts } from './contract-ports.ts'
import { contractRoutes } from './contracts/contracts.ts'
import { nftRoutes } from './nfts/nfts.ts'

export const contractsRoutes: readonly Route<GatewayContext & ContractPorts>[] = [
  ...contractRoutes,
  ...nftRoutes,
  ...assetRoutes,
]
