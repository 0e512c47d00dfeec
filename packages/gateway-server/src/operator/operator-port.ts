import type { Chains } from '@mintmark/evm-reader'
import type { JobState } from '@mintmark/server-kit'
import type { Db } from '../database/tables.ts'
import type { FindInventory } from '../domains/inventory/order-inventory.ts'
import type { OrderPort } from '../domains/inventory/order-port.ts'
import type { Mailer } from '../domains/people/mailer.ts'

/** What operators see and decide, in all projects. */
export interface OperatorPort {
  /** Connections of the schema's owner. */
  readonly db: Db
  readonly chains: Chains
  readonly findInventory: FindInventory
  readonly orders: OrderPort
  /** Returns the states of the jobs of this process. */
  listJobs(): readonly JobState[]
  /**
   * Returns the block of each chain at which the indexer of this process cannot continue, by the id of the
   * chain.
   */
  listUnreadableBlocks(): ReadonlyMap<string, number>
}

/** What the operations of operators need of the server. */
export interface OperatorPorts {
  readonly operator: OperatorPort
  /** This server's public URL, without a trailing slash. */
  readonly publicUrl: string
  /** Undefined if the server sends no mails. */
  readonly mailer: Mailer | undefined
}
