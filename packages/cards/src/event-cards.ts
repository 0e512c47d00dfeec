import { Empty, NotFoundError, record, type Schema } from '@mintmark/envelope'
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

const eventCard = record({
  ...issuedCardFields,
  /** Whether its holder was let in. */
  isCheckedIn: v.boolean(),
})
/** An event card (specification, "Event card"). */
export interface EventCard extends v.InferOutput<typeof eventCard> {}
export const EventCard: Schema<EventCard> = eventCard

const ownFields = {
  /** Whether its holder is in already; default false. */
  isCheckedIn: v.optional(v.boolean()),
}
const createFields = { ...createCardFields, ...ownFields }

/** Paginated query: all event cards. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const list = pagedGatewayOperation({
  id: 'eventCards.list',
  method: 'GET',
  path: '/api/v1/card/eventCards/page',
  source: 'method',
  scope: 'cards:read',
  item: EventCard,
})

/** Create: saves the basic information of an event card. */
export const create = gatewayOperation({
  id: 'eventCards.create',
  method: 'POST',
  path: '/api/v1/card/eventCards/create',
  source: 'stated',
  scope: 'cards:write',
  body: createFields,
  data: EventCard,
})

/** Batch create: 1 to 500 event cards, all or none; answers them in the order they were given. */
export const createBatch = gatewayOperation({
  id: 'eventCards.createBatch',
  method: 'POST',
  path: '/api/v1/card/eventCards/createBatch',
  source: 'method',
  scope: 'cards:write',
  body: cardsOf(createFields),
  data: v.array(EventCard),
})

/** Delete: removes an event card. Its verifications stay, and further ones are refused. NotFoundError when there never was one. */
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

/** Query details: one event card. NotFoundError when there is none. */
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

/** Query details by what a scanner read from the QR picture: one event card. NotFoundError when there is none. */
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

/** The event cards of one creator. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const listByCreator = pagedGatewayOperation({
  id: 'eventCards.listByCreator',
  method: 'GET',
  path: '/api/v1/card/eventCards/getPageListByCreator',
  source: 'method',
  scope: 'cards:read',
  query: byCreator,
  item: EventCard,
})

/** The event cards whose token a wallet holds. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const listByOwner = pagedGatewayOperation({
  id: 'eventCards.listByOwner',
  method: 'GET',
  path: '/api/v1/card/eventCards/getPageListByOwner',
  source: 'method',
  scope: 'cards:read',
  query: byOwner,
  item: EventCard,
})

/** The event cards of a contract, or of one token of it. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const listByNft = pagedGatewayOperation({
  id: 'eventCards.listByNft',
  method: 'GET',
  path: '/api/v1/card/eventCards/getPageListByNft',
  source: 'method',
  scope: 'cards:read',
  query: byNft,
  item: EventCard,
})

/** The event cards that are good in a store. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const listByStore = pagedGatewayOperation({
  id: 'eventCards.listByStore',
  method: 'GET',
  path: '/api/v1/card/eventCards/getPageListByStore',
  source: 'method',
  scope: 'cards:read',
  query: byStore,
  item: EventCard,
})

/** Looks for event cards by name, status and time of creation. Newest first unless `orderBy` (id, createTime, name, startTime, endTime) says otherwise. */
export const search = pagedGatewayOperation({
  id: 'eventCards.search',
  method: 'GET',
  path: '/api/v1/card/eventCards/search',
  source: 'method',
  scope: 'cards:read',
  query: searched,
  item: EventCard,
})

/** Update: changes the fields that are given and keeps the others. NotFoundError when there is no such card. */
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

/**
 * Create Verification: checks the holder in, or records why not; a refusal is an answer, not an error.
 * Sending it again with the same nonce is answered with the same record; `NONCE_REUSED` when the nonce stands for something else.
 */
export const createVerification = gatewayOperation({
  id: 'eventCards.createVerification',
  method: 'POST',
  path: '/api/v1/card/eventCards/verification/create',
  source: 'method',
  idempotent: true,
  scope: 'cards:write',
  body: {
    ...verificationFields,
    /** `CHECK_IN`: lets the holder in. */
    action: v.picklist(['CHECK_IN']),
  },
  data: VerificationRecord,
  errors: [NONCE_REUSED],
})

/** Paginated query of the verification records of event cards. Newest first unless `orderBy` (id, createTime) says otherwise. */
export const verifications = pagedGatewayOperation({
  id: 'eventCards.verifications',
  method: 'GET',
  path: '/api/v1/card/eventCards/verification/page',
  source: 'method',
  scope: 'cards:read',
  query: verificationsOf,
  item: VerificationRecord,
})
