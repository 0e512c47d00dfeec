import { Empty, Integer, NotFoundError, record, type Schema } from '@mintmark/envelope'
import { gatewayOperation, type InputOf, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import {
  byCreator,
  byNft,
  byOwner,
  byQrCode,
  byStore,
  cardOrders,
  cardParams,
  changedCardFields,
  createBatchFields,
  createCardFields,
  issuedCardFields,
  searchFields,
} from './card-fields.ts'

const ownRecordFields = {
  /** The amount that one card represents, in a unit of your choice. */
  amount: v.number(),
  /** URL of an image of the commemorated event; `''` if the card has none. */
  imageUrl: v.string(),
}
const commemorativeCardItem = record({
  ...ownRecordFields,
  /** The card's id. */
  id: Integer,
  // `referenceField` is repeated, because its spread would add to programs with a list.
  /**
   * Your own reference. Omitted if it is not set, or if a key with another wallet set it. Events do not
   * contain it.
   */
  reference: v.optional(v.string()),
  /** The card's name. */
  name: v.string(),
  /** The contract that the card belongs to, in lower case. */
  nftAddress: v.string(),
  /** The token that the card belongs to; `''` for any token of the contract. */
  nftId: v.string(),
  /** `ERC721` or `ERC1155`; `''` if the contract is not registered. */
  nftType: v.string(),
  /**
   * URL of the card's QR code image. `findCardCode` finds the card's code in it. `''` for callers without the
   * scope `cards:write`.
   */
  qrCodeUrl: v.string(),
  /** Total supply. */
  totalIssued: Integer,
  /** Instructions for the card's owner; `''` if there are none. */
  usageInstructions: v.string(),
})
/** A commemorative card in the list of a creator's cards (specification, "Commemorative card list item"). */
export interface CommemorativeCardItem extends v.InferOutput<typeof commemorativeCardItem> {}
export const CommemorativeCardItem: Schema<CommemorativeCardItem> = commemorativeCardItem

const commemorativeCard = record({ ...issuedCardFields, ...ownRecordFields })
/** A commemorative card. */
export interface CommemorativeCard extends v.InferOutput<typeof commemorativeCard> {}
export const CommemorativeCard: Schema<CommemorativeCard> = commemorativeCard

const ownFields = {
  /** The amount that one card represents, in a unit of your choice; not negative. Default: 0. */
  amount: v.optional(v.number()),
  /** URL of an image of the commemorated event. */
  imageUrl: v.optional(v.string()),
}
const createFields = { ...createCardFields, ...ownFields }

/**
 * Lists all commemorative cards. Newest first by default; `orderBy` accepts id, createTime, name, startTime
 * and endTime.
 *
 * @example
 * for await (const card of commemorativeCards.list.items(gateway, { orderBy: 'name' })) console.log(card.name)
 */
export const list = pagedGatewayOperation({
  id: 'commemorativeCards.list',
  method: 'GET',
  path: '/api/v1/card/commemorativeCards/page',
  source: 'name',
  scope: 'cards:read',
  orders: cardOrders,
  item: CommemorativeCard,
})
export type ListCommemorativeCardsInput = InputOf<typeof list>

/**
 * Creates a commemorative card, in the project's default collection or for the contract at `nftAddress`. Times are ISO
 * 8601.
 *
 * @example
 * const card = await commemorativeCards.create(gateway, {
 *   name: 'Ten years of Mintmark',
 *   startTime: '2026-01-01T00:00:00Z',
 *   endTime: '2026-12-31T23:59:59Z',
 *   totalIssued: 100,
 *   imageUrl: 'https://example.com/anniversary.png',
 * })
 */
export const create = gatewayOperation({
  id: 'commemorativeCards.create',
  method: 'POST',
  path: '/api/v1/card/commemorativeCards/create',
  source: 'name',
  scope: 'cards:write',
  body: createFields,
  data: CommemorativeCard,
})
export type CreateCommemorativeCardInput = InputOf<typeof create>

/**
 * Creates 1 to 500 commemorative cards, all or none, and returns them in the given order.
 *
 * @example
 * const cards = await commemorativeCards.createBatch(gateway, { cards: [firstCard, secondCard] })
 * console.log(cards.map((card) => card.id))
 */
export const createBatch = gatewayOperation({
  id: 'commemorativeCards.createBatch',
  method: 'POST',
  path: '/api/v1/card/commemorativeCards/createBatch',
  source: 'name',
  scope: 'cards:write',
  body: createBatchFields(createFields),
  data: v.array(CommemorativeCard),
})
export type CreateCommemorativeCardBatchInput = InputOf<typeof createBatch>

/**
 * Removes a commemorative card. NotFoundError if the card never existed.
 *
 * @example
 * await commemorativeCards.remove(gateway, { id: 7 })
 */
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
export type RemoveCommemorativeCardInput = InputOf<typeof remove>

/**
 * Returns one commemorative card. NotFoundError if it does not exist.
 *
 * @example
 * const card = await commemorativeCards.get(gateway, { id: 7 })
 * console.log(card.name, parseApplicableStores(card))
 */
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
export type GetCommemorativeCardInput = InputOf<typeof get>

/**
 * Returns the commemorative card whose QR code a scanner read. NotFoundError if no card has this code.
 *
 * @example
 * const card = await commemorativeCards.getByQrCode(gateway, { qrCode: scannedText })
 */
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
export type GetCommemorativeCardByQrCodeInput = InputOf<typeof getByQrCode>

/**
 * Lists the commemorative cards of one creator. Newest first by default; `orderBy` accepts id, createTime,
 * name, startTime and endTime.
 *
 * @example
 * const creator = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * for await (const card of commemorativeCards.listByCreator.items(gateway, { creator })) console.log(card.name)
 */
export const listByCreator = pagedGatewayOperation({
  id: 'commemorativeCards.listByCreator',
  method: 'GET',
  path: '/api/v1/card/commemorativeCards/getPageListByCreator',
  source: 'stated',
  scope: 'cards:read',
  query: byCreator,
  orders: cardOrders,
  item: CommemorativeCardItem,
})
export type ListCommemorativeCardsByCreatorInput = InputOf<typeof listByCreator>

/**
 * Lists the commemorative cards whose token a wallet owns. Newest first by default; `orderBy` accepts id,
 * createTime, name, startTime and endTime.
 *
 * @example
 * const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const page = await commemorativeCards.listByOwner(gateway, { owner, pageSize: 20 })
 */
export const listByOwner = pagedGatewayOperation({
  id: 'commemorativeCards.listByOwner',
  method: 'GET',
  path: '/api/v1/card/commemorativeCards/getPageListByOwner',
  source: 'name',
  scope: 'cards:read',
  query: byOwner,
  orders: cardOrders,
  item: CommemorativeCard,
})
export type ListCommemorativeCardsByOwnerInput = InputOf<typeof listByOwner>

/**
 * Lists the commemorative cards of a contract, or of one of its tokens. Newest first by default; `orderBy`
 * accepts id, createTime, name, startTime and endTime.
 *
 * @example
 * const nftAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const page = await commemorativeCards.listByNft(gateway, { nftAddress, nftId: '7' })
 */
export const listByNft = pagedGatewayOperation({
  id: 'commemorativeCards.listByNft',
  method: 'GET',
  path: '/api/v1/card/commemorativeCards/getPageListByNft',
  source: 'name',
  scope: 'cards:read',
  query: byNft,
  orders: cardOrders,
  item: CommemorativeCard,
})
export type ListCommemorativeCardsByNftInput = InputOf<typeof listByNft>

/**
 * Lists the commemorative cards that a store accepts. Newest first by default; `orderBy` accepts id,
 * createTime, name, startTime and endTime.
 *
 * @example
 * const page = await commemorativeCards.listByStore(gateway, { store: 'Berlin' })
 */
export const listByStore = pagedGatewayOperation({
  id: 'commemorativeCards.listByStore',
  method: 'GET',
  path: '/api/v1/card/commemorativeCards/getPageListByStore',
  source: 'name',
  scope: 'cards:read',
  query: byStore,
  orders: cardOrders,
  item: CommemorativeCard,
})
export type ListCommemorativeCardsByStoreInput = InputOf<typeof listByStore>

/**
 * Searches commemorative cards by name, status and creation time. Newest first by default; `orderBy` accepts
 * id, createTime, name, startTime and endTime.
 *
 * @example
 * const page = await commemorativeCards.search(gateway, { keyword: 'coffee', status: 'ACTIVE' })
 * console.log(page.totalRow)
 */
export const search = pagedGatewayOperation({
  id: 'commemorativeCards.search',
  method: 'GET',
  path: '/api/v1/card/commemorativeCards/search',
  source: 'added',
  scope: 'cards:read',
  query: searchFields,
  orders: cardOrders,
  item: CommemorativeCard,
})
export type SearchCommemorativeCardsInput = InputOf<typeof search>

/**
 * Replaces the given fields of a commemorative card and keeps the others. NotFoundError if the card does not
 * exist.
 *
 * @example
 * const card = await commemorativeCards.update(gateway, { id: 7, totalIssued: 200 })
 */
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
export type UpdateCommemorativeCardInput = InputOf<typeof update>
