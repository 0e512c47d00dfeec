import * as admin from '@mintmark/admin'
import * as cards from '@mintmark/cards'
import * as contracts from '@mintmark/contracts'
import * as envelope from '@mintmark/envelope'
import * as events from '@mintmark/events'
import * as market from '@mintmark/market'
import * as minting from '@mintmark/minting'
import * as orders from '@mintmark/orders'
import { createOpenApiDocument, type Descriptions, nameSchemas } from '@mintmark/server-kit'
import * as wallet from '@mintmark/wallet'
import { version } from '../version.ts'
import { routes } from './routes.ts'

export const GATEWAY_TITLE = 'Mintmark marketplace gateway'

/** Creates the OpenAPI document of a gateway at `serverUrl`. */
export function createGatewayDocument(serverUrl: string, descriptions: Descriptions | undefined): object {
  const limits = new Map(routes.map((route) => [route.operation, route.limits]))
  return createOpenApiDocument({
    title: GATEWAY_TITLE,
    version,
    description:
      'Wallets, cards, contracts, market and orders of digital collectibles. Every call is signed.',
    serverUrl,
    operations: routes.map((route) => route.operation),
    getLimits: (operation) => limits.get(operation),
    descriptions,
    names: nameSchemas(envelope, minting, wallet, cards, contracts, market, orders, events, admin),
    events: { event: events.GatewayEvent, name: 'GatewayEvent', types: events.eventTypes },
  })
}
