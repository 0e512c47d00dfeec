import type { Route } from '@mintmark/server-kit'
import { type AuditPorts, auditRoutes } from '../domains/audit/audit-handlers.ts'
import type { CardPorts } from '../domains/cards/card-ports.ts'
import { cardsRoutes } from '../domains/cards/routes.ts'
import type { ContractPorts } from '../domains/contracts/contract-ports.ts'
import { contractsRoutes } from '../domains/contracts/routes.ts'
import { type EventPorts, eventRoutes } from '../domains/events/event-handlers.ts'
import type { MarketPorts } from '../domains/market/market-ports.ts'
import { marketRoutes } from '../domains/market/routes.ts'
import { keepPictures } from '../domains/media/keep-pictures.ts'
import type { MediaPorts } from '../domains/media/media-ports.ts'
import { mediaRoutes } from '../domains/media/routes.ts'
import type { MintPorts } from '../domains/minting/mint-ports.ts'
import { mintingRoutes } from '../domains/minting/routes.ts'
import type { OrderPorts } from '../domains/orders/order-ports.ts'
import { ordersRoutes } from '../domains/orders/routes.ts'
import type { PeoplePorts } from '../domains/people/people-port.ts'
import { adminRoutes } from '../domains/people/routes.ts'
import { searchRoutes } from '../domains/search/search-handlers.ts'
import { reportRoutes } from '../domains/totals/report-handlers.ts'
import { type TotalsPorts, totalsRoutes } from '../domains/totals/totals-handlers.ts'
import { walletRoutes } from '../domains/wallet/routes.ts'
import { webhookRoutes } from '../domains/webhooks/webhook-handlers.ts'
import type { WebhookPorts } from '../domains/webhooks/webhook-port.ts'
import { type GatewayContext, withPorts } from '../http/context.ts'
import { operatorRoutes } from '../operator/operator-handlers.ts'
import type { OperatorPorts } from '../operator/operator-port.ts'
import { createValidatingRoutes } from './validation.ts'

/** What the domains need of the server. */
export type GatewayPorts = AuditPorts &
  CardPorts &
  ContractPorts &
  EventPorts &
  MarketPorts &
  MediaPorts &
  MintPorts &
  OperatorPorts &
  OrderPorts &
  PeoplePorts &
  TotalsPorts &
  WebhookPorts

/** Every operation of the gateway with its limits. */
export const routes: readonly Route<GatewayContext & GatewayPorts>[] = [
  ...walletRoutes,
  ...cardsRoutes,
  ...mediaRoutes,
  ...contractsRoutes,
  ...mintingRoutes,
  ...marketRoutes,
  ...ordersRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...adminRoutes,
  ...operatorRoutes,
  ...auditRoutes,
  ...searchRoutes,
  ...totalsRoutes,
  ...reportRoutes,
]

/** Creates the routes of a server: each domain gets its ports. */
export function createRoutes(ports: GatewayPorts): readonly Route<GatewayContext>[] {
  const { publicUrl, storeTimeZone, chains, indexedContracts, ownership, eventStreams, webhooks } = ports
  const { mintChain, minters, orders, orderSettings, findInventory, operator, owner } = ports
  const { people, knownScopes, publishableScopes, hasFacilitator, media, mailer } = ports
  const minting = { mintChain, minters, orders, orderSettings }
  const domains = [
    ...walletRoutes,
    ...withPorts(cardsRoutes, { publicUrl, storeTimeZone }),
    ...withPorts(contractsRoutes, { chains, indexedContracts, ownership }),
    ...withPorts(mintingRoutes, minting),
    ...withPorts(marketRoutes, { ...minting, chains }),
    ...withPorts(ordersRoutes, { chains, findInventory, orders, orderSettings }),
  ]
  const all = [
    ...domains,
    ...createValidatingRoutes(domains),
    ...withPorts(mediaRoutes, { media, publicUrl }),
    ...withPorts(eventRoutes, { eventStreams }),
    ...withPorts(webhookRoutes, { webhooks }),
    ...withPorts(adminRoutes, {
      people,
      knownScopes,
      publishableScopes,
      publicUrl,
      mailer,
      hasFacilitator,
    }),
    ...withPorts(operatorRoutes, { operator, publicUrl, mailer }),
    ...withPorts(auditRoutes, { owner }),
    ...searchRoutes,
    ...withPorts([...totalsRoutes, ...reportRoutes], { storeTimeZone }),
  ]
  return keepPictures(all, publicUrl)
}
