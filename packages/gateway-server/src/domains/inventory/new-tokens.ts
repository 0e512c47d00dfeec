import { sql } from 'kysely'
import { zeroAddress } from 'viem'
import type { Tenant } from '../../database/tenant.ts'

/** The tokens of a mint, whose ids follow each other. */
export interface MintedTokens {
  readonly contract: {
    readonly chain_id: string
    readonly nft_address: string
    readonly nft_type: string
    /** Whether the chain alone changes who owns its tokens. */
    readonly indexed: boolean
  }
  readonly firstId: string
  readonly quantity: number
  readonly owner: string
  readonly orderNo: string
  readonly hash: string
}

/**
 * The most tokens of one mint that get owners. Contracts and quantities are the project's own, so their
 * number needs a limit.
 */
const MAX_MINTED_TOKENS = 1_000

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

/**
 * Gives minted tokens of a contract that is not indexed to their recipient. A token that a wallet owns
 * already keeps its owner. Larger mints than `MAX_MINTED_TOKENS` get no owners: then it returns false.
 */
export async function issueMinted(trx: Tenant, mint: MintedTokens): Promise<boolean> {
  const { contract, firstId, quantity, owner, orderNo, hash } = mint
  if (contract.indexed) return true
  if (quantity > MAX_MINTED_TOKENS) return false
  await lockNewTokens(trx, contract, 'exclusive')
  await sql`
    with issued as (
      insert into gateway.assets as a (project_id, chain_id, nft_address, nft_id, nft_type, owner, quantity)
      select ${trx.project}::bigint, ${contract.chain_id}::text, ${contract.nft_address}::text,
        (${firstId}::numeric + n)::text, ${contract.nft_type}::text, ${owner}::text, 1
      from generate_series(0, ${quantity}::int - 1) n
      where not exists (
        select from gateway.assets o
        where o.project_id = ${trx.project} and o.chain_id = ${contract.chain_id} and o.nft_address = ${contract.nft_address}
          and o.nft_id = (${firstId}::numeric + n)::text and o.quantity > 0)
      on conflict on constraint assets_owner do update set quantity = 1, updated_at = clock_timestamp() where a.quantity = 0
      returning chain_id, nft_address, nft_id, id
    )
    insert into gateway.transfers (project_id, chain_id, nft_address, nft_id, from_address, to_address, quantity, order_no, hash)
    select ${trx.project}::bigint, chain_id, nft_address, nft_id, ${zeroAddress}, ${owner}, '1', ${orderNo}, ${hash}
    from issued order by id`.execute(trx)
  return true
}
