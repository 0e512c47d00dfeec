import { Integer, OpenNftType, record, type Schema, Timestamp } from '@mintmark/envelope'
import { MintCounts, Presale, Previews } from '@mintmark/minting'
import * as v from 'valibot'

/**
 * The status of a product's NFT. `RESERVED`: signatures reserve all units that are left. `MINTED`: all units
 * are minted.
 */
export type ProductNftStatus = 'HIDDEN' | 'DISPLAY' | 'RESERVED' | 'MINTED'

// A newer server may return further values, so the type of the record is open.
const status: Schema<ProductNftStatus | (string & {})> = v.string()

const productNft = record({
  /** Whether the content is for adults only. */
  adult: v.boolean(),
  /** The project's own name for the origin of the NFT; `''` if not set. */
  channel: v.string(),
  /** When the NFT was added. */
  createTime: Timestamp,
  /** The creation time in milliseconds since the epoch. */
  createTimeLong: Integer,
  /** The description; `''` if not set. */
  description: v.string(),
  /** The NFT's id. */
  id: Integer,
  /** URL of the image; `''` if not set. */
  imgUrl: v.string(),
  /** The product's license; `''` if not set. */
  licenseCode: v.string(),
  /** The maximum number of units; 0 if unlimited. */
  limited: Integer,
  /** The media file's MIME type; `''` if not set. */
  mediaFileType: v.string(),
  /** URL of the media file; `''` if not set. */
  mediaFileUrl: v.string(),
  /** The number of minted units. */
  minted: Integer,
  /** The NFT's name. */
  name: v.string(),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** The `id` as a text, which `mintSign` and `tokenData` accept as `nftId`. */
  nftId: v.string(),
  /** The owner's address. */
  owner: v.string(),
  /** The project that the record belongs to. */
  projectId: Integer,
  /** The properties, each with a `trait_type`, such as `paper`, and a `value`. */
  properties: v.array(
    record({
      /** The type of the property, such as `paper`. */
      trait_type: v.string(),
      /** The value, such as `cotton`. */
      value: v.string(),
    }),
  ),
  /** The number of units that unused signatures reserve. */
  reserved: Integer,
  /** The royalty of a resale, in percent. */
  royaltyPercentage: v.number(),
  /**
   * `HIDDEN`; `DISPLAY`: can be minted; `RESERVED`: all units that are left are reserved; `MINTED`: all units
   * are minted.
   */
  status,
  /** URL of the metadata, which the contract returns as `tokenURI`; `''` if not set. */
  tokenUri: v.string(),
  /** When the NFT was last changed. */
  updateTime: Timestamp,
})
/** An NFT of a product card. Addresses are in lower case. */
export interface ProductNft extends v.InferOutput<typeof productNft> {}
export const ProductNft: Schema<ProductNft> = productNft

const tokenData = record({
  /** The data: any JSON object; `{}` before the first write. */
  data: v.looseObject({}),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** The NFT's `id` as a text. */
  nftId: v.string(),
  /** The project that the record belongs to. */
  projectId: Integer,
  /**
   * The author: the wallet of the key, or the key's name if it has no wallet; `''` before the first write.
   */
  updatedBy: v.string(),
  /** When the data was last changed. */
  updateTime: Timestamp,
  /** The version, which increments with every change; 0 before the first write. */
  version: Integer,
})
/** The token data of a product's NFT: any JSON object. */
export interface TokenData extends v.InferOutput<typeof tokenData> {}
export const TokenData: Schema<TokenData> = tokenData

const tokenDataChange = record({
  /** The token data after the change. */
  after: v.looseObject({}),
  /** The token data before the change; `{}` before the first write. */
  before: v.looseObject({}),
  /** The author: the wallet of the key, or the key's name if it has no wallet. */
  changedBy: v.string(),
  /** When the change was made. */
  createTime: Timestamp,
  /** The creation time in milliseconds since the epoch. */
  createTimeLong: Integer,
  /** The change's id. */
  id: Integer,
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** The NFT's `id` as a text. */
  nftId: v.string(),
  /** The project that the record belongs to. */
  projectId: Integer,
  /** The version after the change. */
  version: Integer,
})
/** A change of token data. */
export interface TokenDataChange extends v.InferOutput<typeof tokenDataChange> {}
export const TokenDataChange: Schema<TokenDataChange> = tokenDataChange

const productCard = record({
  /** The contract that mints the card's NFTs. */
  contract: record({
    /** The chain as a decimal text, such as `84532`. */
    chainId: v.string(),
    /** The description; `''` if not set. */
    description: v.string(),
    /** The contract's record id. */
    id: Integer,
    /** URL of the image; `''` if not set. */
    imgUrl: v.string(),
    /** The contract's name. */
    name: v.string(),
    /** The contract's address, in lower case. */
    nftAddress: v.string(),
    /** `ERC721` or `ERC1155`. */
    nftType: OpenNftType,
    /** The owner's address. */
    owner: v.string(),
    /** The project that the record belongs to. */
    projectId: Integer,
    /** The contract's symbol, such as `PRINT`; `''` if not set. */
    symbol: v.string(),
  }),
  /** The number of NFTs by status. */
  counts: MintCounts,
  /**
   * The address that signs the project's mints. It needs the contract's permission. `''` before the project's
   * first use of minting.
   */
  minter: v.string(),
  /** The newest 100 NFTs that are not removed. */
  nfts: v.array(ProductNft),
  /** The phases in which the NFTs can be minted. */
  presale: Presale,
  /** The preview images and other media. */
  preview: Previews,
})
/** Everything that a product's page shows. */
export interface ProductCard extends v.InferOutput<typeof productCard> {}
export const ProductCard: Schema<ProductCard> = productCard
