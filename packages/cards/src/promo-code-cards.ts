import { Empty, Integer, NotFoundError, record, type Schema, Timestamp } from '@mintmark/envelope'
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
import { NONCE_REUSED, TOTAL_BELOW_USED } from './rules.ts'
import { VerificationRecord, verificationFields, verificationsQuery } from './verification.ts'

const promoCodeCard = record({
  ...issuedCardFields,
  /** Whether all uses are redeemed. */
  isRedeemed: v.boolean(),
  /** The number of redeemed uses. */
  usedCount: Integer,
  /** When the card stops being valid. Follows `endTime` until an update sets it. */
  validityPeriod: Timestamp,
})
/** A promo code card (specification, "Promo code card"). */
export interface PromoCodeCard extends v.InferOutput<typeof promoCodeCard> {}
export const PromoCodeCard: Schema<PromoCodeCard> = promoCodeCard

/**
 * Lists all promo code cards. Newest first by default; `orderBy` accepts id, createTime, name, startTime and
 * endTime.
 *
 * @example
 * for await (const card of promoCodeCards.list.items(gateway, { orderBy: 'name' })) console.log(card.name)
 */
export const list = pagedGatewayOperation({
  id: 'promoCodeCards.list',
  method: 'GET',
  path: '/api/v1/card/promoCodeCards/page',
  source: 'method',
  scope: 'cards:read',
  orders: cardOrders,
  item: PromoCodeCard,
})
export type ListPromoCodeCardsInput = InputOf<typeof list>

/**
 * Creates a promo code card, in the project's default collection or for the contract at `nftAddress`. Times
 * are ISO 8601.
 *
 * @example
 * const card = await promoCodeCards.create(gateway, {
 *   name: 'A free coffee',
 *   startTime: '2026-01-01T00:00:00Z',
 *   endTime: '2026-12-31T23:59:59Z',
 *   totalIssued: 100,
 * })
 */
export const create = gatewayOperation({
  id: 'promoCodeCards.create',
  method: 'POST',
  path: '/api/v1/card/promoCodeCards/create',
  source: 'stated',
  scope: 'cards:write',
  body: createCardFields,
  data: PromoCodeCard,
})
export type CreatePromoCodeCardInput = InputOf<typeof create>

/**
 * Creates 1 to 500 promo code cards, all or none, and returns them in the given order.
 *
 * @example
 * const cards = await promoCodeCards.createBatch(gateway, { cards: [firstCard, secondCard] })
 * console.log(cards.map((card) => card.id))
 */
export const createBatch = gatewayOperation({
  id: 'promoCodeCards.createBatch',
  method: 'POST',
  path: '/api/v1/card/promoCodeCards/createBatch',
  source: 'method',
  scope: 'cards:write',
  body: createBatchFields(createCardFields),
  data: v.array(PromoCodeCard),
})
export type CreatePromoCodeCardBatchInput = InputOf<typeof createBatch>

/**
 * Removes a promo code card. Its verifications remain, and later ones are refused. NotFoundError if the card
 * never existed.
 *
 * @example
 * await promoCodeCards.remove(gateway, { id: 7 })
 */
export const remove = gatewayOperation({
  id: 'promoCodeCards.remove',
  method: 'DELETE',
  path: '/api/v1/card/promoCodeCards/{id}',
  source: 'method',
  idempotent: true,
  scope: 'cards:write',
  params: cardParams,
  data: Empty,
  errors: [NotFoundError],
})
export type RemovePromoCodeCardInput = InputOf<typeof remove>

/**
 * Returns one promo code card. NotFoundError if it does not exist.
 *
 * @example
 * const card = await promoCodeCards.get(gateway, { id: 7 })
 * console.log(card.name, parseApplicableStores(card))
 */
export const get = gatewayOperation({
  id: 'promoCodeCards.get',
  method: 'GET',
  path: '/api/v1/card/promoCodeCards/{id}',
  source: 'stated',
  scope: 'cards:read',
  params: cardParams,
  data: PromoCodeCard,
  errors: [NotFoundError],
})
export type GetPromoCodeCardInput = InputOf<typeof get>

/**
 * Returns the promo code card whose QR code a scanner read. NotFoundError if no card has this code.
 *
 * @example
 * const card = await promoCodeCards.getByQrCode(gateway, { qrCode: scannedText })
 */
export const getByQrCode = gatewayOperation({
  id: 'promoCodeCards.getByQrCode',
  method: 'GET',
  path: '/api/v1/card/promoCodeCards/detail',
  source: 'method',
  scope: 'cards:read',
  query: byQrCode,
  data: PromoCodeCard,
  errors: [NotFoundError],
})
export type GetPromoCodeCardByQrCodeInput = InputOf<typeof getByQrCode>

/**
 * Lists the promo code cards of one creator. Newest first by default; `orderBy` accepts id, createTime, name,
 * startTime and endTime.
 *
 * @example
 * const creator = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * for await (const card of promoCodeCards.listByCreator.items(gateway, { creator })) console.log(card.name)
 */
export const listByCreator = pagedGatewayOperation({
  id: 'promoCodeCards.listByCreator',
  method: 'GET',
  path: '/api/v1/card/promoCodeCards/getPageListByCreator',
  source: 'method',
  scope: 'cards:read',
  query: byCreator,
  orders: cardOrders,
  item: PromoCodeCard,
})
export type ListPromoCodeCardsByCreatorInput = InputOf<typeof listByCreator>

