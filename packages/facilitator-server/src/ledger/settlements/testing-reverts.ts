import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../database/tables.ts'

/** Stores another transaction that reverted for a settlement, as the built-in upstream does. */
export async function storeRevert(db: Kysely<Tables>, settlementId: number): Promise<void> {
  const hash = `0x${randomBytes(32).toString('hex')}`
  await sql`
    insert into facilitator.transactions (chain_id, signer, nonce, purpose, settlement_id, domain, payer,
      authorization_nonce, recipient, data, gas, state, hash, succeeded, block_number, block_hash)
    select 84532, 'signer', nextval('facilitator.transactions_id_seq'), 'settle', id, domain, payer, ${hash},
      'token', '0x', 1, 'final', ${hash}, false, 1, '0xb'
    from facilitator.settlements where id = ${settlementId}`.execute(db)
}
