import type { Kysely } from 'kysely'
import type { AuditTables } from './tables/audit.ts'
import type { CardTables } from './tables/cards.ts'
import type { ContractTables } from './tables/contracts.ts'
import type { EventTables } from './tables/events.ts'
import type { IndexerTables } from './tables/indexer.ts'
import type { KeyTables } from './tables/keys.ts'
import type { MarketTables } from './tables/market.ts'
import type { MediaTables } from './tables/media.ts'
import type { MintingTables } from './tables/minting.ts'
import type { OperatorTables } from './tables/operator.ts'
import type { OrderTables } from './tables/orders.ts'
import type { PeopleTables } from './tables/people.ts'
import type { TotalTables } from './tables/totals.ts'
import type { WalletTables } from './tables/wallet.ts'
import type { WebhookTables } from './tables/webhooks.ts'

/** The tables of the gateway's schema, for Kysely. Each domain has its own file. */
export interface Tables
  extends KeyTables,
    WalletTables,
    ContractTables,
    IndexerTables,
    CardTables,
    MarketTables,
    MediaTables,
    MintingTables,
    OrderTables,
    EventTables,
    WebhookTables,
    AuditTables,
    PeopleTables,
    TotalTables,
    OperatorTables {}

/** A connection, or a transaction, bound to the schema of the gateway. */
export type Db = Kysely<Tables>
