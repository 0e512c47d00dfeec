import type { Route } from '@mintmark/server-kit'
import type { GatewayContext } from '../../http/context.ts'
import { addressBookRoutes } from './address-book.ts'
import { fanRoutes } from './fans.ts'
import { followRoutes } from './follows.ts'
import { wordRoutes } from './messages/messages.ts'
import { walletInfoRoutes } from './profile.ts'

export const walletRoutes: readonly Route<GatewayContext>[] = [
  ...walletInfoRoutes,
  ...addressBookRoutes,
  ...fanRoutes,
  ...followRoutes,
  ...wordRoutes,
]