/**
 * Lists the promo code cards whose token a wallet owns. Newest first by default; `orderBy` accepts id,
 * createTime, name, startTime and endTime.
 *
 * @example
 * const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const page = await promoCodeCards.listByOwner(gateway, { owner, pageSize: 20 })
 */
export const listByOwner = pagedGatewayOperation({
  id: 'promoCodeCards.listByOwner',
  method: 'GET',
  path: '/api/v1/card/promoCodeCards/getPageListByOwner',
  source: 'method',
  scope: 'cards:read',
  query: byOwner,
  orders: cardOrders,
  item: PromoCodeCard,
})
export type ListPromoCodeCardsByOwnerInput = InputOf<typeof listByOwner>

/**
 * Lists the promo code cards of a contract, or of one of its tokens. Newest first by default; `orderBy`
 * accepts id, createTime, name, startTime and endTime.
 *
 * @example
 * const nftAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const page = await promoCodeCards.listByNft(gateway, { nftAddress, nftId: '7' })
 */
export const listByNft = pagedGatewayOperation({
  id: 'promoCodeCards.listByNft',
  method: 'GET',
  path: '/api/v1/card/promoCodeCards/getPageListByNft',
  source: 'method',
  scope: 'cards:read',
  query: byNft,
  orders: cardOrders,
  item: PromoCodeCard,
})
export type ListPromoCodeCardsByNftInput = InputOf<typeof listByNft>

/**
 * Lists the promo code cards that a store accepts. Newest first by default; `orderBy` accepts id, createTime,
 * name, startTime and endTime.
 *
 * @example
 * const page = await promoCodeCards.listByStore(gateway, { store: 'Berlin' })
 */
export const listByStore = pagedGatewayOperation({
  id: 'promoCodeCards.listByStore',
  method: 'GET',
  path: '/api/v1/card/promoCodeCards/getPageListByStore',
  source: 'method',
  scope: 'cards:read',
  query: byStore,
  orders: cardOrders,
  item: PromoCodeCard,
})
export type ListPromoCodeCardsByStoreInput = InputOf<typeof listByStore>

/**
 * Searches promo code cards by name, status and creation time. Newest first by default; `orderBy` accepts id,
 * createTime, name, startTime and endTime.
 *
 * @example
 * const page = await promoCodeCards.search(gateway, { keyword: 'coffee', status: 'ACTIVE' })
 * console.log(page.totalRow)
 */
export const search = pagedGatewayOperation({
  id: 'promoCodeCards.search',
  method: 'GET',
  path: '/api/v1/card/promoCodeCards/search',
  source: 'method',
  scope: 'cards:read',
  query: searchFields,
  orders: cardOrders,
  item: PromoCodeCard,
})
export type SearchPromoCodeCardsInput = InputOf<typeof search>

/**
 * Replaces the given fields of a promo code card and keeps the others. NotFoundError if the card does not
 * exist. `TOTAL_BELOW_USED` if `totalIssued` would be below the number of uses.
 *
 * @example
 * const card = await promoCodeCards.update(gateway, { id: 7, totalIssued: 200 })
 */
export const update = gatewayOperation({
  id: 'promoCodeCards.update',
  method: 'POST',
  path: '/api/v1/card/promoCodeCards/update',
  source: 'method',
  idempotent: true,
  scope: 'cards:write',
  body: {
    ...changedCardFields,
    /** When the card stops being valid; after `startTime`. */
    validityPeriod: v.optional(Timestamp),
  },
  data: PromoCodeCard,
  errors: [NotFoundError, TOTAL_BELOW_USED],
})
export type UpdatePromoCodeCardInput = InputOf<typeof update>

/**
 * Redeems one use of a promo code card, or records why it was refused. A refusal is a record with
 * `result: 'REFUSED'` and a `reason`, not an error. Idempotent by `nonce`: repeating the call returns the
 * same record. `NONCE_REUSED` if the nonce belongs to a different verification.
 *
 * @example
 * const nonce = crypto.randomUUID()
 * const { result, reason } = await promoCodeCards.createVerification(gateway, { id: 7, action: 'REDEEM', nonce, store: 'Berlin' })
 * if (result === 'REFUSED') console.log(reason)
 */
export const createVerification = gatewayOperation({
  id: 'promoCodeCards.createVerification',
  method: 'POST',
  path: '/api/v1/card/promoCodeCards/verification/create',
  source: 'method',
  idempotent: true,
  scope: 'cards:verify',
  body: {
    ...verificationFields,
    /** `REDEEM` redeems one use. */
    action: v.picklist(['REDEEM']),
  },
  oneOf: ['id', 'qrCode'],
  data: VerificationRecord,
  errors: [NONCE_REUSED],
})
export type CreatePromoCodeCardVerificationInput = InputOf<typeof createVerification>

/**
 * Lists the recorded verifications of promo code cards. Newest first by default; `orderBy` accepts id and
 * createTime.
 *
 * @example
 * for await (const each of promoCodeCards.verifications.items(gateway, { cardId: 7 })) console.log(each.result, each.reason)
 */
export const verifications = pagedGatewayOperation({
  id: 'promoCodeCards.verifications',
  method: 'GET',
  path: '/api/v1/card/promoCodeCards/verification/page',
  source: 'method',
  scope: 'cards:read',
  query: verificationsQuery,
  item: VerificationRecord,
})
export type ListPromoCodeCardVerificationsInput = InputOf<typeof verifications>
