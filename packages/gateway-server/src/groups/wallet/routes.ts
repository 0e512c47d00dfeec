import type { Route } from '@mintmark/server-kit'
import type { GatewayContext } from '../../context.ts'
import { addressBookRoutes } from './address-book.ts'
import { fanRoutes } from './fans.ts'
import { followRoutes } from './follows.ts'
import { walletInfoRoutes } from './wallet-info.ts'
import { wordRoutes } from './words.ts'

export const walletRoutes: readonly Route<GatewayContext>[] = [
  ...walletInfoRoutes,
  ...addressBookRoutes,
  ...fanRoutes,
  ...followRoutes,
  ...wordRoutes,
]
