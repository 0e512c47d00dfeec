import { Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import { MintCounts, Presale, Previews } from '@mintmark/envelope/minting'
import * as v from 'valibot'

const productNft = record({
  adult: v.boolean(),
  channel: v.string(),
  createTime: Timestamp,
  /** Milliseconds since the epoch. */
  createTimeLong: Integer,
  description: v.string(),
  id: Integer,
  imgUrl: v.string(),
  licenseCode: v.string(),
  /** How many can be minted; 0: any number. */
  limited: Integer,
  mediaFileType: v.string(),
  mediaFileUrl: v.string(),
  /** How many are minted. */
  minted: Integer,
  name: v.string(),
  nftAddress: v.string(),
  /** What `mintSign` and `tokenData` name it by: its `id` as a text. */
  nftId: v.string(),
  owner: v.string(),
  projectId: Integer,
  properties: v.array(record({ trait_type: v.string(), value: v.string() })),
  /** How many are reserved by signatures that are not used yet. */
  reserved: Integer,
  royaltyPercentage: v.number(),
  /** `HIDDEN`; `DISPLAY` while one can be minted; `RESERVED` while all that are left are reserved; `MINTED` once all are. */
  status: v.string(),
  tokenUri: v.string(),
  updateTime: Timestamp,
})
/** An NFT of a product card. Addresses are in lower case. */
export interface ProductNft extends v.InferOutput<typeof productNft> {}
export const ProductNft: Schema<ProductNft> = productNft

const tokenData = record({
  data: v.looseObject({}),
  nftAddress: v.string(),
  nftId: v.string(),
  projectId: Integer,
  /** Who wrote it: the wallet of the key, or else the key's name; `''` for nobody. */
  updatedBy: v.string(),
  updateTime: Timestamp,
  /** From 1, counts up with every change; 0 where nothing was written. */
  version: Integer,
})
/** What is written of a product's NFT: any JSON object. */
export interface TokenData extends v.InferOutput<typeof tokenData> {}
export const TokenData: Schema<TokenData> = tokenData

const tokenDataChange = record({
  after: v.looseObject({}),
  before: v.looseObject({}),
  /** Who wrote it: the wallet of the key, or else the key's name. */
  changedBy: v.string(),
  createTime: Timestamp,
  /** Milliseconds since the epoch. */
  createTimeLong: Integer,
  id: Integer,
  nftAddress: v.string(),
  nftId: v.string(),
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
    chainId: v.string(),
    description: v.string(),
    id: Integer,
    imgUrl: v.string(),
    name: v.string(),
    nftAddress: v.string(),
    nftType: v.string(),
    owner: v.string(),
    projectId: Integer,
    symbol: v.string(),
  }),
  counts: MintCounts,
  /** The address that signs the project's mints: the contract has to let it. `''` until something of minting was first written. */
  minter: v.string(),
  /** The newest hundred that are not removed. */
  nfts: v.array(ProductNft),
  presale: Presale,
  preview: Previews,
})
/** All that the page of a product shows. */
export interface ProductCard extends v.InferOutput<typeof productCard> {}
export const ProductCard: Schema<ProductCard> = productCard
