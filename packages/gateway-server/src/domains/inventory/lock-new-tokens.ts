import { sql } from 'kysely'
import type { Tenant } from '../../database/tenant.ts'

/**
 * Prevents that a token gets two first owners. Until the transaction ends, additions of NFTs (`shared`) and
 * mints (`exclusive`) of one contract wait for each other. It is the last lock before the rows of the tokens.
 */
export async function lockNewTokens(
  trx: Tenant,
  contract: { readonly chain_id: string; readonly nft_address: string },
  mode: 'shared' | 'exclusive',
): Promise<void> {
  const lock = `gateway.assets/new/${trx.project}/${contract.chain_id}/${contract.nft_address}`
  const acquire = sql.raw(mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')
  await sql`select ${acquire}(hashtextextended(${lock}, 0))`.execute(trx)
}
