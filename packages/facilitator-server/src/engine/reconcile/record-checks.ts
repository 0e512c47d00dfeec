import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { Block } from '../../ledger/settlements/rules.ts'
import type { Settlement } from '../../ledger/settlements/settlement.ts'

/** A check of a claimed settlement that changed no state. */
export interface Check {
  readonly settlement: Pick<Settlement, 'id' | 'attempt' | 'state'>
  /** Milliseconds until the next check. Null if nothing is left to find out. */
  readonly nextCheck: number | null
  /** Whether the payment's block is final now. */
  readonly final: boolean
  /** A mined transaction that may have made the payment, for those who wait for its outcome. */
  readonly transaction?: string
  /** Where the payment was found, if it was not known. */
  readonly location?: { readonly transaction: string; readonly block: Pick<Block, 'number' | 'hash'> }
}

/**
 * Records checks in one statement, whose commit does not wait for the disk. A row that its reconciler no
 * longer owns stays unchanged.
 */
export async function recordChecks(db: Kysely<Tables>, checks: readonly Check[]): Promise<void> {
  const items = checks.map(
    ({ settlement: { id, attempt, state }, nextCheck, final, transaction, location }) => ({
      id,
      attempt,
      state,
      lease_seconds: nextCheck === null ? null : nextCheck / 1000,
      transaction: location?.transaction ?? transaction ?? null,
      block_number: location?.block.number.toString() ?? null,
      block_hash: location?.block.hash ?? null,
      final,
    }),
  )
  await sql`select from facilitator.record_checks(${JSON.stringify(items)}::jsonb)`.execute(db)
}
