import { commemorativeCards, eventCards, membershipCards, promoCodeCards } from '@mintmark/cards'
import type { Route } from '@mintmark/server-kit'
import { type GatewayContext, implementWithLimits } from '../../http/context.ts'
import type { CardPorts } from './card-ports.ts'
import {
  cardLimits,
  toCommemorativeCard,
  toCommemorativeCardItem,
  toEventCard,
  toMembershipCard,
  toPromoCodeCard,
} from './programs/card-fields.ts'
import { cardHandlers, listCardPage } from './programs/card-handlers.ts'
import { verificationHandlers } from './verification/verification-handlers.ts'

const implementCards = implementWithLimits<CardPorts>(cardLimits)

const commemorativeCardRoutes = implementCards(commemorativeCards, {
  ...cardHandlers('commemorative', toCommemorativeCard),
  // The specification shows the items of this list only.
  listByCreator: (input, context) =>
    listCardPage('commemorative', toCommemorativeCardItem, input, { creator: input.creator }, context),
})

const eventCardRoutes = implementCards(eventCards, {
  ...cardHandlers('event', toEventCard),
  ...verificationHandlers('event'),
})

const membershipCardRoutes = implementCards(membershipCards, {
  ...cardHandlers('membership', toMembershipCard),
  ...verificationHandlers('membership'),
})

const promoCodeCardRoutes = implementCards(promoCodeCards, {
  ...cardHandlers('promo_code', toPromoCodeCard),
  ...verificationHandlers('promo_code'),
})

export const cardsRoutes: readonly Route<GatewayContext & CardPorts>[] = [
  ...commemorativeCardRoutes,
  ...eventCardRoutes,
  ...membershipCardRoutes,
  ...promoCodeCardRoutes,
]
