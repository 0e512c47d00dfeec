import { readFileSync } from 'node:fs'
import { expect, expectTypeOf, it } from 'vitest'
import { type ConfigureEventWebhookInput, events, eventTypes } from './index.ts'

const page = readFileSync(new URL('../../../docs/events.md', import.meta.url), 'utf8')

it('the types of events are listed in docs/events.md with their descriptions', () => {
  const rows = Object.entries(eventTypes).map(([type, { description }]) => `| \`${type}\` | ${description} |`)
  expect(page.slice(page.indexOf('| type | written when |')).trim().split('\n').slice(2)).toEqual(rows)
})

it('the types of events have names of a kind and a verb', () => {
  const others = Object.keys(eventTypes).filter((type) => !/^[a-z_]+\.[a-z_]+$/.test(type))
  expect(others).toEqual([])
})

it('the types of events are joined with patterns for a filter', () => {
  expect(events.toTypes('order.*', 'card.created')).toBe('order.*,card.created')
  // @ts-expect-error: no type has this name.
  events.toTypes('order.lost')
})

it('the types of events of a webhook are checked by the compiler, also groups', () => {
  const url = 'https://shop.example.com/hooks'
  expectTypeOf({
    url,
    events: ['order.*' as const, 'card.created' as const],
  }).toExtend<ConfigureEventWebhookInput>()
  expectTypeOf({ url, events: ['oder.*' as const] }).not.toExtend<ConfigureEventWebhookInput>()
  expectTypeOf({ url, events: ['order.payed' as const] }).not.toExtend<ConfigureEventWebhookInput>()
})
