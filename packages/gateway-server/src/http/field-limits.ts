import {
  createAddressFormat,
  type FieldLimits,
  NAME_FORMAT,
  TEXT_FORMAT,
  TIME_FORMAT,
} from '@mintmark/server-kit'
import { MAX_LISTED_KEYS } from '../keys/keys-store.ts'
import { MAX_LISTED_PUBLISHABLE_KEYS } from '../keys/publishable-keys-store.ts'
import {
  ADDRESS_FORMAT,
  COUPON_CODE_FORMAT,
  FUTURE_TIME_FORMAT,
  HASH_FORMAT,
  NEW_COUPON_CODE_FORMAT,
  POSITIVE_AMOUNT_FORMAT,
  REFERENCE_FORMAT,
} from './formats.ts'

/** What a person or a thing is called. */
export const NAME = { characters: 200, format: NAME_FORMAT } as const
/** What a list is searched or filtered by: any text, which may match nothing. */
export const SEARCH = { characters: 200 } as const
/** Any other text that a person writes, such as a description or a message. */
export const TEXT = { characters: 4000, format: TEXT_FORMAT } as const
/** The caller's own identifiers: a group, a token. */
export const KEY = { characters: 128 } as const
/** An identifier that people read, such as the name of a store. */
export const LABEL = { ...KEY, format: NAME_FORMAT } as const
export const ADDRESS = { characters: 128, format: ADDRESS_FORMAT } as const
/** A date-time may have any number of fraction digits. */
const TIME = { characters: 64, format: TIME_FORMAT } as const
export const FUTURE_TIME = { ...TIME, format: FUTURE_TIME_FORMAT } as const
/** The address of a page or a picture. */
export const URL = {
  bytes: 2048,
  format: createAddressFormat(['https', 'http', 'ipfs', 'ipns', 'ar']),
} as const
/** The address of a token's metadata, which some contracts keep in a data URL. Nobody opens it. */
const TOKEN_URI = {
  bytes: 2048,
  format: createAddressFormat(['https', 'http', 'ipfs', 'ipns', 'ar', 'data']),
} as const
/** A word of a fixed set, such as a status. */
export const CHOICE = { characters: 32 } as const
/** A JSON object that a project keeps with a record. */
export const JSON_OBJECT = { bytes: 65_536 } as const
/** A contract's metadata, as a text. */
export const METADATA = { bytes: 32_768 } as const
const COUPON_CODE = { characters: 64, format: COUPON_CODE_FORMAT } as const
export const NEW_COUPON_CODE = { characters: 64, format: NEW_COUPON_CODE_FORMAT } as const
/** A transaction's hash. */
export const HASH = { characters: 66, format: HASH_FORMAT } as const
/** An amount in base units that is not 0. */
export const POSITIVE_AMOUNT = { characters: 78, format: POSITIVE_AMOUNT_FORMAT } as const
/** The royalty of a resale. */
const ROYALTY_PERCENTAGE = { min: 0, max: 100 } as const
/** Properties of an NFT; type and value have the limits of names. */
const PROPERTIES = { items: 100, bytes: 32_768 } as const

/** The most bytes of JSON that one response has: limits of fields and counts of items are chosen for it. */
export const MAX_RESPONSE_BYTES = 8 * 1024 * 1024

/** How many items a response without pages has at most. */
export const RESPONSE_ITEMS = {
  /** The newest keys of a project. */
  apiKeys: MAX_LISTED_KEYS,
  /** The conversations with the newest messages. */
  conversations: 250,
  /** Entries that one import adds to an address book. */
  importedEntries: 2000,
  /** The best offer of each pay token. */
  offersByToken: 1000,
  /** The projects in which a person has a role. */
  memberships: 1000,
  /** The people of a project, together with its open invitations. */
  people: 1000,
  /** The newest NFTs of a product. */
  productNfts: 100,
  /** The newest publishable keys of a project. */
  publishableKeys: MAX_LISTED_PUBLISHABLE_KEYS,
  /** Properties of a collection, with how rare each is. */
  rarities: 4000,
  /** Tokens of one creator that a wallet owns. */
  tokensOfCreator: 15,
} as const

/**
 * Limits of fields that are the same in every group. A group adds its own, or replaces one, where it
 * implements its operations.
 */
export const sharedLimits: FieldLimits = {
  address: ADDRESS,
  bidder: ADDRESS,
  creator: ADDRESS,
  fan: ADDRESS,
  nftAddress: ADDRESS,
  offerer: ADDRESS,
  other: ADDRESS,
  owner: ADDRESS,
  payTokenAddress: ADDRESS,
  primarySaleRecipient: ADDRESS,
  recipient: ADDRESS,
  royaltyRecipient: ADDRESS,
  seller: ADDRESS,
  sender: ADDRESS,

  endTime: TIME,
  expireTime: TIME,
  from: TIME,
  startTime: TIME,
  to: TIME,
  validityPeriod: TIME,

  backgroundImageUrl: URL,
  bannerUrl: URL,
  imageUrl: URL,
  imgUrl: URL,
  logoUrl: URL,
  mediaFileUrl: URL,
  qrCodeUrl: URL,
  tokenUri: TOKEN_URI,
  'items[].url': URL,
  /** Where webhooks are sent: their rules refuse other addresses. */
  url: { bytes: 2048 },

  chainId: { characters: 18 },
  contractType: NAME,
  couponCode: COUPON_CODE,
  description: TEXT,
  keyword: SEARCH,
  mediaFileType: KEY,
  name: NAME,
  nftId: KEY,
  nftType: CHOICE,
  orderNo: KEY,
  pricedBy: CHOICE,
  /** The caller's own name of what it creates. */
  reference: { characters: 100, format: REFERENCE_FORMAT },
  status: CHOICE,
  whitelistMode: CHOICE,
  merkleRoot: HASH,

  properties: PROPERTIES,
  trait_type: NAME,
  value: NAME,
  /** A Merkle proof of 64 hashes is of a tree larger than any. */
  proof: { items: 64, characters: 66 },
  phase: NAME,
  phases: { items: 50 },
  items: { items: 100 },
  entries: { items: 10_000 },
  reservedFor: { ...ADDRESS, items: 1000 },
  extension: JSON_OBJECT,
  royaltyPercentage: ROYALTY_PERCENTAGE,
}
