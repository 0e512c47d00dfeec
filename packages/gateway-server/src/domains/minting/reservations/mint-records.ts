import type { Mint, MintCounts } from '@mintmark/minting'
import { sql } from 'kysely'
import type { Tenant } from '../../../database/tenant.ts'
import type { ContractRow } from '../../contracts/contracts/contracts-store.ts'
import type { Collection, Program } from '../collections/collections-store.ts'
import * as reservations from './reservations-store.ts'

type ContractAddress = Pick<ContractRow, 'nft_address'>

export function toMintFields(row: reservations.MintRow, contract: ContractAddress, phase: string) {
  return {
    createTime: row.created_at.toISOString(),
    createTimeLong: row.created_at.getTime(),
    id: row.id,
    nftAddress: contract.nft_address,
    nftId: row.nft === 0 ? '' : String(row.nft),
    orderNo: row.order_no,
    payTokenAddress: row.pay_token_address,
    phase,
    price: row.price,
    projectId: row.project_id,
    quantity: row.quantity,
    recipient: row.recipient,
    status: row.status,
    uid: row.uid,
    validUntil: new Date(row.valid_until * 1000).toISOString(),
  }
}

export function toMint(row: reservations.MintRow, contract: ContractAddress, phase: string): Mint {
  return { ...toMintFields(row, contract, phase), hash: row.hash, tokenId: row.token_id }
}

/** Counts a collection's NFTs by status. An expired draw counts as displayed. */
export async function countMints(
  tenant: Tenant,
  program: Program,
  { contract, stored }: Collection,
): Promise<MintCounts> {
  const ofContract =
    program === 'lazy'
      ? sql`program = 'lazy' and contract_id = ${contract.id}`
      : sql`program = 'product' and nft_address = ${contract.nft_address}`
  const { rows } = await sql<{ status: string; count: number }>`
    select case when status = 'RESERVED' and reserved_until <= clock_timestamp() then 'DISPLAY' else status end as status,
      count(*)::bigint as count
    from gateway.mintable_nfts where project_id = ${tenant.project} and ${ofContract} and not deleted
    group by 1`.execute(tenant)
  const count = (status: string) => rows.find((row) => row.status === status)?.count ?? 0
  return {
    displayed: count('DISPLAY'),
    hidden: count('HIDDEN'),
    minted: count('MINTED'),
    mintedTokens: stored ? await reservations.countMintedTokens(tenant, stored.id) : 0,
    reserved: count('RESERVED'),
  }
}
