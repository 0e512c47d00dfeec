import {
  type CardStatus,
  type CommemorativeCardItem,
  type CreateMembershipCardVerificationInput,
  type CreatePromoCodeCardInput,
  commemorativeCards,
  type EventCard,
  eventCards,
  type membershipCards,
  type NONCE_REUSED,
  type PromoCodeCard,
  promoCodeCards,
  type SearchEventCardsInput,
  type TOTAL_BELOW_USED,
  type VerificationAction,
  type VerificationReason,
  type VerificationRecord,
} from '@mintmark/cards'
import * as promoCodeGroup from '@mintmark/cards/promo-code-cards'
import type { Empty, NotFoundError } from '@mintmark/envelope'
import type { DataOf, ErrorsOf, InputOf } from '@mintmark/operation'
import { createFacilitator, createGateway, reroute, withResponse } from '@mintmark/transport'
import { expectTypeOf } from 'vitest'

const gateway = createGateway({ baseUrl: '', credentials: { apiKey: '', secret: '' } })
const facilitator = createFacilitator({ baseUrl: '' })

/* A card has the fields that the specification states, the caller's own reference, and no other. */
interface Issued {
  applicableStores: string
  backgroundImageUrl: string
  chainId: string
  createTimeLong: number
  endTime: string
  id: number
  logoUrl: string
  name: string
  nftAddress: string
  nftId: string
  nftType: string
  projectId: number
  qrCodeUrl: string
  startTime: string
  totalIssued: number
  usageInstructions: string
}
expectTypeOf<{ [K in Exclude<keyof PromoCodeCard, 'reference'>]: PromoCodeCard[K] }>().toEqualTypeOf<{
  [K in keyof Issued | 'isRedeemed' | 'usedCount' | 'validityPeriod']: K extends keyof Issued
    ? Issued[K]
    : { isRedeemed: boolean; usedCount: number; validityPeriod: string }[Exclude<K, keyof Issued>]
}>()
expectTypeOf<PromoCodeCard['reference']>().toEqualTypeOf<string | undefined>()
expectTypeOf<Omit<EventCard, 'isCheckedIn' | 'reference'>>().toEqualTypeOf<Pick<Issued, keyof Issued>>()
expectTypeOf(promoCodeCards.get(gateway, { id: 7 })).resolves.toEqualTypeOf<PromoCodeCard>()
expectTypeOf((await withResponse(eventCards.get, gateway, { id: 7 })).data).toEqualTypeOf<EventCard>()
const card = await promoCodeCards.get(gateway, { id: 7 })
// @ts-expect-error a misspelt field
card.totalIsued
// @ts-expect-error a field of event cards
card.isCheckedIn

/* Ids are numbers. */
expectTypeOf<InputOf<typeof promoCodeCards.get>>().toEqualTypeOf<{ id: number }>()
// @ts-expect-error a text
promoCodeCards.get(gateway, { id: '7' })
// @ts-expect-error no id
promoCodeCards.get(gateway, {})
// @ts-expect-error no input
promoCodeCards.get(gateway)
// @ts-expect-error an unknown field
promoCodeCards.get(gateway, { id: 7, name: 'Two for one' })

/* An optional field of an input may be undefined. */
const terms = { name: 'Two for one', nftAddress: '0x', totalIssued: 100, startTime: '', endTime: '' }
promoCodeCards.create(gateway, { ...terms, nftId: undefined })
promoCodeCards.create(gateway, terms, { idempotencyKey: 'auto', signal: AbortSignal.timeout(1) })
promoCodeCards.createBatch(gateway, { cards: [terms, terms] })
// @ts-expect-error the server assigns the id
promoCodeCards.create(gateway, { ...terms, id: 7 })
// @ts-expect-error a card of the batch lacks its fields
promoCodeCards.createBatch(gateway, { cards: [{ name: 'Two for one' }] })
// @ts-expect-error a list without its items' type
promoCodeCards.create(gateway, { ...terms, applicableStores: [1] })

/* Each program supports its own verification actions. */
expectTypeOf<InputOf<typeof promoCodeCards.createVerification>['action']>().toEqualTypeOf<'REDEEM'>()
expectTypeOf<InputOf<typeof eventCards.createVerification>['action']>().toEqualTypeOf<'CHECK_IN'>()
expectTypeOf<InputOf<typeof membershipCards.createVerification>['action']>().toEqualTypeOf<
  'REDEEM' | 'CHECK_IN'
