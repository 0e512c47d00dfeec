import { promoCodeCards } from '@mintmark/cards'
import { implementWithLimits } from '../../../context.ts'
import { verificationHandlers } from '../verification/verification-handlers.ts'
import { cardHandlers } from './card-handlers.ts'
import { cardLimits } from './card-limits.ts'
import { promoCodeCardOf } from './card-records.ts'

export const promoCodeCardRoutes = implementWithLimits(cardLimits)(promoCodeCards, {
  ...cardHandlers('promo_code', promoCodeCardOf),
  ...verificationHandlers('promo_code'),
})
