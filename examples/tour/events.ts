import { events } from '@mintmark/events'
import type { Tour } from './tour.ts'

/** An event arrives within a fraction of a second. */
const MAX_WAIT_MS = 30_000

/** The events of the tour's cards are read from the stream. */
export async function tourEvents(tour: Tour): Promise<void> {
  const types = events.toTypes('verification.*')
  await tour.step('Receive from the stream of events that a card was redeemed', events.stream, async () => {
    const stream = events.stream(tour.gateway, { types, signal: AbortSignal.timeout(MAX_WAIT_MS) })
    const { value } = await stream.next()
    await stream.return()
    return { status: 200, data: value }
  })
}
