import { Empty, Integer, NotFoundError, record, type Schema } from '@mintmark/envelope'
import { gatewayOperation, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import {
  byCreator,
  byNft,
  byOwner,
  byQrCode,
  byStore,
  cardParams,
  cardsOf,
  changedCardFields,
  createCardFields,
  issuedCardFields,
  searched,
} from './card-fields.ts'

const ownRecordFields = {
  /** What one card stands for, in whole units of its own. */
  amount: v.number(),
  /** URL of what is commemorated, a picture; `''` for none. */
  imageUrl: v.string(),
}
const commemorativeCardItem = record({
  ...ownRecordFields,
  /** The card's id. */
  id: Integer,
  /** The card's name. */
  name: v.string(),
  /** The contract that the card belongs to, in lower case. */
  nftAddress: v.string(),
  /** The token that the card belongs to; `''`: none. */
  nftId: v.string(),
  /** `ERC721` or `ERC1155`; `''` where no contract is registered. */
  nftType: v.string(),
  /** Where a picture of the card's QR code is. */
  qrCodeUrl: v.string(),
  /** How many there are. */
  totalIssued: Integer,
  /** How to use it, for who holds it; `''` for nothing. */
  usageInstructions: v.string(),
})
/** A commemorative card as a creator's list shows it (specification, "Commemorative card list item"). */
export interface CommemorativeCardItem extends v.InferOutput<typeof commemorativeCardItem> {}
export const CommemorativeCardItem: Schema<CommemorativeCardItem> = commemorativeCardItem

const commemorativeCard = record({ ...issuedCardFields, ...ownRecordFields })
/** A commemorative card. */
export interface CommemorativeCard extends v.InferOutput<typeof commemorativeCard> {}
export const CommemorativeCard: Schema<CommemorativeCard> = commemorativeCard

const ownFields = {
  /** What one card stands for, in whole units of its own, from 0; default 0. */
  amount: v.optional(v.number()),
  /** URL of what is commemorated, a picture. */
  imageUrl: v.optional(v.string()),
}
const createFields = { ...createCardFields, ...ownFields }

/** Paginated query: all commemorative cards. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const list = pagedGatewayOperation({
  id: 'commemorativeCards.list',
  method: 'GET',
  path: '/api/v1/card/commemorativeCards/page',
  source: 'name',
  scope: 'cards:read',
  item: CommemorativeCard,
})

/** Create: a commemorative card of the contract `nftAddress`. */
export const create = gatewayOperation({
  id: 'commemorativeCards.create',
  method: 'POST',
  path: '/api/v1/card/commemorativeCards/create',
  source: 'name',
  scope: 'cards:write',
  body: createFields,
  data: CommemorativeCard,
})

/** Batch create: 1 to 500 commemorative cards, all or none; answers them in the order they were given. */
export const createBatch = gatewayOperation({
  id: 'commemorativeCards.createBatch',
  method: 'POST',
  path: '/api/v1/card/commemorativeCards/createBatch',
  source: 'name',
  scope: 'cards:write',
  body: cardsOf(createFields),
  data: v.array(CommemorativeCard),
})

/** Delete: removes a commemorative card. Its verifications stay, and further ones are refused. NotFoundError when there never was one. */
export const remove = gatewayOperation({
  id: 'commemorativeCards.remove',
  method: 'DELETE',
  path: '/api/v1/card/commemorativeCards/{id}',
  source: 'name',
  idempotent: true,
  scope: 'cards:write',
  params: cardParams,
  data: Empty,
  errors: [NotFoundError],
})

/** Query details: one commemorative card. NotFoundError when there is none. */
export const get = gatewayOperation({
  id: 'commemorativeCards.get',
  method: 'GET',
  path: '/api/v1/card/commemorativeCards/{id}',
  source: 'name',
  scope: 'cards:read',
  params: cardParams,
  data: CommemorativeCard,
  errors: [NotFoundError],
})

/** Query details by what a scanner read from the QR picture: one commemorative card. NotFoundError when there is none. */
export const getByQrCode = gatewayOperation({
  id: 'commemorativeCards.getByQrCode',
  method: 'GET',
  path: '/api/v1/card/commemorativeCards/detail',
  source: 'added',
  scope: 'cards:read',
  query: byQrCode,
  data: CommemorativeCard,
  errors: [NotFoundError],
})

/** The commemorative cards of one creator. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const listByCreator = pagedGatewayOperation({
  id: 'commemorativeCards.listByCreator',
  method: 'GET',
  path: '/api/v1/card/commemorativeCards/getPageListByCreator',
  source: 'stated',
  scope: 'cards:read',
  query: byCreator,
  item: CommemorativeCardItem,
})

/** The commemorative cards whose token a wallet holds. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const listByOwner = pagedGatewayOperation({
  id: 'commemorativeCards.listByOwner',
  method: 'GET',
  path: '/api/v1/card/commemorativeCards/getPageListByOwner',
  source: 'name',
  scope: 'cards:read',
  query: byOwner,
  item: CommemorativeCard,
})

/** The commemorative cards of a contract, or of one token of it. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const listByNft = pagedGatewayOperation({
  id: 'commemorativeCards.listByNft',
  method: 'GET',
  path: '/api/v1/card/commemorativeCards/getPageListByNft',
  source: 'name',
  scope: 'cards:read',
  query: byNft,
  item: CommemorativeCard,
})

/** The commemorative cards that are good in a store. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const listByStore = pagedGatewayOperation({
  id: 'commemorativeCards.listByStore',
  method: 'GET',
  path: '/api/v1/card/commemorativeCards/getPageListByStore',
  source: 'name',
  scope: 'cards:read',
  query: byStore,
  item: CommemorativeCard,
})

/** Looks for commemorative cards by name, status and time of creation. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const search = pagedGatewayOperation({
  id: 'commemorativeCards.search',
  method: 'GET',
  path: '/api/v1/card/commemorativeCards/search',
  source: 'added',
  scope: 'cards:read',
  query: searched,
  item: CommemorativeCard,
})

/** Update: changes the fields that are given and keeps the others. NotFoundError when there is no such card. */
export const update = gatewayOperation({
  id: 'commemorativeCards.update',
  method: 'POST',
  path: '/api/v1/card/commemorativeCards/update',
  source: 'name',
  idempotent: true,
  scope: 'cards:write',
  body: { ...changedCardFields, ...ownFields },
  data: CommemorativeCard,
  errors: [NotFoundError],
})
