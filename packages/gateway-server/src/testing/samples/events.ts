import { events } from '@mintmark/events'
import { expect } from 'vitest'
import { type Sample, sample } from './sample.ts'

export const eventSamples: readonly Sample[] = [
  sample(events.list, {
    input: () => ({ after: 0, limit: 10, types: 'order.*,card.created' }),
    otherProject: { data: { events: [], next: 0, hasMore: false, newest: 0 } },
    contains: { events: expect.any(Array) },
    refused: [
      ['types', { types: 'order.lost' }],
      ['after', { after: 1_000_000 }],
    ],
  }),
  sample(events.stream, {
    input: () => ({ after: 0, types: 'order.*,card.created' }),
    // The messages are read in `streams.test.ts`.
    otherProject: 'own',
    refused: [
      ['types', { types: 'order.lost' }],
      ['after', { after: 1_000_000 }],
    ],
  }),
]
