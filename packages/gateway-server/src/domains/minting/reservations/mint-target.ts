import { NotFoundError } from '@mintmark/envelope'
import { OUT_OF_STOCK } from '@mintmark/minting'
import { refusal } from '@mintmark/server-kit'
import type { GatewayContext } from '../../../http/context.ts'
import type { Collection, Program } from '../collections/collections-store.ts'
import * as mintable from '../nfts/mintable-store.ts'
import { type MintTarget, NO_NFT } from './reserve.ts'

type Context = Pick<GatewayContext, 'tenant'> & {
  invalid(field: string, message: string): never
}

/**
 * Reads what a call wants to mint: an NFT, or, without an id, units of a collection's own token; of product
 * cards the first NFT with enough units left.
 */
export async function readTarget(
  { tenant, invalid }: Context,
  program: Program,
  { contract, stored }: Collection,
  { nftId, quantity }: { readonly nftId?: string | undefined; readonly quantity: number },
): Promise<Exclude<MintTarget, 'random'>> {
  if (nftId !== undefined) {
    if (program === 'lazy' && quantity !== 1) invalid('quantity', 'Expected 1: every NFT exists once')
    if (!/^[1-9]\d{0,14}$/.test(nftId)) throw refusal(NotFoundError, NO_NFT)
    return { nft: Number(nftId) }
  }
  if (program === 'lazy') {
    if (!stored?.token_uri)
      invalid('nftId', 'Expected an NFT: the collection has no tokenUri to mint by quantity')
    return 'own'
  }
  const nft = await mintable.firstProduct(tenant, {
    nftAddress: contract.nft_address,
    quantity,
  })
  if (nft === undefined) {
    const remaining = await mintable.countMostLeft(tenant, contract.nft_address)
    throw refusal(OUT_OF_STOCK, { remaining })
  }
  return { nft }
}
