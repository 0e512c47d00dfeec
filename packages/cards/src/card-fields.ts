import { type Entries, Id, Integer, Positive, Text, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'

/** The fields that promo code cards and event cards share in answers (specification, "Promo code card"). */
export const issuedCardFields = {
  /** The stores that take the card: in our servers' answers the JSON text of an array; see `applicableStoresOf`. */
  applicableStores: v.string(),
  /** URL of the picture behind the card; `''` for none. */
  backgroundImageUrl: v.string(),
  /** The chain of the card's contract as a decimal text; `''` where no contract is registered. */
  chainId: v.string(),
  /** When the card was created, milliseconds since the epoch. */
  createTimeLong: Integer,
  /** The card's last moment. */
  endTime: Timestamp,
  /** The card's id. */
  id: Integer,
  /** URL of the logo on the card; `''` for none. */
  logoUrl: v.string(),
  /** The card's name. */
  name: v.string(),
  /** The contract that the card belongs to, in lower case. */
  nftAddress: v.string(),
  /** The token that the card belongs to; `''`: any of the contract's. */
  nftId: v.string(),
  /** `ERC721` or `ERC1155`; `''` where no contract is registered. */
  nftType: v.string(),
  /** The project that the card belongs to. */
  projectId: Integer,
  /** Where a picture of the card's QR code is. */
  qrCodeUrl: v.string(),
  /** The card's first moment. */
  startTime: Timestamp,
  /** How many there are. */
  totalIssued: Integer,
  /** How to use it, for who holds it; `''` for nothing. */
  usageInstructions: v.string(),
}

/** The promo code card's create body (specification, "Request bodies of the card creation operations"). */
export const createCardFields = {
  /** The stores that take the card; none or an empty list: all. */
  applicableStores: v.optional(v.array(Text)),
  /** URL of the picture behind the card. */
  backgroundImageUrl: v.optional(v.string()),
  /** The card's last moment; after `startTime`. */
  endTime: Timestamp,
  /** URL of the logo on the card. */
  logoUrl: v.optional(v.string()),
  /** The card's name, at most 200 characters. */
  name: Text,
  /** The contract the card belongs to. */
  nftAddress: Text,
  /** The token that the card belongs to; none: it belongs to the contract alone. */
  nftId: v.optional(v.string()),
  /** A QR picture of your own; otherwise the server draws one and answers its address. */
  qrCodeUrl: v.optional(v.string()),
  /** The card's first moment. */
  startTime: Timestamp,
  /** How many there are, from 1. */
  totalIssued: Positive,
  /** How to use it, for who holds it; at most 4,000 characters. */
  usageInstructions: v.optional(v.string()),
}

/** A card's id. */
const CardId = Id

/** Of a card by its id. */
export const cardParams = {
  /** The card's id. */
  id: CardId,
}

/** What an update may change; what is left out stays. */
export const changedCardFields = {
  ...createCardFields,
  /** The card's last moment; after `startTime`. */
  endTime: v.optional(Timestamp),
  /** The card's id. */
  id: CardId,
  /** The card's name, at most 200 characters. */
  name: v.optional(Text),
  /** Another contract; creator, chain and kind of token become that one's. */
  nftAddress: v.optional(Text),
  /** A QR picture of your own; `''` for the server's. */
  qrCodeUrl: v.optional(v.string()),
  /** The card's first moment. */
  startTime: v.optional(Timestamp),
  /** How many there are; not below what is used. */
  totalIssued: v.optional(Positive),
}

/** A batch of a program's create bodies. */
export function cardsOf<const E extends Entries>(fields: E) {
  return {
    /** 1 to 500 create bodies. */
    cards: v.pipe(
      v.array(v.strictObject(fields)),
      v.check((cards) => cards.length > 0 && cards.length <= 500, 'Expected 1 to 500 cards'),
    ),
  }
}

/** Of a card by its QR code. */
export const byQrCode = {
  /** What a scanner reads from the QR picture: the address of the card's page, or the code at its end. */
  qrCode: Text,
}

export const byCreator = {
  /** The creator's address: the owner of the cards' contract, or else the wallet behind the key that made them. */
  creator: Text,
}

export const byOwner = {
  /** The owner's address: whoever holds the card's token, and its creator as long as nobody is known to. */
  owner: Text,
}

export const byNft = {
  /** The contract's address; case does not matter. */
  nftAddress: Text,
  /** One token of it; without it all of the contract's cards. */
  nftId: v.optional(v.string()),
}

export const byStore = {
  /** The store's name, as the cards have it. Cards that name no store are good in every one. */
  store: Text,
}

export const searched = {
  /** A part of the name, whatever the case. */
  keyword: v.optional(v.string()),
  /** `NOT_YET_VALID`, `ACTIVE`, `EXHAUSTED` (used up, or checked in), `EXPIRED` or `REMOVED`; without it all but the removed. */
  status: v.optional(v.picklist(['NOT_YET_VALID', 'ACTIVE', 'EXHAUSTED', 'EXPIRED', 'REMOVED'])),
  /** Created at this time or later. */
  from: v.optional(Timestamp),
  /** Created before this time. */
  to: v.optional(Timestamp),
}
