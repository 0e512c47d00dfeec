import { type Chain, describeChainError } from '@mintmark/evm-reader'
import type { Kysely } from 'kysely'
import { readTreasuryBalance } from '../../chains/evm/deposits/treasury-balance.ts'
import { asHex } from '../../chains/evm/reads/transfer.ts'
import type { Tables } from '../../database/tables.ts'
import type { LedgerCheckOptions } from '../../ledger/check/check.ts'

/** What a check of the ledger compares it with, and why a part of it was not read. */
export interface TreasuryReading {
  readonly checks: LedgerCheckOptions
  /** Why the treasury's present balance was not read; `''` if it was. */
  readonly balanceProblem: string
  /** Why the deposits are not compared; `''` if they are. */
  readonly depositsProblem: string
  /** Whether the chain is configured and could not be read. */
  readonly isUnreadable: boolean
}

export interface TreasuryToRead {
  /** The chain of the treasury. Undefined if it is not among CHAINS. */
  readonly chain: Chain | undefined
  readonly address: string | undefined
  /** Wei in the treasury that, according to the operator, are not deposits. */
  readonly surplus: bigint
}

/**
 * Reads the treasury's balances now, and at the last block whose deposits were read. A chain that cannot be
 * read is no error.
 */
export async function readTreasuryState(
  db: Kysely<Tables>,
  { chain, address, surplus }: TreasuryToRead,
): Promise<TreasuryReading> {
  if (chain === undefined || address === undefined) {
    const reason = 'not read: TREASURY_CHAIN is not among CHAINS'
    return { checks: {}, balanceProblem: reason, depositsProblem: reason, isUnreadable: false }
  }
  let treasury: bigint
  try {
    treasury = await chain.client.getBalance({ address: asHex(address) })
  } catch (error) {
    const reason = describeChainError(error)
    return { checks: {}, balanceProblem: reason, depositsProblem: reason, isUnreadable: true }
  }
  try {
    const treasuryAtBlock = await readTreasuryBalance(db, chain, address)
    const depositsProblem = treasuryAtBlock === undefined ? 'not compared: no deposits were read yet' : ''
    const checks = { treasury, treasuryAtBlock, surplus }
    return { checks, balanceProblem: '', depositsProblem, isUnreadable: false }
  } catch (error) {
    const reason = `not compared: the node has no balance for the last block read (${describeChainError(error)})`
    return { checks: { treasury }, balanceProblem: '', depositsProblem: reason, isUnreadable: false }
  }
}
