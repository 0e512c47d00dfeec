import type { Chains } from '@mintmark/evm-reader'
import { sql } from 'kysely'
import type { Store } from '../../../database/store.ts'

/**
 * Records the newest block of each chain. New settlements store it, and the use of their nonce is searched
 * from there. A recorded block may be old, but the chain had it when it was recorded.
 *
 * @throws The error of a chain that cannot be read, after the other chains were recorded.
 */
export async function recordHeads(db: Store, chains: Chains): Promise<void> {
  const results = await Promise.allSettled(
    chains.all.map(async ({ network, newestBlock }) => recordHead(db, network, await newestBlock())),
  )
  for (const result of results) {
    if (result.status === 'rejected') throw result.reason
  }
}

async function recordHead(db: Store, network: string, block: bigint): Promise<void> {
  await sql`
    insert into facilitator.chain_heads (network, block_number) values (${network}, ${block})
    on conflict (network) do update set block_number = excluded.block_number, observed_at = clock_timestamp()`.execute(
    db,
  )
}
