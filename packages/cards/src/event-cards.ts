import { record, type Schema } from '@mintmark/envelope'
import { gatewayOperation } from '@mintmark/transport/operation'
import * as v from 'valibot'
import { createCardFields, issuedCardFields } from './card-fields.ts'

const eventCard = record({
  ...issuedCardFields,
  /** Whether its holder was let in. */
  isCheckedIn: v.boolean(),
})
/** An event card (specification, "Event card"). */
export interface EventCard extends v.InferOutput<typeof eventCard> {}
export const EventCard: Schema<EventCard> = eventCard

/** Create: saves the basic information of an event card. */
export const create = gatewayOperation({
  id: 'eventCards.create',
  method: 'POST',
  path: '/api/v1/card/eventCards/create',
  source: 'stated',
  scope: 'cards:write',
  body: {
    ...createCardFields,
    /** Whether its holder is in already; default false. */
    isCheckedIn: v.optional(v.boolean()),
  },
  data: EventCard,
})
