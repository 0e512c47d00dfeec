import type { Migration } from '@mintmark/server-kit'
import { projects } from './0001-projects.ts'
import { wallet } from './0002-wallet.ts'
import { contracts } from './0003-contracts.ts'
import { inventory } from './0004-inventory.ts'
import { cards } from './0005-cards.ts'
import { minting } from './0006-minting.ts'
import { market } from './0007-market.ts'
import { orders } from './0008-orders.ts'
import { mintReservations } from './0009-mint-reservations.ts'
import { indexer } from './0010-indexer.ts'
import { initialStatistics } from './0012-initial-statistics.ts'
import { defaultLimits } from './0013-default-limits.ts'
import { paymentsPerProject } from './0020-payments-per-project.ts'
import { keyPrivileges } from './0021-key-privileges.ts'
import { stuckOrders } from './0022-stuck-orders.ts'
import { transfersOnce } from './0030-transfers-once.ts'
import { listIndexes } from './0040-list-indexes.ts'
import { keywordIndexes } from './0041-keyword-indexes.ts'
import { mintResolutions } from './0060-mint-resolutions.ts'
import { events } from './0070-events.ts'
import { fairEvents } from './0071-fair-events.ts'
import { passedTimes } from './0072-passed-times.ts'
import { webhooks } from './0080-webhooks.ts'
import { eventSizes } from './0090-event-sizes.ts'
import { verificationCounts } from './0091-verification-counts.ts'
import { reservedUnits } from './0092-reserved-units.ts'
import { creationTimes } from './0093-creation-times.ts'
import { references } from './0094-references.ts'
import { publishableKeys } from './0096-publishable-keys.ts'
import { audit } from './0100-audit.ts'
import { people } from './0110-people.ts'
import { totals } from './0120-totals.ts'
import { auditHashes } from './0121-audit-hashes.ts'
import { listCreationTimes } from './0122-list-creation-times.ts'
import { saleReferences } from './0123-sale-references.ts'
import { cardValidity } from './0125-card-validity.ts'
import { sessionEnds } from './0127-session-ends.ts'
import { dueTurns } from './0133-due-turns.ts'
import { operatorInvitations } from './0135-operator-invitations.ts'

/**
 * The migrations of the gateway's schema, in order. A released migration never changes; add another one
 * instead.
 */
export const migrations: readonly Migration[] = [
  projects,
  wallet,
  contracts,
  inventory,
  cards,
  minting,
  market,
  orders,
  mintReservations,
  indexer,
  initialStatistics,
  defaultLimits,
  paymentsPerProject,
  keyPrivileges,
  stuckOrders,
  transfersOnce,
  listIndexes,
  keywordIndexes,
  mintResolutions,
  events,
  fairEvents,
  passedTimes,
  webhooks,
  eventSizes,
  verificationCounts,
  reservedUnits,
  creationTimes,
  references,
  publishableKeys,
  audit,
  people,
  totals,
  auditHashes,
  listCreationTimes,
  saleReferences,
  cardValidity,
  sessionEnds,
  dueTurns,
  operatorInvitations,
]
export const SCHEMA = 'gateway'
/** The role of the servers' queries. It owns nothing, so that row-level security applies to it. */
export const ROLE = 'mintmark_gateway'
