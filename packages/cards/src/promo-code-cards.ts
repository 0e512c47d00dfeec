import { Integer, NotFound, record, type Schema, Timestamp } from '@mintmark/envelope'
import { gatewayOperation } from '@mintmark/transport/operation'
import * as v from 'valibot'
import { CardId, createCardFields, issuedCardFields } from './card-fields.ts'

const promoCodeCard = record({
  ...issuedCardFields,
  /** Whether all that were issued are used. */
  isRedeemed: v.boolean(),
  /** How many are used. */
  usedCount: Integer,
  /** Until when the card is valid; the end time unless it was changed. */
  validityPeriod: Timestamp,
})
/** A promo code card (specification, "Promo code card"). */
export interface PromoCodeCard extends v.InferOutput<typeof promoCodeCard> {}
export const PromoCodeCard: Schema<PromoCodeCard> = promoCodeCard

/** Create: a promo code card of the contract `nftAddress`. */
export const create = gatewayOperation({
  id: 'promoCodeCards.create',
  method: 'POST',
  path: '/api/v1/card/promoCodeCards/create',
  source: 'stated',
  scope: 'cards:write',
  body: createCardFields,
  data: PromoCodeCard,
})

/** Query details: one promo code card. */
export const get = gatewayOperation({
  id: 'promoCodeCards.get',
  method: 'GET',
  path: '/api/v1/card/promoCodeCards/{id}',
  source: 'stated',
  scope: 'cards:read',
  params: {
    /** The card's id. */
    id: CardId,
  },
  data: PromoCodeCard,
  errors: [NotFound],
})
