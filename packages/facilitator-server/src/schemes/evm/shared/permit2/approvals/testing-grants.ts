import { sql } from 'kysely'
import type { Store } from '../../../../../database/store.ts'

/** Grants to store, in wei. */
export interface StoredGrants {
  /** The settlement for which they were given. */
  readonly settlementId: number
  readonly accountId: number
  readonly count: number
  /** Makes their wallets and nonces unique. At most 7 hex digits. */
  readonly prefix: string
  readonly amount?: bigint
}

/**
 * Stores mined grants of wallets without a chain, oldest first, and counts them in the total of the day. The
 * wallets are the prefix and a number from 1.
 */
export async function storeGrants(
  db: Store,
  { settlementId, accountId, count, prefix, amount = 5n }: StoredGrants,
): Promise<void> {
  await sql`
    with wallets as (
      select n, '0x' || rpad(${prefix}, 8, '0') || lpad(to_hex(n), 32, '0') as wallet from generate_series(1, ${count}::int) n
    ), transfers as (
      insert into facilitator.transactions (chain_id, signer, nonce, purpose, recipient, data, gas, value, state, hash,
        succeeded, block_number, block_hash)
      select 84532, ${prefix}, n, 'grant', wallet, '0x', 21000, ${amount}, 'final', '0x' || rpad(${prefix}, 8, '0')
        || lpad(to_hex(n), 56, '0'), true, 1, '0x01' from wallets order by n
      returning id, recipient
    ), total as (
      insert into facilitator.approval_grant_totals as total (account_id, chain_id, day, cost)
      values (${accountId}, 84532, (clock_timestamp() at time zone 'UTC')::date, ${amount * BigInt(count)})
      on conflict (account_id, chain_id, day) do update set cost = total.cost + excluded.cost
    )
    insert into facilitator.approval_grants (chain_id, payer, asset, account_id, settlement_id, transaction_id, amount, cost,
      approval_hash)
    select 84532, recipient, '0x036cbd53842c5426634e7929541ec2318f3dcf7e', ${accountId}, ${settlementId}, id, ${amount},
      ${amount}, '0x' || repeat('0a', 32) from transfers order by id`.execute(db)
}
