import {
  operatorProjects,
  operators,
  serverAudit,
  serverHealth,
  session,
  stuckMints,
  stuckOrders,
} from '@mintmark/admin'
import { adminSamples } from './admin.ts'
import { auctionSamples } from './auctions.ts'
import { auditSamples } from './audit.ts'
import { cardsSamples } from './cards.ts'
import { contractsSamples } from './contracts.ts'
import { eventSamples } from './events.ts'
import { marketSamples } from './market.ts'
import { mintingSamples } from './minting.ts'
import { offerSamples } from './offers.ts'
import { orderSamples } from './orders.ts'
import { productCardSamples } from './product-cards.ts'
import { salesSamples } from './sales.ts'
import type { Sample } from './sample.ts'
import { searchSamples } from './search.ts'
import { totalsSamples } from './totals.ts'
import { walletSamples } from './wallet.ts'
import { webhookSamples } from './webhooks.ts'

/**
 * The operations that refuse keys, because they belong to people with a session. `people.test.ts` calls them.
 */
export const SESSION_OPERATIONS: ReadonlySet<string> = new Set([session.get.id])

/** The operations of operators, which belong to no project. `operator.test.ts` calls them. */
export const OPERATOR_OPERATIONS: ReadonlySet<string> = new Set(
  [operatorProjects, operators, serverAudit, serverHealth, stuckMints, stuckOrders].flatMap((group) =>
    Object.values(group).flatMap((member) => ('id' in member ? [member.id] : [])),
  ),
)

/** One sample for each operation of the gateway that keys can call. */
export const samples: readonly Sample[] = [
  ...cardsSamples,
  ...marketSamples,
  ...salesSamples,
  ...auctionSamples,
  ...offerSamples,
  ...orderSamples,
  ...walletSamples,
  ...contractsSamples,
  ...mintingSamples,
  ...productCardSamples,
  ...eventSamples,
  ...webhookSamples,
  ...auditSamples,
  ...searchSamples,
  ...adminSamples,
  ...totalsSamples,
]
