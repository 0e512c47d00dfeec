import type { CardEvents, ProgramCard } from '@mintmark/cards'
import { type EventSource, eventSource, isPassing } from '../../database/event-source.ts'
import { NOBODY } from '../../database/references.ts'
import { toCampaign } from './campaigns/campaign-handlers.ts'
import {
  type CardView,
  toCommemorativeCard,
  toEventCard,
  toMembershipCard,
  toPromoCodeCard,
} from './programs/card-fields.ts'
import type { Card } from './programs/cards-store.ts'
import { toStore } from './stores/store-handlers.ts'
import { toVerificationRecord } from './verification/verification-handlers.ts'

function toProgramCard(card: Card, view: CardView): ProgramCard {
  switch (card.program) {
    case 'promo_code':
      return { program: 'promoCodeCards', card: toPromoCodeCard(card, view) }
    case 'event':
      return { program: 'eventCards', card: toEventCard(card, view) }
    case 'commemorative':
      return { program: 'commemorativeCards', card: toCommemorativeCard(card, view) }
    case 'membership':
      return { program: 'membershipCards', card: toMembershipCard(card, view) }
  }
}

type VerificationType = Extract<keyof CardEvents, `verification.${string}`>

const VERIFICATION_TYPES: Readonly<Record<string, VerificationType>> = {
  OK: 'verification.accepted',
  REVERSED: 'verification.reversed',
}

/** The events about cards and their verifications. */
export const cardEventSources: readonly EventSource[] = [
  eventSource('gateway.cards', ({ before, after }, { publicUrl }) => {
    if (after === undefined) return []
    const subject = `card/${after.id}`
    // All readers of the feed see the event, so that it contains neither a reference nor the card's code.
    const data = toProgramCard(after, { publicUrl, caller: { ...NOBODY.caller, holdsScope: () => false } })
    if (before === undefined) return [{ type: 'card.created', subject, data }]
    if (after.deleted) return before.deleted ? [] : [{ type: 'card.removed', subject, data }]
    if (isPassing(before, after, after.start_time)) return [{ type: 'card.started', subject, data }]
    if (isPassing(before, after, after.validity_period)) return [{ type: 'card.expired', subject, data }]
    return [{ type: 'card.updated', subject, data }]
  }),
  eventSource('gateway.campaigns', ({ before, after }) => {
    if (after === undefined) return []
    const type = before === undefined ? 'campaign.created' : 'campaign.updated'
    return [{ type, subject: `campaign/${after.id}`, data: toCampaign(after) }]
  }),
  eventSource('gateway.stores', ({ before, after }) => {
    if (after === undefined) return []
    const type = before === undefined ? 'store.created' : 'store.updated'
    return [{ type, subject: `store/${after.id}`, data: toStore(after) }]
  }),
  eventSource('gateway.card_verifications', ({ before, after }) => {
    if (after === undefined || before?.result === after.result) return []
    return [
      {
        type: VERIFICATION_TYPES[after.result] ?? 'verification.refused',
        subject: `verification/${after.id}`,
        data: toVerificationRecord(after),
      },
    ]
  }),
]
