import { Empty, NotFoundError, record, type Schema, Text, Timestamp } from '@mintmark/envelope'
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

const membershipCard = record({
  ...issuedCardFields,
  /** The benefits of members. */
  benefits: v.array(v.string()),
  /** The membership level, such as `gold`. */
  level: v.string(),
  /** When the card stops being valid. Follows `endTime` until an update sets it. */
  validityPeriod: Timestamp,
})
/** A membership card. */
export interface MembershipCard extends v.InferOutput<typeof membershipCard> {}
export const MembershipCard: Schema<MembershipCard> = membershipCard

const ownFields = {
  /** The benefits of members. */
  benefits: v.optional(v.array(Text)),
  /** The membership level, such as `gold`. */
  level: v.optional(v.string()),
}
const createFields = { ...createCardFields, ...ownFields }

/**
 * Lists all membership cards. Newest first by default; `orderBy` accepts id, createTime, name, startTime and
 * endTime.
 *
 * @example
 * for await (const card of membershipCards.list.items(gateway, { orderBy: 'name' })) console.log(card.name)
 */
export const list = pagedGatewayOperation({
  id: 'membershipCards.list',
  method: 'GET',
  path: '/api/v1/card/membershipCards/page',
  source: 'name',
  scope: 'cards:read',
  orders: cardOrders,
  item: MembershipCard,
})
export type ListMembershipCardsInput = InputOf<typeof list>

/**
 * Creates a membership card, in the project's default collection or for the contract at `nftAddress`. Times are ISO
 * 8601.
 *
 * @example
 * const card = await membershipCards.create(gateway, {
 *   name: 'Gold members',
 *   startTime: '2026-01-01T00:00:00Z',
 *   endTime: '2026-12-31T23:59:59Z',
 *   totalIssued: 100,
 *   level: 'gold',
 * })
 */
export const create = gatewayOperation({
  id: 'membershipCards.create',
  method: 'POST',
  path: '/api/v1/card/membershipCards/create',
  source: 'name',
  scope: 'cards:write',
  body: createFields,
  data: MembershipCard,
})
export type CreateMembershipCardInput = InputOf<typeof create>

/**
 * Creates 1 to 500 membership cards, all or none, and returns them in the given order.
 *
 * @example
 * const cards = await membershipCards.createBatch(gateway, { cards: [firstCard, secondCard] })
 * console.log(cards.map((card) => card.id))
 */
export const createBatch = gatewayOperation({
  id: 'membershipCards.createBatch',
  method: 'POST',
  path: '/api/v1/card/membershipCards/createBatch',
  source: 'name',
  scope: 'cards:write',
  body: createBatchFields(createFields),
  data: v.array(MembershipCard),
})
export type CreateMembershipCardBatchInput = InputOf<typeof createBatch>

/**
 * Removes a membership card. Its verifications remain, and later ones are refused. NotFoundError if the card
 * never existed.
 *
 * @example
 * await membershipCards.remove(gateway, { id: 7 })
 */
export const remove = gatewayOperation({
  id: 'membershipCards.remove',
  method: 'DELETE',
  path: '/api/v1/card/membershipCards/{id}',
  source: 'name',
  idempotent: true,
  scope: 'cards:write',
  params: cardParams,
  data: Empty,
  errors: [NotFoundError],
})
export type RemoveMembershipCardInput = InputOf<typeof remove>

/**
 * Returns one membership card. NotFoundError if it does not exist.
 *
 * @example
 * const card = await membershipCards.get(gateway, { id: 7 })
 * console.log(card.name, parseApplicableStores(card))
 */
export const get = gatewayOperation({
  id: 'membershipCards.get',
  method: 'GET',
  path: '/api/v1/card/membershipCards/{id}',
  source: 'name',
  scope: 'cards:read',
  params: cardParams,
  data: MembershipCard,
  errors: [NotFoundError],
})
export type GetMembershipCardInput = InputOf<typeof get>

/**
 * Returns the membership card whose QR code a scanner read. NotFoundError if no card has this code.
 *
 * @example
 * const card = await membershipCards.getByQrCode(gateway, { qrCode: scannedText })
 */
export const getByQrCode = gatewayOperation({
  id: 'membershipCards.getByQrCode',
  method: 'GET',
  path: '/api/v1/card/membershipCards/detail',
  source: 'added',
  scope: 'cards:read',
  query: byQrCode,
  data: MembershipCard,
  errors: [NotFoundError],
})
export type GetMembershipCardByQrCodeInput = InputOf<typeof getByQrCode>

/**
 * Lists the membership cards of one creator. Newest first by default; `orderBy` accepts id, createTime, name,
 * startTime and endTime.
 *
 * @example
 * const creator = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * for await (const card of membershipCards.listByCreator.items(gateway, { creator })) console.log(card.name)
 */
export const listByCreator = pagedGatewayOperation({
  id: 'membershipCards.listByCreator',
  method: 'GET',
  path: '/api/v1/card/membershipCards/getPageListByCreator',
  source: 'name',
  scope: 'cards:read',
  query: byCreator,
  orders: cardOrders,
  item: MembershipCard,
})
export type ListMembershipCardsByCreatorInput = InputOf<typeof listByCreator>

