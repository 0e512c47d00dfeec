import { Empty, NotFoundError, record, type Schema, Text, Timestamp } from '@mintmark/envelope'
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
import { NONCE_REUSED } from './rules.ts'
import { VerificationRecord, verificationFields, verificationsOf } from './verification.ts'

const membershipCard = record({
  ...issuedCardFields,
  /** What members get. */
  benefits: v.array(v.string()),
  /** What kind of member, such as `gold`. */
  level: v.string(),
  /** Until when the card is valid; the end time unless it was changed. */
  validityPeriod: Timestamp,
})
/** A membership card. */
export interface MembershipCard extends v.InferOutput<typeof membershipCard> {}
export const MembershipCard: Schema<MembershipCard> = membershipCard

const ownFields = {
  /** What members get. */
  benefits: v.optional(v.array(Text)),
  /** What kind of member, such as `gold`. */
  level: v.optional(v.string()),
}
const createFields = { ...createCardFields, ...ownFields }

/** Paginated query: all membership cards. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const list = pagedGatewayOperation({
  id: 'membershipCards.list',
  method: 'GET',
  path: '/api/v1/card/membershipCards/page',
  source: 'name',
  scope: 'cards:read',
  item: MembershipCard,
})

/** Create: a membership card of the contract `nftAddress`. */
export const create = gatewayOperation({
  id: 'membershipCards.create',
  method: 'POST',
  path: '/api/v1/card/membershipCards/create',
  source: 'name',
  scope: 'cards:write',
  body: createFields,
  data: MembershipCard,
})

/** Batch create: 1 to 500 membership cards, all or none; answers them in the order they were given. */
export const createBatch = gatewayOperation({
  id: 'membershipCards.createBatch',
  method: 'POST',
  path: '/api/v1/card/membershipCards/createBatch',
  source: 'name',
  scope: 'cards:write',
  body: cardsOf(createFields),
  data: v.array(MembershipCard),
})

/** Delete: removes a membership card. Its verifications stay, and further ones are refused. NotFoundError when there never was one. */
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

/** Query details: one membership card. NotFoundError when there is none. */
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

/** Query details by what a scanner read from the QR picture: one membership card. NotFoundError when there is none. */
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

/** The membership cards of one creator. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const listByCreator = pagedGatewayOperation({
  id: 'membershipCards.listByCreator',
  method: 'GET',
  path: '/api/v1/card/membershipCards/getPageListByCreator',
  source: 'name',
  scope: 'cards:read',
  query: byCreator,
  item: MembershipCard,
})

/** The membership cards whose token a wallet holds. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const listByOwner = pagedGatewayOperation({
  id: 'membershipCards.listByOwner',
  method: 'GET',
  path: '/api/v1/card/membershipCards/getPageListByOwner',
  source: 'name',
  scope: 'cards:read',
  query: byOwner,
  item: MembershipCard,
})

/** The membership cards of a contract, or of one token of it. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const listByNft = pagedGatewayOperation({
  id: 'membershipCards.listByNft',
  method: 'GET',
  path: '/api/v1/card/membershipCards/getPageListByNft',
  source: 'name',
  scope: 'cards:read',
  query: byNft,
  item: MembershipCard,
})

/** The membership cards that are good in a store. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const listByStore = pagedGatewayOperation({
  id: 'membershipCards.listByStore',
  method: 'GET',
  path: '/api/v1/card/membershipCards/getPageListByStore',
  source: 'name',
  scope: 'cards:read',
  query: byStore,
  item: MembershipCard,
})

/** Looks for membership cards by name, status and time of creation. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const search = pagedGatewayOperation({
  id: 'membershipCards.search',
  method: 'GET',
  path: '/api/v1/card/membershipCards/search',
  source: 'added',
  scope: 'cards:read',
  query: searched,
  item: MembershipCard,
})

/** Update: changes the fields that are given and keeps the others. NotFoundError when there is no such card. */
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
    /** Until when the card is valid, the end time or another moment after `startTime`. */
    validityPeriod: v.optional(Timestamp),
  },
  data: MembershipCard,
  errors: [NotFoundError],
})

/**
 * Create Verification: takes the card once a store and day, or records why not; a refusal is an answer, not an error.
 * Sending it again with the same nonce is answered with the same record; `NONCE_REUSED` when the nonce stands for something else.
 */
export const createVerification = gatewayOperation({
  id: 'membershipCards.createVerification',
  method: 'POST',
  path: '/api/v1/card/membershipCards/verification/create',
  source: 'name',
  idempotent: true,
  scope: 'cards:write',
  body: {
    ...verificationFields,
    /** `REDEEM` or `CHECK_IN`: either is good once a store and day. */
    action: v.picklist(['REDEEM', 'CHECK_IN']),
  },
  data: VerificationRecord,
  errors: [NONCE_REUSED],
})

/** Paginated query of the verification records of membership cards. Newest first unless `orderBy` (id, createTime) says otherwise. */
export const verifications = pagedGatewayOperation({
  id: 'membershipCards.verifications',
  method: 'GET',
  path: '/api/v1/card/membershipCards/verification/page',
  source: 'name',
  scope: 'cards:read',
  query: verificationsOf,
  item: VerificationRecord,
})
