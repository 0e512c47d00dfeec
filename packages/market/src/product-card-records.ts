import { Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import { MintCounts, Presale, Previews } from '@mintmark/minting'
import * as v from 'valibot'

const productNft = record({
  /** Meant for adults. */
  adult: v.boolean(),
  /** Where it came from, a word of the project's own; `''` for none. */
  channel: v.string(),
  /** When it was made. */
  createTime: Timestamp,
  /** Milliseconds since the epoch. */
  createTimeLong: Integer,
  /** What is said of it; `''` for nothing. */
  description: v.string(),
  /** Its id. */
  id: Integer,
  /** URL of its picture; `''` for none. */
  imgUrl: v.string(),
  /** The licence the product comes with; `''` for none. */
  licenseCode: v.string(),
  /** How many can be minted; 0: any number. */
  limited: Integer,
  /** The media file's MIME type; `''` for none. */
  mediaFileType: v.string(),
  /** URL of its media file; `''` for none. */
  mediaFileUrl: v.string(),
  /** How many are minted. */
  minted: Integer,
  /** Its name. */
  name: v.string(),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** What `mintSign` and `tokenData` name it by: its `id` as a text. */
  nftId: v.string(),
  /** The owner's address. */
  owner: v.string(),
  /** The project that it belongs to. */
  projectId: Integer,
  /** What it is like: kinds (`trait_type`, such as `paper`), each with its `value`. */
  properties: v.array(record({ trait_type: v.string(), value: v.string() })),
  /** How many are reserved by signatures that are not used yet. */
  reserved: Integer,
  /** The royalty of a resale, in percent. */
  royaltyPercentage: v.number(),
  /** `HIDDEN`; `DISPLAY` while one can be minted; `RESERVED` while all that are left are reserved; `MINTED` once all are. */
  status: v.string(),
  /** URL of its metadata, which the contract answers as `tokenURI`; `''` for none. */
  tokenUri: v.string(),
  /** When it was last changed. */
  updateTime: Timestamp,
})
/** An NFT of a product card. Addresses are in lower case. */
export interface ProductNft extends v.InferOutput<typeof productNft> {}
export const ProductNft: Schema<ProductNft> = productNft

const tokenData = record({
  /** What is written: any JSON object; `{}` where nothing was. */
  data: v.looseObject({}),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** What the NFT is named by: its `id` as a text. */
  nftId: v.string(),
  /** The project that it belongs to. */
  projectId: Integer,
  /** Who wrote it: the wallet of the key, or else the key's name; `''` for nobody. */
  updatedBy: v.string(),
  /** When it was last changed. */
  updateTime: Timestamp,
  /** From 1, counts up with every change; 0 where nothing was written. */
  version: Integer,
})
/** What is written of a product's NFT: any JSON object. */
export interface TokenData extends v.InferOutput<typeof tokenData> {}
export const TokenData: Schema<TokenData> = tokenData

const tokenDataChange = record({
  /** The token data since then. */
  after: v.looseObject({}),
  /** The token data until then; `{}` where nothing was written. */
  before: v.looseObject({}),
  /** Who wrote it: the wallet of the key, or else the key's name. */
  changedBy: v.string(),
  /** When it was made. */
  createTime: Timestamp,
  /** Milliseconds since the epoch. */
  createTimeLong: Integer,
  /** Its id. */
  id: Integer,
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** What the NFT is named by: its `id` as a text. */
  nftId: v.string(),
  /** The project that it belongs to. */
  projectId: Integer,
  /** The version that it made. */
  version: Integer,
})
/** A change of token data. */
export interface TokenDataChange extends v.InferOutput<typeof tokenDataChange> {}
export const TokenDataChange: Schema<TokenDataChange> = tokenDataChange

const productCard = record({
  /** The contract that the card's NFTs are minted in. */
  contract: record({
    /** The chain as a decimal text, such as `84532`. */
    chainId: v.string(),
    /** What is said of it; `''` for nothing. */
    description: v.string(),
    /** Its id. */
    id: Integer,
    /** URL of its picture; `''` for none. */
    imgUrl: v.string(),
    /** Its name. */
    name: v.string(),
    /** The contract's address, in lower case. */
    nftAddress: v.string(),
    /** `ERC721` or `ERC1155`. */
    nftType: v.string(),
    /** The owner's address. */
    owner: v.string(),
    /** The project that it belongs to. */
    projectId: Integer,
    /** The contract's symbol, such as `PRINT`; `''` for none. */
    symbol: v.string(),
  }),
  /** How the NFTs stand. */
  counts: MintCounts,
  /** The address that signs the project's mints: the contract has to let it. `''` until something of minting was first written. */
  minter: v.string(),
  /** The newest hundred that are not removed. */
  nfts: v.array(ProductNft),
  /** When, at what price and by whom they can be minted. */
  presale: Presale,
  /** What shows beforehand what will be minted. */
  preview: Previews,
})
/** All that the page of a product shows. */
export interface ProductCard extends v.InferOutput<typeof productCard> {}
export const ProductCard: Schema<ProductCard> = productCard
