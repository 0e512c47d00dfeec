import { Id, Integer, Positive, Text, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'

/** The fields that promo code cards and event cards share in answers (specification, "Promo code card"). */
export const issuedCardFields = {
  /** The stores that take the card: in our servers' answers the JSON text of an array; see `applicableStoresOf`. */
  applicableStores: v.string(),
  backgroundImageUrl: v.string(),
  /** The chain of the card's contract as a decimal text; `''` where no contract is registered. */
  chainId: v.string(),
  /** When the card was created, milliseconds since the epoch. */
  createTimeLong: Integer,
  /** The card's last moment. */
  endTime: Timestamp,
  id: Integer,
  logoUrl: v.string(),
  name: v.string(),
  nftAddress: v.string(),
  nftId: v.string(),
  /** `ERC721` or `ERC1155`; `''` where no contract is registered. */
  nftType: v.string(),
  projectId: Integer,
  /** Where a picture of the card's QR code is. */
  qrCodeUrl: v.string(),
  /** The card's first moment. */
  startTime: Timestamp,
  /** How many there are. */
  totalIssued: Integer,
  usageInstructions: v.string(),
}

/** The promo code card's create body (specification, "Request bodies of the card creation operations"). */
export const createCardFields = {
  /** The stores that take the card; none or an empty list: all. */
  applicableStores: v.optional(v.array(Text)),
  backgroundImageUrl: v.optional(v.string()),
  /** The card's last moment; after `startTime`. */
  endTime: Timestamp,
  logoUrl: v.optional(v.string()),
  name: Text,
  /** The contract the card belongs to. */
  nftAddress: Text,
  nftId: v.optional(v.string()),
  /** A QR picture of your own; otherwise the server draws one and answers its address. */
  qrCodeUrl: v.optional(v.string()),
  /** The card's first moment. */
  startTime: Timestamp,
  /** How many there are, from 1. */
  totalIssued: Positive,
  usageInstructions: v.optional(v.string()),
}

/** A card's id. */
export const CardId = Id
