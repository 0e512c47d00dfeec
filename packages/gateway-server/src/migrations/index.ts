import type { Migration } from '@mintmark/server-kit'
import { keys } from './0001-keys.ts'
import { collectibles } from './0002-collectibles.ts'
import { wallet } from './0003-wallet.ts'
import { cards } from './0004-cards.ts'
import { orderTables } from './0005-orders.ts'
import { contracts } from './0006-contracts.ts'
import { minting } from './0007-minting.ts'
import { market } from './0008-market.ts'
import { indexer } from './0009-indexer.ts'
import { payments } from './0010-payments.ts'
import { mintOrders } from './0011-mint-orders.ts'
import { standing } from './0012-standing.ts'
import { lapsedMints } from './0013-lapsed-mints.ts'
import { paymentClaims } from './0015-payment-claims.ts'
import { undecidedMints } from './0016-undecided-mints.ts'
import { textLimits } from './0017-text-limits.ts'
import { listChangeRecords } from './0018-list-changes.ts'
import { initialStatistics } from './0019-initial-statistics.ts'

/** The gateway's schema, in order. Never edit one that was released: add the next. */
export const migrations: readonly Migration[] = [
  keys,
  collectibles,
  wallet,
  cards,
  orderTables,
  contracts,
  minting,
  market,
  indexer,
  payments,
  mintOrders,
  standing,
  lapsedMints,
  paymentClaims,
  undecidedMints,
  textLimits,
  listChangeRecords,
  initialStatistics,
]
export const SCHEMA = 'gateway'
/** The role that queries run under: it owns nothing, so that row-level security binds it. */
export const ROLE = 'mintmark_gateway'
