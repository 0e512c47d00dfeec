import type { Selectable } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { Tenant } from '../../database/tenant.ts'

/** An NFT as far as its ownership is concerned. */
export type OwnedNft = Pick<
  Selectable<Tables['gateway.nfts']>,
  'project_id' | 'chain_id' | 'nft_address' | 'nft_id' | 'nft_type' | 'first_owner' | 'quantity'
>

/** What contracts and NFTs change of who owns what. The inventory implements it, and is above contracts. */
export interface Ownership {
  /** Gives all units of a new NFT to its first owner. Returns false if a wallet owns some already. */
  issue(trx: Tenant, nft: OwnedNft): Promise<boolean>
  /**
   * Removes all units of an NFT. Returns false if some are reserved or another wallet owns some: the caller
   * then rolls back.
   */
  retire(trx: Tenant, nft: OwnedNft): Promise<boolean>
  /**
   * Removes the assets of a removed contract: those of the indexer, and tokens that were minted but not added
   * as NFTs. Returns false if some are reserved: the caller then rolls back.
   */
  clear(trx: Tenant, contract: { readonly chainId: string; readonly nftAddress: string }): Promise<boolean>
}