/**
 * Lists the membership cards whose token a wallet owns. Newest first by default; `orderBy` accepts id,
 * createTime, name, startTime and endTime.
 *
 * @example
 * const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const page = await membershipCards.listByOwner(gateway, { owner, pageSize: 20 })
 */
export const listByOwner = pagedGatewayOperation({
  id: 'membershipCards.listByOwner',
  method: 'GET',
  path: '/api/v1/card/membershipCards/getPageListByOwner',
  source: 'name',
  scope: 'cards:read',
  query: byOwner,
  orders: cardOrders,
  item: MembershipCard,
})
export type ListMembershipCardsByOwnerInput = InputOf<typeof listByOwner>

/**
 * Lists the membership cards of a contract, or of one of its tokens. Newest first by default; `orderBy`
 * accepts id, createTime, name, startTime and endTime.
 *
 * @example
 * const nftAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * const page = await membershipCards.listByNft(gateway, { nftAddress, nftId: '7' })
 */
export const listByNft = pagedGatewayOperation({
  id: 'membershipCards.listByNft',
  method: 'GET',
  path: '/api/v1/card/membershipCards/getPageListByNft',
  source: 'name',
  scope: 'cards:read',
  query: byNft,
  orders: cardOrders,
  item: MembershipCard,
})
export type ListMembershipCardsByNftInput = InputOf<typeof listByNft>

/**
 * Lists the membership cards that a store accepts. Newest first by default; `orderBy` accepts id, createTime,
 * name, startTime and endTime.
 *
 * @example
 * const page = await membershipCards.listByStore(gateway, { store: 'Berlin' })
 */
export const listByStore = pagedGatewayOperation({
  id: 'membershipCards.listByStore',
  method: 'GET',
  path: '/api/v1/card/membershipCards/getPageListByStore',
  source: 'name',
  scope: 'cards:read',
  query: byStore,
  orders: cardOrders,
  item: MembershipCard,
})
export type ListMembershipCardsByStoreInput = InputOf<typeof listByStore>

/**
 * Searches membership cards by name, status and creation time. Newest first by default; `orderBy` accepts id,
 * createTime, name, startTime and endTime.
 *
 * @example
 * const page = await membershipCards.search(gateway, { keyword: 'coffee', status: 'ACTIVE' })
 * console.log(page.totalRow)
 */
export const search = pagedGatewayOperation({
  id: 'membershipCards.search',
  method: 'GET',
  path: '/api/v1/card/membershipCards/search',
  source: 'added',
  scope: 'cards:read',
  query: searchFields,
  orders: cardOrders,
  item: MembershipCard,
})
export type SearchMembershipCardsInput = InputOf<typeof search>

/**
 * Replaces the given fields of a membership card and keeps the others. NotFoundError if the card does not
 * exist.
 *
 * @example
 * const card = await membershipCards.update(gateway, { id: 7, totalIssued: 200 })
 */
export const update = gatewayOperation({
  id: 'membershipCards.update',
  method: 'POST',
  path: '/api/v1/card/membershipCards/update',
  source: 'name',
  idempotent: true,
  scope: 'cards:write',
  body: {
    ...changedCardFields,
    ...ownFields,
    /** When the card stops being valid; after `startTime`. */
    validityPeriod: v.optional(Timestamp),
  },
  data: MembershipCard,
  errors: [NotFoundError],
})
export type UpdateMembershipCardInput = InputOf<typeof update>

/**
 * Accepts a membership card once per store and day, or records why it was refused. A refusal is a record with
 * `result: 'REFUSED'` and a `reason`, not an error. Idempotent by `nonce`: repeating the call returns the
 * same record. `NONCE_REUSED` if the nonce belongs to a different verification.
 *
 * @example
 * const nonce = crypto.randomUUID()
 * const { result, reason } = await membershipCards.createVerification(gateway, { id: 7, action: 'CHECK_IN', nonce, store: 'Berlin' })
 * if (result === 'REFUSED') console.log(reason)
 */
export const createVerification = gatewayOperation({
  id: 'membershipCards.createVerification',
  method: 'POST',
  path: '/api/v1/card/membershipCards/verification/create',
  source: 'name',
  idempotent: true,
  scope: 'cards:verify',
  body: {
    ...verificationFields,
    /** `REDEEM` or `CHECK_IN`, each accepted once per store and day. */
    action: v.picklist(['REDEEM', 'CHECK_IN']),
  },
  oneOf: ['id', 'qrCode'],
  data: VerificationRecord,
  errors: [NONCE_REUSED],
})
export type CreateMembershipCardVerificationInput = InputOf<typeof createVerification>

/**
 * Lists the recorded verifications of membership cards. Newest first by default; `orderBy` accepts id and
 * createTime.
 *
 * @example
 * for await (const each of membershipCards.verifications.items(gateway, { cardId: 7 })) console.log(each.result, each.reason)
 */
export const verifications = pagedGatewayOperation({
  id: 'membershipCards.verifications',
  method: 'GET',
  path: '/api/v1/card/membershipCards/verification/page',
  source: 'name',
  scope: 'cards:read',
  query: verificationsQuery,
  item: VerificationRecord,
})
export type ListMembershipCardVerificationsInput = InputOf<typeof verifications>
