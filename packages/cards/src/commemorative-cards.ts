import { Integer, record, type Schema, Text } from '@mintmark/envelope'
import { pagedGatewayOperation } from '@mintmark/transport/operation'
import * as v from 'valibot'

const commemorativeCardItem = record({
  /** What one card stands for, in whole units of its own. */
  amount: v.number(),
  id: Integer,
  imageUrl: v.string(),
  name: v.string(),
  nftAddress: v.string(),
  nftId: v.string(),
  /** `ERC721` or `ERC1155`; `''` where no contract is registered. */
  nftType: v.string(),
  /** Where a picture of the card's QR code is. */
  qrCodeUrl: v.string(),
  /** How many there are. */
  totalIssued: Integer,
  usageInstructions: v.string(),
})
/** A commemorative card as lists show it (specification, "Commemorative card list item"). */
export interface CommemorativeCardItem extends v.InferOutput<typeof commemorativeCardItem> {}
export const CommemorativeCardItem: Schema<CommemorativeCardItem> = commemorativeCardItem

/** The commemorative cards of one creator, newest first unless `orderBy` says otherwise. */
export const listByCreator = pagedGatewayOperation({
  id: 'commemorativeCards.listByCreator',
  method: 'GET',
  path: '/api/v1/card/commemorativeCards/getPageListByCreator',
  source: 'stated',
  scope: 'cards:read',
  query: {
    /** The creator's address: the owner of the cards' contract, or else the wallet behind the key that made them. */
    creator: Text,
  },
  item: CommemorativeCardItem,
})
