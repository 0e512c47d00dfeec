import type { Chain } from '@mintmark/evm-reader'
import type { Kysely } from 'kysely'
import { readTreasuryBalance } from '../../chains/evm/deposits/treasury-balance.ts'
import type { Tables } from '../../database/tables.ts'
import { compareTreasury } from '../../ledger/check/treasury.ts'

export interface TreasuryMonitorOptions {
  readonly db: Kysely<Tables>
  readonly chain: Chain
  /** The treasury's address. */
  readonly address: string
  /** Wei in the treasury that, according to the operator, are not deposits. */
  readonly surplus: bigint
}

export interface TreasuryMonitor {
  /**
   * Compares the treasury's balance with the credited deposits.
   *
   * @throws The error of the chain or the database.
   */
  run(): Promise<void>
  /**
   * Returns the unexplained balance of the last comparison, in whole native tokens by chain id. Empty before
   * the first one.
   */
  getUnexplained(): Map<string, number>
}

const WEI_PER_TOKEN = 1e18

/**
 * Creates the monitor of the treasury's balance. A job runs it, because a comparison reads all deposits,
 * which a scrape must not.
 */
export function createTreasuryMonitor({
  db,
  chain,
  address,
  surplus,
}: TreasuryMonitorOptions): TreasuryMonitor {
  let latest = new Map<string, number>()
  return {
    async run() {
      const treasury = await readTreasuryBalance(db, chain, address)
      if (treasury === undefined) return
      const { unexplained } = await compareTreasury(db, treasury, surplus)
      latest = new Map([[String(treasury.chainId), Number(unexplained) / WEI_PER_TOKEN]])
    },
    getUnexplained: () => latest,
  }
}
