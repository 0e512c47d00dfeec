import {
  creationTimeQuery,
  Id,
  Integer,
  NotFoundError,
  OpenNftType,
  record,
  type Schema,
  Timestamp,
} from '@mintmark/envelope'
import { gatewayOperation, type InputOf, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'

/** The fields of a record about a token. */
const tokenFields = {
  /** The chain as a decimal text, such as `84532`. */
  chainId: v.string(),
  /** When the record was created. */
  createTime: Timestamp,
  /** The creation time in milliseconds since the epoch. */
  createTimeLong: Integer,
  /** The record's id. */
  id: Integer,
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** The token's id in its contract. */
  nftId: v.string(),
  /** The project that the record belongs to. */
  projectId: Integer,
}

const asset = record({
  ...tokenFields,
  /** URL of the NFT's image; `''` if the token is known only from the chain. */
  imgUrl: v.string(),
  /** The NFT's name; `''` if the token is known only from the chain. */
  name: v.string(),
  /** `ERC721` or `ERC1155`. */
  nftType: OpenNftType,
  /** The owner's address, in lower case. */
  owner: v.string(),
  /**
   * The number of units that the owner has, as a decimal text, because an ERC-1155 balance can be any
   * uint256.
   */
  quantity: v.string(),
  /**
   * The number of units that are listed, or reserved by an auction, an offer or an order, as a decimal text.
   */
  reserved: v.string(),
  /** When the record was last changed. */
  updateTime: Timestamp,
})
/** A wallet's units of one token. */
export interface Asset extends v.InferOutput<typeof asset> {}
export const Asset: Schema<Asset> = asset

const transfer = record({
  ...tokenFields,
  /** The previous owner's address, in lower case; the zero address if the token was created. */
  from: v.string(),
  /**
   * The transaction's hash: the payment of a sale, or the transfer of an indexed contract's token; `''` if
   * not set.
   */
  hash: v.string(),
  /** The order that caused the transfer; `''` if not set. */
  orderNo: v.string(),
  /** The number of units, as a decimal text. */
  quantity: v.string(),
  /** The new owner's address, in lower case; the zero address if the token was removed. */
  to: v.string(),
})
/** A transfer of a token from one wallet to another, or its creation or removal. */
export interface Transfer extends v.InferOutput<typeof transfer> {}
export const Transfer: Schema<Transfer> = transfer

/**
 * Returns how much a wallet owns of one token. NotFoundError if it no longer owns any.
 *
 * @example
 * const asset = await assets.get(gateway, { id: 7 })
 * console.log(asset.owner, asset.quantity)
 */
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
export type GetAssetInput = InputOf<typeof get>

/**
 * Lists the tokens that wallets own, newest first.
 *
 * @example
 * const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * for await (const asset of assets.list.items(gateway, { owner })) console.log(asset.name, asset.quantity)
 */
export const list = pagedGatewayOperation({
  id: 'assets.list',
  method: 'GET',
  path: '/api/v1/asset/page',
  source: 'name',
  scope: 'contracts:read',
  query: {
    /** The owner's address; case does not matter. */
    owner: v.optional(v.string()),
    /** The contract's address; case does not matter. */
    nftAddress: v.optional(v.string()),
    /** `ERC721` or `ERC1155`. */
    nftType: v.optional(OpenNftType),
    ...creationTimeQuery,
  },
  item: Asset,
})
export type ListAssetsInput = InputOf<typeof list>

/**
 * Lists transfers of tokens, newest first.
 *
 * @example
 * const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * for await (const { from, to, quantity } of assets.transfers.items(gateway, { address })) console.log(from, to, quantity)
 */
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
    /** The previous or the new owner's address; case does not matter. */
    address: v.optional(v.string()),
  },
  item: Transfer,
})
export type ListTransfersInput = InputOf<typeof transfers>
