import { type EventSource, eventSource } from '../../../database/event-source.ts'
import * as nfts from '../../minting/nfts/product-nfts-store.ts'
import { toTokenDataChange } from './product-cards.ts'

/** The events about the NFTs of product cards and their token data. */
export const productCardEventSources: readonly EventSource[] = [
  eventSource('gateway.product_nfts', ({ before, after }) => {
    if (after === undefined || (after.deleted && before?.deleted)) return []
    const verb = before === undefined ? 'created' : after.deleted ? 'removed' : 'updated'
    const data = nfts.toProductNft(after)
    return [{ type: `product_nft.${verb}`, subject: `product_nft/${after.id}`, data }]
  }),
  eventSource('gateway.token_data_changes', async ({ before, after }, { tenant }) => {
    if (before !== undefined || after === undefined) return []
    // The NFT may have been removed meanwhile, which is a later event.
    const nft = await tenant
      .selectFrom('gateway.product_nfts')
      .selectAll()
      .where('id', '=', after.nft)
      .executeTakeFirstOrThrow()
    const data = toTokenDataChange(nft, after)
    return [{ type: 'product_nft.token_data_changed', subject: `product_nft/${nft.id}`, data }]
  }),
]
