// The fields of cards: their limits, their columns and their records.

import {
  type CommemorativeCard,
  type CommemorativeCardItem,
  commemorativeCards,
  type EventCard,
  eventCards,
  type MembershipCard,
  membershipCards,
  type PromoCodeCard,
  promoCodeCards,
} from '@mintmark/cards'
import type { InputOf } from '@mintmark/operation'
import { type FieldLimits, parseOptionalTime } from '@mintmark/server-kit'
import { type Reader, toReference } from '../../../database/references.ts'
import type { Caller } from '../../../http/authentication.ts'
import { CHOICE, KEY, LABEL, NAME, TEXT } from '../../../http/field-limits.ts'
import { COLOR_FORMAT, REFERENCE_FORMAT } from '../../../http/formats.ts'
import { toColumns, toRecord } from '../../../http/record-mapping.ts'
import type { CardPorts } from '../card-ports.ts'
import { CARD_ISSUER_SCOPE, qrCodeUrl } from './card-rules.ts'
import type { Card, CardChanges } from './cards-store.ts'

/** The fields of all card programs. */
export const cardLimits: FieldLimits = {
  accentColor: { characters: 7, format: COLOR_FORMAT },
  amount: { min: 0 },
  applicableStores: { ...LABEL, items: 1000, bytes: 32_768 },
  benefits: { ...NAME, items: 1000, bytes: 16_384 },
  cards: { items: 500 },
  device: LABEL,
  level: NAME,
  nonce: KEY,
  // The largest QR code contains this many characters.
  qrCode: { characters: 4296 },
  reversalMinutes: { min: 0, max: 10_080 },
  reversalsPerDay: { min: 0, max: 10_000 },
  shopName: NAME,
  store: LABEL,
  'stores.create/address': TEXT,
  'stores.create/name': LABEL,
  'stores.update/address': TEXT,
  'stores.update/name': LABEL,
  'campaigns.create/cards': { min: 1, max: 1_000_000 },
  'campaigns.update/cards': { min: 1, max: 1_000_000 },
  'campaigns.issue/recipients': { characters: 100, items: 500, format: REFERENCE_FORMAT },
  count: { min: 1, max: 1_000_000 },
  program: CHOICE,
  code: LABEL,
  timeZone: KEY,
  'verifications.reverse/reason': NAME,
  usageInstructions: TEXT,
  verifier: LABEL,
}

/** The fields with which cards of any program are created. */
export type CardInput = InputOf<typeof promoCodeCards.create> &
  Partial<
    InputOf<typeof eventCards.create> &
      InputOf<typeof commemorativeCards.create> &
      InputOf<typeof membershipCards.create>
  >

/** The fields with which cards of any program are updated. */
export type CardUpdate = InputOf<typeof promoCodeCards.update> &
  Partial<
    InputOf<typeof eventCards.update> &
      InputOf<typeof commemorativeCards.update> &
      InputOf<typeof membershipCards.update>
  >

/**
 * Returns the columns that a create or update input writes. A field that the input leaves out is undefined.
 */
export function toCardColumns(input: Omit<CardUpdate, 'id'>): CardChanges {
  return {
    ...toColumns(input),
    amount: input.amount === undefined ? undefined : String(input.amount),
    end_time: parseOptionalTime(input.endTime),
    start_time: parseOptionalTime(input.startTime),
    validity_period: parseOptionalTime(input.validityPeriod),
  }
}

/** Who reads a card, and this server's public URL. */
export interface CardView extends Pick<CardPorts, 'publicUrl'> {
  readonly caller: Reader['caller'] & Pick<Caller, 'holdsScope'>
}

/** Returns the address of a card's QR image to those who may issue cards, because it gives the card away. */
function toQrCodeUrl(card: Card, { publicUrl, caller }: CardView): string {
  return caller.holdsScope(CARD_ISSUER_SCOPE) ? qrCodeUrl(card, publicUrl) : ''
}

/** Returns what the records of all programs have that depends on their reader, or in another form. */
function toReadableFields(card: Card, view: CardView) {
  return {
    applicableStores: JSON.stringify(card.applicable_stores),
    qrCodeUrl: toQrCodeUrl(card, view),
    reference: toReference(card, view),
  }
}

export function toPromoCodeCard(card: Card, view: CardView): PromoCodeCard {
  const isRedeemed = card.used_count >= card.total_issued
  return toRecord(promoCodeCards.PromoCodeCard, card, { ...toReadableFields(card, view), isRedeemed })
}

export function toEventCard(card: Card, view: CardView): EventCard {
  return toRecord(eventCards.EventCard, card, toReadableFields(card, view))
}

export function toCommemorativeCard(card: Card, view: CardView): CommemorativeCard {
  const fields = { ...toReadableFields(card, view), amount: Number(card.amount) }
  return toRecord(commemorativeCards.CommemorativeCard, card, fields)
}

export function toMembershipCard(card: Card, view: CardView): MembershipCard {
  return toRecord(membershipCards.MembershipCard, card, toReadableFields(card, view))
}

export function toCommemorativeCardItem(card: Card, view: CardView): CommemorativeCardItem {
  const { qrCodeUrl, reference } = toReadableFields(card, view)
  const amount = Number(card.amount)
  return toRecord(commemorativeCards.CommemorativeCardItem, card, { amount, qrCodeUrl, reference })
}