>()
expectTypeOf<DataOf<typeof membershipCards.createVerification>>().toEqualTypeOf<VerificationRecord>()
promoCodeCards.createVerification(gateway, { id: 7, action: 'REDEEM', nonce: '1' })
promoCodeCards.createVerification(gateway, { qrCode: 'x', action: 'REDEEM', nonce: '1' })
// @ts-expect-error the card's id or its code, not both
promoCodeCards.createVerification(gateway, { id: 7, qrCode: 'x', action: 'REDEEM', nonce: '1' })
// @ts-expect-error the card's id or its code is required
promoCodeCards.createVerification(gateway, { action: 'REDEEM', nonce: '1' })
// @ts-expect-error commemorative cards cannot be verified
commemorativeCards.createVerification

/* Lists yield their item's record. An input without required fields can be omitted. */
promoCodeCards.list(gateway)
promoCodeCards.list(gateway, { pageSize: 50, orderBy: 'name' }, { retries: 0 })
promoCodeCards.listByCreator(gateway, { creator: '0x', orderBy: 'endTime desc' })
promoCodeCards.verifications(gateway, { orderBy: 'createTime asc' })
// @ts-expect-error an order that a list of cards does not have
promoCodeCards.list(gateway, { orderBy: 'totalIssued' })
// @ts-expect-error an order that a list of verifications does not have
promoCodeCards.verifications(gateway, { orderBy: 'name' })
for await (const item of commemorativeCards.listByCreator.items(gateway, { creator: '0x' }))
  expectTypeOf(item).toEqualTypeOf<CommemorativeCardItem>()
for await (const page of eventCards.list.pages(gateway)) expectTypeOf(page.list).toEqualTypeOf<EventCard[]>()
// @ts-expect-error the creator is required
commemorativeCards.listByCreator.items(gateway, { pageSize: 50 })
// @ts-expect-error one record has no items
promoCodeCards.get.items

/* Operations declare their errors, and rules have their codes. */
expectTypeOf<ErrorsOf<typeof promoCodeCards.get>>().toEqualTypeOf<typeof NotFoundError>()
expectTypeOf<ErrorsOf<typeof promoCodeCards.create>>().toEqualTypeOf<never>()
expectTypeOf<ErrorsOf<typeof promoCodeCards.update>>().toEqualTypeOf<
  typeof NotFoundError | typeof TOTAL_BELOW_USED
>()
expectTypeOf<ErrorsOf<typeof eventCards.createVerification>>().toEqualTypeOf<typeof NONCE_REUSED>()
expectTypeOf<typeof NONCE_REUSED>().toExtend<{ readonly code: 40922; readonly reason: 'NONCE_REUSED' }>()
expectTypeOf<typeof TOTAL_BELOW_USED>().toExtend<{
  readonly code: 40921
  readonly reason: 'TOTAL_BELOW_USED'
}>()
expectTypeOf<DataOf<typeof promoCodeCards.remove>>().toEqualTypeOf<Empty>()

/* Inputs have names. Values of records are open, those of inputs are closed. */
expectTypeOf<CreatePromoCodeCardInput>().toEqualTypeOf<InputOf<typeof promoCodeCards.create>>()
expectTypeOf<VerificationRecord['reason']>().toEqualTypeOf<VerificationReason | (string & {})>()
expectTypeOf<CreateMembershipCardVerificationInput['action']>().toEqualTypeOf<VerificationAction>()
expectTypeOf<SearchEventCardsInput['status']>().toEqualTypeOf<CardStatus | undefined>()

/* Operations accept only the gateway's client. Operations that the specification defines cannot be rerouted. */
// @ts-expect-error the facilitator's client
promoCodeCards.get(facilitator, { id: 7 })
// @ts-expect-error the facilitator's client, for pages
promoCodeCards.list.pages(facilitator)
reroute(promoCodeCards.search, { path: '/api/v1/cards/search' })
// @ts-expect-error a stated operation
reroute(promoCodeCards.get, { path: '/api/v1/cards/one' })
// @ts-expect-error a stated operation that returns pages
reroute(commemorativeCards.listByCreator, { method: 'POST' })

/* The group's own entry is the same group. */
expectTypeOf(promoCodeGroup).toEqualTypeOf(promoCodeCards)
