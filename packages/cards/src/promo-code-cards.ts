import { Empty, Integer, NotFoundError, record, type Schema, Timestamp } from '@mintmark/envelope'
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
import { NONCE_REUSED, TOTAL_BELOW_USED } from './rules.ts'
import { VerificationRecord, verificationFields, verificationsOf } from './verification.ts'

const promoCodeCard = record({
  ...issuedCardFields,
  /** Whether all that were issued are used. */
  isRedeemed: v.boolean(),
  /** How many are used. */
  usedCount: Integer,
  /** Until when the card is valid; the end time unless it was changed. */
  validityPeriod: Timestamp,
})
/** A promo code card (specification, "Promo code card"). */
export interface PromoCodeCard extends v.InferOutput<typeof promoCodeCard> {}
export const PromoCodeCard: Schema<PromoCodeCard> = promoCodeCard

/** Paginated query: all promo code cards. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const list = pagedGatewayOperation({
  id: 'promoCodeCards.list',
  method: 'GET',
  path: '/api/v1/card/promoCodeCards/page',
  source: 'method',
  scope: 'cards:read',
  item: PromoCodeCard,
})

/** Create: a promo code card of the contract `nftAddress`. */
export const create = gatewayOperation({
  id: 'promoCodeCards.create',
  method: 'POST',
  path: '/api/v1/card/promoCodeCards/create',
  source: 'stated',
  scope: 'cards:write',
  body: createCardFields,
  data: PromoCodeCard,
})

/** Batch create: 1 to 500 promo code cards, all or none; answers them in the order they were given. */
export const createBatch = gatewayOperation({
  id: 'promoCodeCards.createBatch',
  method: 'POST',
  path: '/api/v1/card/promoCodeCards/createBatch',
  source: 'method',
  scope: 'cards:write',
  body: cardsOf(createCardFields),
  data: v.array(PromoCodeCard),
})

/** Delete: removes a promo code card. Its verifications stay, and further ones are refused. NotFoundError when there never was one. */
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

/** Query details: one promo code card. NotFoundError when there is none. */
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

/** Query details by what a scanner read from the QR picture: one promo code card. NotFoundError when there is none. */
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

/** The promo code cards of one creator. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const listByCreator = pagedGatewayOperation({
  id: 'promoCodeCards.listByCreator',
  method: 'GET',
  path: '/api/v1/card/promoCodeCards/getPageListByCreator',
  source: 'method',
  scope: 'cards:read',
  query: byCreator,
  item: PromoCodeCard,
})

/** The promo code cards whose token a wallet holds. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const listByOwner = pagedGatewayOperation({
  id: 'promoCodeCards.listByOwner',
  method: 'GET',
  path: '/api/v1/card/promoCodeCards/getPageListByOwner',
  source: 'method',
  scope: 'cards:read',
  query: byOwner,
  item: PromoCodeCard,
})

/** The promo code cards of a contract, or of one token of it. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const listByNft = pagedGatewayOperation({
  id: 'promoCodeCards.listByNft',
  method: 'GET',
  path: '/api/v1/card/promoCodeCards/getPageListByNft',
  source: 'method',
  scope: 'cards:read',
  query: byNft,
  item: PromoCodeCard,
})

/** The promo code cards that are good in a store. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const listByStore = pagedGatewayOperation({
  id: 'promoCodeCards.listByStore',
  method: 'GET',
  path: '/api/v1/card/promoCodeCards/getPageListByStore',
  source: 'method',
  scope: 'cards:read',
  query: byStore,
  item: PromoCodeCard,
})

/** Looks for promo code cards by name, status and time of creation. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const search = pagedGatewayOperation({
  id: 'promoCodeCards.search',
  method: 'GET',
  path: '/api/v1/card/promoCodeCards/search',
  source: 'method',
  scope: 'cards:read',
  query: searched,
  item: PromoCodeCard,
})

/**
 * Update: changes the fields that are given and keeps the others. NotFoundError when there is no such card,
 * `TOTAL_BELOW_USED` when more are used than `totalIssued` would leave.
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
    /** Until when the card is valid, the end time or another moment after `startTime`. */
    validityPeriod: v.optional(Timestamp),
  },
  data: PromoCodeCard,
  errors: [NotFoundError, TOTAL_BELOW_USED],
})

/**
 * Create Verification: redeems one, or records why not; a refusal is an answer, not an error.
 * Sending it again with the same nonce is answered with the same record; `NONCE_REUSED` when the nonce stands for something else.
 */
export const createVerification = gatewayOperation({
  id: 'promoCodeCards.createVerification',
  method: 'POST',
  path: '/api/v1/card/promoCodeCards/verification/create',
  source: 'method',
  idempotent: true,
  scope: 'cards:write',
  body: {
    ...verificationFields,
    /** `REDEEM`: uses one. */
    action: v.picklist(['REDEEM']),
  },
  data: VerificationRecord,
  errors: [NONCE_REUSED],
})

/** Paginated query of the verification records of promo code cards. Newest first unless `orderBy` (id, createTime) says otherwise. */
export const verifications = pagedGatewayOperation({
  id: 'promoCodeCards.verifications',
  method: 'GET',
  path: '/api/v1/card/promoCodeCards/verification/page',
  source: 'method',
  scope: 'cards:read',
  query: verificationsOf,
  item: VerificationRecord,
})
