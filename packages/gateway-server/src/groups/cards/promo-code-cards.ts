import { promoCodeCards } from '@mintmark/cards'
import { implement } from '../../context.ts'
import { cardHandlers } from './card-handlers.ts'
import { promoCodeCardOf } from './card-records.ts'
import { verificationHandlers } from './verification-handlers.ts'

export const promoCodeCardRoutes = implement(promoCodeCards, {
  ...cardHandlers('promo_code', promoCodeCardOf),
  ...verificationHandlers('promo_code'),
})
