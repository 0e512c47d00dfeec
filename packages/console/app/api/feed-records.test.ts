import type { GatewayEvent } from '@mintmark/events'
import { expect, it } from 'vitest'
import { mergeEvents } from './feed-records.ts'

const event = (subject: string, sequence: number) => ({ subject, sequence }) as GatewayEvent

it('keeps the newest event of each subject, newest first', () => {
  const known = mergeEvents([], [event('auction/1', 1), event('auction/2', 2)])
  const merged = mergeEvents(known, [event('auction/1', 5), event('auction/3', 3)])
  expect(merged.map(({ subject, sequence }) => [subject, sequence])).toEqual([
    ['auction/1', 5],
    ['auction/3', 3],
    ['auction/2', 2],
  ])
})

it('keeps a newer event when an older one is read again', () => {
  expect(mergeEvents([event('auction/1', 5)], [event('auction/1', 4)])[0]?.sequence).toBe(5)
})
