import { events } from '@mintmark/events'
import { withResponse } from '@mintmark/transport'
import { waitFor } from './orders.ts'
import type { Tour } from './tour.ts'

/** The events of the tour's cards are read from the feed. */
export async function tourEvents(tour: Tour): Promise<void> {
  const types = events.toTypes('verification.*')
  await tour.step('Read from the feed that a card was redeemed', events.list, () =>
    waitFor(
      () => withResponse(events.list, tour.gateway, { types, limit: 2 }),
      ({ data }) => data.events.length > 0,
    ),
  )
}
