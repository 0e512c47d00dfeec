import { type EventSource, eventSource } from '../../../database/event-source.ts'
import { toTokenDataChange } from './product-cards.ts'

/** The events about the token data of product cards. */
export const productCardEventSources: readonly EventSource[] = [
  eventSource('gateway.token_data_changes', async ({ before, after }, { tenant }) => {
    if (before !== undefined || after === undefined) return []
    // The NFT may have been removed meanwhile, which is a later event.
    const nft = await tenant
      .selectFrom('gateway.mintable_nfts')
      .selectAll()
      .where('id', '=', after.nft)
      .executeTakeFirstOrThrow()
    const data = toTokenDataChange(nft, after)
    return [{ type: 'product_nft.token_data_changed', subject: `product_nft/${nft.id}`, data }]
  }),
]
