import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../tables.ts'

/**
 * Holds a wallet until the transaction ends, whether or not it has an account: a deposit must not go to suspense while
 * the account it belongs to is being opened.
 */
export async function lockPayer(trx: Transaction<Tables>, payer: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mintmark payer ${payer}`}, 0))`.execute(trx)
}
