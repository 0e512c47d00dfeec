import { Empty, NotFoundError, record, type Schema } from '@mintmark/envelope'
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
import { NONCE_REUSED } from './rules.ts'
import { VerificationRecord, verificationFields, verificationsQuery } from './verification.ts'

const eventCard = record({
  ...issuedCardFields,
  /** Whether the holder is checked in. */
  isCheckedIn: v.boolean(),
})
/** An event card (specification, "Event card"). */
export interface EventCard extends v.InferOutput<typeof eventCard> {}
export const EventCard: Schema<EventCard> = eventCard

const ownFields = {
  /** Whether the holder is already checked in. Default: false. */
  isCheckedIn: v.optional(v.boolean()),
}
const createFields = { ...createCardFields, ...ownFields }

/**
 * Lists all event cards. Newest first by default; `orderBy` accepts id, createTime, name, startTime and
 * endTime.
 *
 * @example
 * for await (const card of eventCards.list.items(gateway, { orderBy: 'name' })) console.log(card.name)
 */
export const list = pagedGatewayOperation({
  id: 'eventCards.list',
  method: 'GET',
  path: '/api/v1/card/eventCards/page',
  source: 'method',
  scope: 'cards:read',
  orders: cardOrders,
  item: EventCard,
})
export type ListEventCardsInput = InputOf<typeof list>

/**
 * Creates an event card, in the project's default collection or for the contract at `nftAddress`. Times are ISO
 * 8601.
 *
 * @example
 * const card = await eventCards.create(gateway, {
 *   name: 'Opening night',
 *   startTime: '2026-01-01T00:00:00Z',
 *   endTime: '2026-12-31T23:59:59Z',
 *   totalIssued: 100,
 * })
 */
export const create = gatewayOperation({
  id: 'eventCards.create',
  method: 'POST',
  path: '/api/v1/card/eventCards/create',
  source: 'stated',
  scope: 'cards:write',
  body: createFields,
  data: EventCard,
})
export type CreateEventCardInput = InputOf<typeof create>

/**
 * Creates 1 to 500 event cards, all or none, and returns them in the given order.
 *
 * @example
 * const cards = await eventCards.createBatch(gateway, { cards: [firstCard, secondCard] })
 * console.log(cards.map((card) => card.id))
 */
export const createBatch = gatewayOperation({
  id: 'eventCards.createBatch',
  method: 'POST',
  path: '/api/v1/card/eventCards/createBatch',
  source: 'method',
  scope: 'cards:write',
  body: createBatchFields(createFields),
  data: v.array(EventCard),
})
export type CreateEventCardBatchInput = InputOf<typeof createBatch>

/**
 * Removes an event card. Its verifications remain, and later ones are refused. NotFoundError if the card
 * never existed.
 *
 * @example
 * await eventCards.remove(gateway, { id: 7 })
 */
export const remove = gatewayOperation({
  id: 'eventCards.remove',
  method: 'DELETE',
  path: '/api/v1/card/eventCards/{id}',
  source: 'method',
  idempotent: true,
  scope: 'cards:write',
  params: cardParams,
  data: Empty,
  errors: [NotFoundError],
})
export type RemoveEventCardInput = InputOf<typeof remove>

/**
 * Returns one event card. NotFoundError if it does not exist.
 *
 * @example
 * const card = await eventCards.get(gateway, { id: 7 })
 * console.log(card.name, parseApplicableStores(card))
 */
export const get = gatewayOperation({
  id: 'eventCards.get',
  method: 'GET',
  path: '/api/v1/card/eventCards/{id}',
  source: 'method',
  scope: 'cards:read',
  params: cardParams,
  data: EventCard,
  errors: [NotFoundError],
})
export type GetEventCardInput = InputOf<typeof get>

/**
 * Returns the event card whose QR code a scanner read. NotFoundError if no card has this code.
 *
 * @example
 * const card = await eventCards.getByQrCode(gateway, { qrCode: scannedText })
 */
export const getByQrCode = gatewayOperation({
  id: 'eventCards.getByQrCode',
  method: 'GET',
  path: '/api/v1/card/eventCards/detail',
  source: 'method',
  scope: 'cards:read',
  query: byQrCode,
  data: EventCard,
  errors: [NotFoundError],
})
export type GetEventCardByQrCodeInput = InputOf<typeof getByQrCode>

/**
 * Lists the event cards of one creator. Newest first by default; `orderBy` accepts id, createTime, name,
 * startTime and endTime.
 *
 * @example
 * const creator = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * for await (const card of eventCards.listByCreator.items(gateway, { creator })) console.log(card.name)
 */
export const listByCreator = pagedGatewayOperation({
  id: 'eventCards.listByCreator',
  method: 'GET',
  path: '/api/v1/card/eventCards/getPageListByCreator',
  source: 'method',
  scope: 'cards:read',
  query: byCreator,
  orders: cardOrders,
  item: EventCard,
})
export type ListEventCardsByCreatorInput = InputOf<typeof listByCreator>

