import type { Calling } from '../collections/collection-handlers.ts'
import type { Collection, Program } from '../collections/collections-store.ts'
import * as stock from '../nfts/mintable-store.ts'
import type { Wanted } from './reserve.ts'

/** What a call asks to mint, as far as its fields tell. */
interface AskedFields {
  readonly nftId?: string | undefined
  readonly quantity: number
}

/**
 * Reads what is to be minted: an NFT, or, without one, so many of a collection's own token; of product cards the first NFT that has so many
 * left.
 */
export async function readWanted(
  { db, project, invalid }: Pick<Calling, 'db' | 'project' | 'invalid'>,
  program: Program,
  { contract, kept }: Collection,
  { nftId, quantity }: AskedFields,
): Promise<Exclude<Wanted, 'drawn'> | 'unknown' | 'minted_out'> {
  if (nftId !== undefined) {
    if (program === 'lazy' && quantity !== 1) invalid('quantity', 'Expected 1: there is one of each NFT')
    return /^[1-9]\d{0,14}$/.test(nftId) ? { nft: Number(nftId) } : 'unknown'
  }
  if (program === 'lazy') {
    if (!kept?.token_uri)
      invalid('nftId', 'Expected an NFT: the collection has no tokenUri to mint by quantity')
    return 'own'
  }
  const nft = await stock.firstProduct(db, { project, nftAddress: contract.nft_address, quantity })
  return nft === undefined ? 'minted_out' : { nft }
}
