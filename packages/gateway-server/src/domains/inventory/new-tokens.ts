import { sql } from 'kysely'
import { zeroAddress } from 'viem'
import type { Tenant } from '../../database/tenant.ts'
import { increase } from './assets-store.ts'
import { lockNewTokens } from './lock-new-tokens.ts'
import { recordTransfer } from './transfers-store.ts'

/** The tokens of a mint: those of an ERC-721 have ids that follow each other, those of an ERC-1155 have one id. */
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

/** Adds the minted units of an ERC-1155's token to what their recipient owns. */
async function issueUnits(trx: Tenant, mint: MintedTokens): Promise<void> {
  const { contract, firstId, quantity, owner, orderNo, hash } = mint
  const token = { chainId: contract.chain_id, nftAddress: contract.nft_address, nftId: firstId }
  await increase(trx, { ...token, nftType: contract.nft_type, owner }, quantity)
  const transfer = { from: zeroAddress, to: owner, quantity: String(quantity), orderNo, hash }
  await recordTransfer(trx, { ...contract, project_id: trx.project, nft_id: firstId }, transfer)
}

/**
 * Gives minted tokens of a contract that is not indexed to their recipient. A token of an ERC-721 that a
 * wallet owns already keeps its owner. Larger mints than `MAX_MINTED_TOKENS` of an ERC-721 get no owners: then it
 * returns false.
 */
export async function issueMinted(trx: Tenant, mint: MintedTokens): Promise<boolean> {
  const { contract, firstId, quantity, owner, orderNo, hash } = mint
  if (contract.indexed) return true
  if (contract.nft_type === 'ERC1155') {
    await lockNewTokens(trx, contract, 'exclusive')
    await issueUnits(trx, mint)
    return true
  }
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
