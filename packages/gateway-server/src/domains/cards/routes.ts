import {
  campaigns,
  cardSettings,
  commemorativeCards,
  eventCards,
  membershipCards,
  promoCodeCards,
  stores,
  verifications,
} from '@mintmark/cards'
import type { Route } from '@mintmark/server-kit'
import { type GatewayContext, implementWithLimits } from '../../http/context.ts'
import { campaignHandlers } from './campaigns/campaign-handlers.ts'
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
import { settingHandlers } from './settings/setting-handlers.ts'
import { storeHandlers } from './stores/store-handlers.ts'
import { endCheckIn, reversalHandlers } from './verification/reversal-handlers.ts'
import { verificationHandlers } from './verification/verification-handlers.ts'

const implementCards = implementWithLimits<CardPorts>(cardLimits)

const commemorativeCardRoutes = implementCards(commemorativeCards, {
  ...cardHandlers('commemorative', toCommemorativeCard),
  // The specification shows the items of this list only.
  listByCreator: (input, context) =>
    listCardPage('commemorative', toCommemorativeCardItem, input, { creator: input.creator }, context),
})

const eventCardHandlers = cardHandlers('event', toEventCard)
const eventCardRoutes = implementCards(eventCards, {
  ...eventCardHandlers,
  ...verificationHandlers('event'),
  update: (input, context) =>
    context.tenant.transaction(async (tenant) => {
      if (input.isCheckedIn === false) await endCheckIn(input.id, { ...context, tenant })
      return await eventCardHandlers.update(input, { ...context, tenant })
    }),
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
  ...implementCards(verifications, reversalHandlers),
  ...implementCards(cardSettings, settingHandlers),
  ...implementCards(stores, storeHandlers),
  ...implementCards(campaigns, campaignHandlers),
]
