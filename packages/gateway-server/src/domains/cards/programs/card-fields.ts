// The fields of cards: their limits, their columns and their records.

import type {
  CommemorativeCard,
  CommemorativeCardItem,
  commemorativeCards,
  EventCard,
  eventCards,
  MembershipCard,
  membershipCards,
  PromoCodeCard,
  promoCodeCards,
} from '@mintmark/cards'
import type { InputOf } from '@mintmark/operation'
import { type FieldLimits, parseOptionalTime } from '@mintmark/server-kit'
import { type Reader, toReference } from '../../../database/references.ts'
import type { Caller } from '../../../http/authentication.ts'
import { CHOICE, KEY, LABEL, NAME, TEXT } from '../../../http/field-limits.ts'
import { COLOR_FORMAT, REFERENCE_FORMAT } from '../../../http/formats.ts'
import type { AllFields, ColumnsOf } from '../../../http/record-mapping.ts'
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
    amount: input.amount === undefined ? undefined : String(input.amount),
    applicable_stores: input.applicableStores,
    background_image_url: input.backgroundImageUrl,
    benefits: input.benefits,
    end_time: parseOptionalTime(input.endTime),
    image_url: input.imageUrl,
    is_checked_in: input.isCheckedIn,
    level: input.level,
    logo_url: input.logoUrl,
    name: input.name,
    nft_address: input.nftAddress,
    nft_id: input.nftId,
    qr_code_url: input.qrCodeUrl,
    reference: input.reference,
    start_time: parseOptionalTime(input.startTime),
    total_issued: input.totalIssued,
    usage_instructions: input.usageInstructions,
    validity_period: parseOptionalTime(input.validityPeriod),
  } satisfies ColumnsOf<CardInput & CardUpdate, { id: never }>
}

/** Who reads a card, and this server's public URL. */
export interface CardView extends Pick<CardPorts, 'publicUrl'> {
  readonly caller: Reader['caller'] & Pick<Caller, 'holdsScope'>
}

/** Returns the address of a card's QR image to those who may issue cards, because it gives the card away. */
function toQrCodeUrl(card: Card, { publicUrl, caller }: CardView): string {
  return caller.holdsScope(CARD_ISSUER_SCOPE) ? qrCodeUrl(card, publicUrl) : ''
}

/** Returns the fields that the records of all programs have. */
function toIssuedFields(card: Card, view: CardView) {
  return {
    applicableStores: JSON.stringify(card.applicable_stores),
    backgroundImageUrl: card.background_image_url,
    chainId: card.chain_id,
    createTimeLong: card.created_at.getTime(),
    endTime: card.end_time.toISOString(),
    id: card.id,
    logoUrl: card.logo_url,
    name: card.name,
    nftAddress: card.nft_address,
    nftId: card.nft_id,
    nftType: card.nft_type,
    projectId: card.project_id,
    qrCodeUrl: toQrCodeUrl(card, view),
    reference: toReference(card, view),
    startTime: card.start_time.toISOString(),
    totalIssued: card.total_issued,
    usageInstructions: card.usage_instructions,
  }
}

export function toPromoCodeCard(card: Card, view: CardView): AllFields<PromoCodeCard> {
  return {
    ...toIssuedFields(card, view),
    isRedeemed: card.used_count >= card.total_issued,
    usedCount: card.used_count,
    validityPeriod: card.validity_period.toISOString(),
  }
}

export function toEventCard(card: Card, view: CardView): AllFields<EventCard> {
  return { ...toIssuedFields(card, view), isCheckedIn: card.is_checked_in }
}

export function toCommemorativeCard(card: Card, view: CardView): AllFields<CommemorativeCard> {
  return { ...toIssuedFields(card, view), amount: Number(card.amount), imageUrl: card.image_url }
}

export function toMembershipCard(card: Card, view: CardView): AllFields<MembershipCard> {
  return {
    ...toIssuedFields(card, view),
    benefits: card.benefits,
    level: card.level,
    validityPeriod: card.validity_period.toISOString(),
  }
}

export function toCommemorativeCardItem(card: Card, view: CardView): AllFields<CommemorativeCardItem> {
  return {
    amount: Number(card.amount),
    id: card.id,
    imageUrl: card.image_url,
    name: card.name,
    nftAddress: card.nft_address,
    nftId: card.nft_id,
    nftType: card.nft_type,
    qrCodeUrl: toQrCodeUrl(card, view),
    reference: toReference(card, view),
    totalIssued: card.total_issued,
    usageInstructions: card.usage_instructions,
  }
}
