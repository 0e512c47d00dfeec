import { record, type Schema } from '@mintmark/envelope'
import { defineEvents, type EventDataOf } from '@mintmark/operation'
import * as v from 'valibot'
import { Campaign } from './campaigns.ts'
import { CommemorativeCard } from './commemorative-cards.ts'
import { EventCard } from './event-cards.ts'
import { MembershipCard } from './membership-cards.ts'
import { PromoCodeCard } from './promo-code-cards.ts'
import { Store } from './stores.ts'
import { VerificationRecord } from './verification.ts'

interface CardOf<Program extends string, Card> {
  /** The program of the card, which determines its fields. */
  readonly program: Program
  /** The card. */
  readonly card: Card
}
/** A card with its program. */
export type ProgramCard =
  | CardOf<'promoCodeCards', PromoCodeCard>
  | CardOf<'eventCards', EventCard>
  | CardOf<'commemorativeCards', CommemorativeCard>
  | CardOf<'membershipCards', MembershipCard>
export const ProgramCard: Schema<ProgramCard> = v.union([
  record({ program: v.literal('promoCodeCards'), card: PromoCodeCard }),
  record({ program: v.literal('eventCards'), card: EventCard }),
  record({ program: v.literal('commemorativeCards'), card: CommemorativeCard }),
  record({ program: v.literal('membershipCards'), card: MembershipCard }),
])

/**
 * The events about cards. Their subject is `campaign/`, `card/`, `store/` or `verification/`, and the id of the record.
 */
export const cardEvents = defineEvents({
  'campaign.created': { description: 'A campaign was created.', data: Campaign },
  'campaign.updated': {
    description:
      'A field of a campaign changed. Cards that the job issues are no event: `issued` grows without one.',
    data: Campaign,
  },
  'card.created': { description: 'A card was created.', data: ProgramCard },
  'card.updated': { description: 'A field of a card changed, also by a verification.', data: ProgramCard },
  'card.started': { description: 'A card is valid from now on, by time.', data: ProgramCard },
  'card.expired': { description: 'The validity period of a card has ended by time.', data: ProgramCard },
  'card.removed': { description: 'A card was removed.', data: ProgramCard },
  'store.created': { description: 'A store was created.', data: Store },
  'store.updated': { description: 'A field of a store changed.', data: Store },
  'verification.accepted': { description: 'A card was redeemed or checked in.', data: VerificationRecord },
  'verification.refused': { description: 'A presented card was refused.', data: VerificationRecord },
  'verification.reversed': { description: 'A use of a card was reversed.', data: VerificationRecord },
})
export type CardEvents = EventDataOf<typeof cardEvents>