/**
 * Lists the event cards whose token a wallet owns. Newest first by default; `orderBy` accepts id, createTime,
 * name, startTime and endTime.
 *
 * @example
 * const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const page = await eventCards.listByOwner(gateway, { owner, pageSize: 20 })
 */
export const listByOwner = pagedGatewayOperation({
  id: 'eventCards.listByOwner',
  method: 'GET',
  path: '/api/v1/card/eventCards/getPageListByOwner',
  source: 'method',
  scope: 'cards:read',
  query: byOwner,
  orders: cardOrders,
  item: EventCard,
})
export type ListEventCardsByOwnerInput = InputOf<typeof listByOwner>

/**
 * Lists the event cards of a contract, or of one of its tokens. Newest first by default; `orderBy` accepts
 * id, createTime, name, startTime and endTime.
 *
 * @example
 * const nftAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const page = await eventCards.listByNft(gateway, { nftAddress, nftId: '7' })
 */
export const listByNft = pagedGatewayOperation({
  id: 'eventCards.listByNft',
  method: 'GET',
  path: '/api/v1/card/eventCards/getPageListByNft',
  source: 'method',
  scope: 'cards:read',
  query: byNft,
  orders: cardOrders,
  item: EventCard,
})
export type ListEventCardsByNftInput = InputOf<typeof listByNft>

/**
 * Lists the event cards that a store accepts. Newest first by default; `orderBy` accepts id, createTime,
 * name, startTime and endTime.
 *
 * @example
 * const page = await eventCards.listByStore(gateway, { store: 'Berlin' })
 */
export const listByStore = pagedGatewayOperation({
  id: 'eventCards.listByStore',
  method: 'GET',
  path: '/api/v1/card/eventCards/getPageListByStore',
  source: 'method',
  scope: 'cards:read',
  query: byStore,
  orders: cardOrders,
  item: EventCard,
})
export type ListEventCardsByStoreInput = InputOf<typeof listByStore>

/**
 * Searches event cards by name, status and creation time. Newest first by default; `orderBy` accepts id,
 * createTime, name, startTime and endTime.
 *
 * @example
 * const page = await eventCards.search(gateway, { keyword: 'coffee', status: 'ACTIVE' })
 * console.log(page.totalRow)
 */
export const search = pagedGatewayOperation({
  id: 'eventCards.search',
  method: 'GET',
  path: '/api/v1/card/eventCards/search',
  source: 'method',
  scope: 'cards:read',
  query: searchFields,
  orders: cardOrders,
  item: EventCard,
})
export type SearchEventCardsInput = InputOf<typeof search>

/**
 * Replaces the given fields of an event card and keeps the others. NotFoundError if the card does not exist.
 *
 * @example
 * const card = await eventCards.update(gateway, { id: 7, totalIssued: 200 })
 */
export const update = gatewayOperation({
  id: 'eventCards.update',
  method: 'POST',
  path: '/api/v1/card/eventCards/update',
  source: 'method',
  idempotent: true,
  scope: 'cards:write',
  body: { ...changedCardFields, ...ownFields },
  data: EventCard,
  errors: [NotFoundError],
})
export type UpdateEventCardInput = InputOf<typeof update>

/**
 * Checks in the holder of an event card, or records why the card was refused. A refusal is a record with
 * `result: 'REFUSED'` and a `reason`, not an error. Idempotent by `nonce`: repeating the call returns the
 * same record. `NONCE_REUSED` if the nonce belongs to a different verification.
 *
 * @example
 * const nonce = crypto.randomUUID()
 * const { result, reason } = await eventCards.createVerification(gateway, { id: 7, action: 'CHECK_IN', nonce, store: 'Berlin' })
 * if (result === 'REFUSED') console.log(reason)
 */
export const createVerification = gatewayOperation({
  id: 'eventCards.createVerification',
  method: 'POST',
  path: '/api/v1/card/eventCards/verification/create',
  source: 'method',
  idempotent: true,
  scope: 'cards:verify',
  body: {
    ...verificationFields,
    /** `CHECK_IN` admits the holder. */
    action: v.picklist(['CHECK_IN']),
  },
  oneOf: ['id', 'qrCode'],
  data: VerificationRecord,
  errors: [NONCE_REUSED],
})
export type CreateEventCardVerificationInput = InputOf<typeof createVerification>

/**
 * Lists the recorded verifications of event cards. Newest first by default; `orderBy` accepts id and
 * createTime.
 *
 * @example
 * for await (const each of eventCards.verifications.items(gateway, { cardId: 7 })) console.log(each.result, each.reason)
 */
export const verifications = pagedGatewayOperation({
  id: 'eventCards.verifications',
  method: 'GET',
  path: '/api/v1/card/eventCards/verification/page',
  source: 'method',
  scope: 'cards:read',
  query: verificationsQuery,
  item: VerificationRecord,
})
export type ListEventCardVerificationsInput = InputOf<typeof verifications>
