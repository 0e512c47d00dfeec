import type {
  Mint,
  MintCounts,
  MintSignature,
  Presale,
  PresalePhase,
  Previews,
  WhitelistEntry,
} from '@mintmark/minting'
import { sql } from 'kysely'
import type { Tenant } from '../../../database/tenant.ts'
import type { ContractRow } from '../../contracts/contracts/contracts-store.ts'
import type * as phases from '../phases/phases-store.ts'
import * as reservations from '../reservations/reservations-store.ts'
import { mintDomain, payloadOf } from '../signatures/mint-request.ts'
import type { EntryRow } from '../whitelist/whitelist-store.ts'
import type { Collection, Program } from './collections-store.ts'

export function presaleOf(
  { contract }: Pick<Collection, 'contract'>,
  rows: readonly (phases.PhaseRow & { open: boolean })[],
): Presale {
  return {
    active: rows.find(({ open }) => open)?.name ?? '',
    nftAddress: contract.nft_address,
    phases: rows.map(toPhase),
  }
}

export function toPhase(row: phases.PhaseRow): PresalePhase {
  return {
    claimed: row.claimed,
    endTime: row.end_time.toISOString(),
    id: row.id,
    limitPerWallet: row.limit_per_wallet,
    maxClaimable: row.max_claimable,
    merkleRoot: row.merkle_root,
    name: row.name,
    payTokenAddress: row.pay_token_address,
    price: row.price,
    pricedBy: row.priced_by,
    startTime: row.start_time.toISOString(),
    whitelistMode: row.whitelist_mode,
  }
}

export function previewsOf({ contract, stored }: Collection): Previews {
  return {
    items: (stored?.previews ?? []).map(({ url, mediaFileType = '', name = '' }) => ({
      url,
      mediaFileType,
      name,
    })),
    nftAddress: contract.nft_address,
  }
}

export function entryOf(row: EntryRow, phase: string): WhitelistEntry {
  return {
    address: row.address,
    createTime: row.created_at.toISOString(),
    id: row.id,
    limit: row.wallet_limit,
    phase,
    projectId: row.project_id,
  }
}

type ContractAddress = Pick<ContractRow, 'nft_address'>

function mintFieldsOf(row: reservations.MintRow, contract: ContractAddress, phase: string) {
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

export function mintOf(row: reservations.MintRow, contract: ContractAddress, phase: string): Mint {
  return { ...mintFieldsOf(row, contract, phase), hash: row.hash, tokenId: row.token_id }
}

export function signatureOf(row: reservations.MintRow, contract: ContractRow, phase: string): MintSignature {
  return {
    ...mintFieldsOf(row, contract, phase),
    domain: mintDomain(contract.chain_id, contract.nft_address),
    payload: payloadOf(row),
    signature: row.signature,
    signer: row.minter,
  }
}

const NFTS = { lazy: sql.table('gateway.lazy_nfts'), product: sql.table('gateway.product_nfts') }

/** Counts a collection's NFTs by status. An expired draw counts as displayed. */
export async function countsOf(
  tenant: Tenant,
  program: Program,
  { contract, stored }: Collection,
): Promise<MintCounts> {
  const shown =
    program === 'lazy'
      ? sql`case when status = 'RESERVED' and reserved_until <= clock_timestamp() then 'DISPLAY' else status end`
      : sql`status`
  const { rows } = await sql<{ status: string; count: number }>`
    select ${shown} as status, count(*)::bigint as count from ${NFTS[program]}
    where project_id = ${tenant.project} and nft_address = ${contract.nft_address} and not deleted
      ${program === 'lazy' ? sql`and contract_id = ${contract.id}` : sql``}
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
