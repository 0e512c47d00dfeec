import { Id, Integer, NotFoundError, record, type Schema, Timestamp } from '@mintmark/envelope'
import { gatewayOperation, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'

/** What names a token in an answer, and when the record was made. */
const tokenFields = {
  /** The chain as a decimal text, such as `84532`. */
  chainId: v.string(),
  /** When it was noted. */
  createTime: Timestamp,
  /** Milliseconds since the epoch. */
  createTimeLong: Integer,
  /** Its id. */
  id: Integer,
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** The token's id in its contract. */
  nftId: v.string(),
  /** The project that it belongs to. */
  projectId: Integer,
}

const asset = record({
  ...tokenFields,
  /** How many of them are on the shelf or promised otherwise: a decimal text. */
  held: v.string(),
  /** The NFT's picture; `''` where only the chain knows the token. */
  imgUrl: v.string(),
  /** The NFT's name; `''` where only the chain knows the token. */
  name: v.string(),
  /** `ERC721` or `ERC1155`. */
  nftType: v.string(),
  /** The owner's address, in lower case. */
  owner: v.string(),
  /** How many the owner has: a decimal text, since ERC-1155 counts can be any uint256. */
  quantity: v.string(),
  /** When it was last changed. */
  updateTime: Timestamp,
})
/** What a wallet owns of one token. */
export interface Asset extends v.InferOutput<typeof asset> {}
export const Asset: Schema<Asset> = asset

const transfer = record({
  ...tokenFields,
  /** Who it came from, in lower case; the zero address where it was made. */
  from: v.string(),
  /** The transaction: of a sale the one that paid, of an indexed contract the one that transferred; `''` for none. */
  hash: v.string(),
  /** The order that moved it; `''` for none. */
  orderNo: v.string(),
  /** How many: a decimal text. */
  quantity: v.string(),
  /** Who it went to, in lower case; the zero address where it was removed. */
  to: v.string(),
})
/** A token went from one wallet to another, was made, or was removed. */
export interface Transfer extends v.InferOutput<typeof transfer> {}
export const Transfer: Schema<Transfer> = transfer

/** Query by id: what a wallet owns of one token. NotFoundError when it owns none of it any more. */
export const get = gatewayOperation({
  id: 'assets.get',
  method: 'GET',
  path: '/api/v1/asset/{id}',
  source: 'name',
  scope: 'contracts:read',
  params: {
    /** The asset's id. */
    id: Id,
  },
  data: Asset,
  errors: [NotFoundError],
})

/** Query by pagination: what wallets own, the newest first. */
export const list = pagedGatewayOperation({
  id: 'assets.list',
  method: 'GET',
  path: '/api/v1/asset/page',
  source: 'name',
  scope: 'contracts:read',
  query: {
    /** Whose; case does not matter. */
    owner: v.optional(v.string()),
    /** The contract's address; case does not matter. */
    nftAddress: v.optional(v.string()),
    /** `ERC721` or `ERC1155`. */
    nftType: v.optional(v.string()),
  },
  item: Asset,
})

/** Query transfers: how tokens came to their owners, the newest first. */
export const transfers = pagedGatewayOperation({
  id: 'assets.transfers',
  method: 'GET',
  path: '/api/v1/asset/transfers',
  source: 'name',
  scope: 'contracts:read',
  query: {
    /** The contract's address; case does not matter. */
    nftAddress: v.optional(v.string()),
    /** The token's id in its contract. */
    nftId: v.optional(v.string()),
    /** A wallet that it came from or went to; case does not matter. */
    address: v.optional(v.string()),
  },
  item: Transfer,
})
