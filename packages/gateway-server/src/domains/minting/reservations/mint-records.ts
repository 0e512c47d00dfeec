import { Mint, type MintCounts } from '@mintmark/minting'
import { sql } from 'kysely'
import type { Tenant } from '../../../database/tenant.ts'
import { toRecord } from '../../../http/record-mapping.ts'
import type { ContractRow } from '../../contracts/contracts/contracts-store.ts'
import type { Collection, Program } from '../collections/collections-store.ts'
import * as reservations from './reservations-store.ts'

type ContractAddress = Pick<ContractRow, 'nft_address'>

/** Returns what the records of mints have of other rows, or in another form. */
export function toMintFields(row: reservations.MintRow, contract: ContractAddress, phase: string) {
  return {
    nftAddress: contract.nft_address,
    nftId: row.nft === 0 ? '' : String(row.nft),
    phase,
    validUntil: new Date(row.valid_until * 1000).toISOString(),
  }
}

export function toMint(row: reservations.MintRow, contract: ContractAddress, phase: string): Mint {
  return toRecord(Mint, row, toMintFields(row, contract, phase))
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
