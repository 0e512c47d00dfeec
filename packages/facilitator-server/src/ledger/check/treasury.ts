import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../database/tables.ts'

/** The balance of the treasury contract at the end of a block. Its deposits up to that block were read. */
export interface TreasuryBalance {
  readonly chainId: number
  /** Lower-case. */
  readonly address: string
  readonly block: bigint
  /** Wei. */
  readonly balance: bigint
}

/** The treasury's balance, and the deposits and withdrawals that explain it, in wei. */
export interface TreasuryComparison extends TreasuryBalance {
  readonly credited: bigint
  readonly withdrawn: bigint
  /**
   * The balance minus credited deposits, plus withdrawals, minus `surplus`. Positive: a deposit was not
   * credited, or ether arrived without a deposit. Negative: a credited deposit is not on the chain.
   */
  readonly unexplained: bigint
}

/**
 * Compares the treasury's balance with the credited deposits.
 *
 * @param surplus Wei in the treasury that, according to the operator, are not deposits.
 */
export async function compareTreasury(
  db: Kysely<Tables>,
  treasury: TreasuryBalance,
  surplus = 0n,
): Promise<TreasuryComparison> {
  const { chainId, address, block, balance } = treasury
  const { rows } = await sql<{ credited: string; withdrawn: string }>`
    select
      (select coalesce(sum(d.amount), 0) from facilitator.observed_deposits s
        join facilitator.deposits d using (chain_id, hash, log_index)
        where s.chain_id = ${chainId} and s.treasury = ${address} and d.reversed_at is null
          and s.block_number <= ${block}) as credited,
      (select coalesce(sum(w.amount), 0) from facilitator.treasury_withdrawals w
        where w.chain_id = ${chainId} and w.treasury = ${address} and w.block_number <= ${block}) as withdrawn`.execute(
    db,
  )
  const credited = BigInt(rows[0]?.credited ?? 0)
  const withdrawn = BigInt(rows[0]?.withdrawn ?? 0)
  return { ...treasury, credited, withdrawn, unexplained: balance - credited + withdrawn - surplus }
}
