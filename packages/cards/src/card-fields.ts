import {
  creationTimeQuery,
  type Entries,
  Id,
  Integer,
  Positive,
  referenceField,
  referenceInput,
  referenceQuery,
  Text,
  Timestamp,
} from '@mintmark/envelope'
import * as v from 'valibot'

/** A card's status, which follows from time and use. `EXHAUSTED`: used up, or checked in. */
export type CardStatus = 'NOT_YET_VALID' | 'ACTIVE' | 'EXHAUSTED' | 'EXPIRED' | 'REMOVED'

/** The fields that all cards share in responses (specification, "Promo code card"). */
export const issuedCardFields = {
  /** The stores that accept the card, as the JSON text of an array. `parseApplicableStores` parses it. */
  applicableStores: v.string(),
  /** URL of the background image; `''` if the card has none. */
  backgroundImageUrl: v.string(),
  /** The chain id of the card's contract as a decimal text; `''` if the contract is not registered. */
  chainId: v.string(),
  /** When the card was created, in milliseconds since the epoch. */
  createTimeLong: Integer,
  /** When the card expires. */
  endTime: Timestamp,
  /** The card's id. */
  id: Integer,
  /** URL of the logo on the card; `''` if the card has none. */
  logoUrl: v.string(),
  /** The card's name. */
  name: v.string(),
  /** The contract that the card belongs to, in lower case. */
  nftAddress: v.string(),
  /** The token that the card belongs to; `''` for any token of the contract. */
  nftId: v.string(),
  /** `ERC721` or `ERC1155`; `''` if the contract is not registered. */
  nftType: v.string(),
  /** The project that the card belongs to. */
  projectId: Integer,
  /**
   * URL of the picture of the card's QR code, for display. A scanner of the picture reads the URL of the
   * card's page. `findCardCode` finds the card's code in it. `''` for callers without the scope `cards:write`,
   * and in events: whoever has the code has the card.
   */
  qrCodeUrl: v.string(),
  ...referenceField,
  /** When the card becomes valid. */
  startTime: Timestamp,
  /** Total supply. */
  totalIssued: Integer,
  /** Instructions for the card's owner; `''` if there are none. */
  usageInstructions: v.string(),
}

/** The fields of a create body that the cards of a campaign have in common. */
export const templateFields = {
  /**
   * The stores that accept the card, by name or code, whatever their case, letter width and surrounding spaces.
   * Once the project has stores, other names are refused. Default: all stores.
   */
  applicableStores: v.optional(v.array(Text)),
  /** URL of the background image. */
  backgroundImageUrl: v.optional(v.string()),
  /** When the card expires; after `startTime`. ISO 8601 with a time zone, such as `2026-12-31T23:59:59Z`. */
  endTime: Timestamp,
  /** URL of the logo on the card. */
  logoUrl: v.optional(v.string()),
  /** The card's name, at most 200 characters. */
  name: Text,
  /** The contract that the card belongs to. Default: the project's default collection, which needs no chain. */
  nftAddress: v.optional(v.string()),
  /** When the card becomes valid. ISO 8601 with a time zone, such as `2026-01-01T00:00:00Z`. */
  startTime: Timestamp,
  /** Total supply, at least 1. */
  totalIssued: Positive,
  /** Instructions for the card's owner; at most 4,000 characters. */
  usageInstructions: v.optional(v.string()),
}

/** The promo code card's create body (specification, "Request bodies of the card creation operations"). */
export const createCardFields = {
  ...templateFields,
  /** The token that the card belongs to. Default: the contract only. */
  nftId: v.optional(v.string()),
  /** URL of your own QR code image. Default: an image that the server generates. */
  qrCodeUrl: v.optional(v.string()),
  ...referenceInput,
}

/** A card's id. */
const CardId = Id

/** Identifies a card by its id. */
export const cardParams = {
  /** The card's id. */
  id: CardId,
}

/** The fields that an update can change. Fields that are left out keep their values. */
export const changedCardFields = {
  ...createCardFields,
  /** When the card expires; after `startTime`. ISO 8601 with a time zone, such as `2026-12-31T23:59:59Z`. */
  endTime: v.optional(Timestamp),
  /** The card's id. */
  id: CardId,
  /** The card's name, at most 200 characters. */
  name: v.optional(Text),
  /** A different contract. The card's creator, chain and token type become those of this contract. */
  nftAddress: v.optional(Text),
  /** URL of your own QR code image; `''` for the image that the server generates. */
  qrCodeUrl: v.optional(v.string()),
  /** When the card becomes valid. ISO 8601 with a time zone, such as `2026-01-01T00:00:00Z`. */
  startTime: v.optional(Timestamp),
  /** Total supply; not below the number of uses. */
  totalIssued: v.optional(Positive),
}

/** Creates the body of a batch of a program's create bodies. */
export function createBatchFields<const E extends Entries>(fields: E) {
  return {
    /** 1 to 500 create bodies. */
    cards: v.pipe(
      v.array(v.strictObject(fields)),
      v.check((cards) => cards.length > 0 && cards.length <= 500, 'Expected 1 to 500 cards'),
    ),
  }
}

/** Identifies a card by its QR code. */
export const byQrCode = {
  /**
   * The text that a scanner reads from the QR code: the URL of the card's page, or the code at the end of
   * that URL. The picture's URL, `qrCodeUrl`, is accepted too unless it is your own.
   */
  qrCode: Text,
}

/** The fields that lists of cards can be ordered by. */
export const cardOrders = ['id', 'createTime', 'name', 'startTime', 'endTime'] as const

export const byCreator = {
  /**
   * The creator's address: the owner of the cards' contract, or the wallet of the key if the contract is not
   * registered.
   */
  creator: Text,
}

export const byOwner = {
  /**
   * The address of the wallet that owns the card's token. A card whose token has no known owner belongs to
   * its creator.
   */
  owner: Text,
}

export const byNft = {
  /** The contract's address; case does not matter. */
  nftAddress: Text,
  /** One token of the contract. Default: all cards of the contract. */
  nftId: v.optional(v.string()),
}

export const byStore = {
  /** The store's name or code. Cards that name no store are accepted by all stores. */
  store: Text,
}

export const searchFields = {
  /** The cards of a campaign. */
  campaignId: v.optional(Id),
  /** Part of the name; case does not matter. */
  keyword: v.optional(v.string()),
  /**
   * `NOT_YET_VALID`, `ACTIVE`, `EXHAUSTED` (used up, or checked in), `EXPIRED` or `REMOVED`. Default: all
   * except `REMOVED`.
   */
  status: v.optional(v.picklist(['NOT_YET_VALID', 'ACTIVE', 'EXHAUSTED', 'EXPIRED', 'REMOVED'])),
  ...creationTimeQuery,
  ...referenceQuery,
}
