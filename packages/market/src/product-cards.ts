import { Empty, Text } from '@mintmark/envelope'
import { gatewayOperation } from '@mintmark/transport/operation'
import * as v from 'valibot'

/**
 * Add NFT information to a product card (specification, "Product card NFT info"). It answers an empty object, as the
 * specification says.
 */
export const addNftInfo = gatewayOperation({
  id: 'productCards.addNftInfo',
  method: 'POST',
  path: '/api/v1/market/productCard/add/nftInfo',
  source: 'stated',
  scope: 'market:write',
  body: {
    /** Meant for adults; default false. */
    adult: v.optional(v.boolean()),
    channel: v.optional(v.string()),
    description: v.optional(v.string()),
    imgUrl: v.optional(v.string()),
    /** The licence the product comes with. */
    licenseCode: v.optional(v.string()),
    /** How many can be minted; 0 or none: no limit. */
    limited: v.optional(v.number()),
    /** The media file's MIME type. */
    mediaFileType: v.optional(v.string()),
    mediaFileUrl: v.optional(v.string()),
    name: Text,
    /** The contract's address. */
    nftAddress: Text,
    /** The owner's address. */
    owner: Text,
    properties: v.optional(v.array(v.strictObject({ trait_type: v.string(), value: v.string() }))),
    /** The royalty of a resale, in percent from 0 to 100. */
    royaltyPercentage: v.optional(v.number()),
    /** `DISPLAY` shows it; our servers take `HIDDEN` too. Default DISPLAY. */
    status: v.optional(v.string()),
    tokenUri: v.optional(v.string()),
  },
  data: Empty,
})
