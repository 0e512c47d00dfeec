import type { GatewayEvent } from '@mintmark/events'
import { expect, it } from 'vitest'
import { findRecordName, findSubjectPath } from './subject-links.ts'

const toEvent = (subject: string, data: object) => ({ subject, data }) as unknown as GatewayEvent

it.each([
  ['order/3', { orderNo: 'A 1' }, 'orders/A%201'],
  ['webhook/7', {}, 'webhooks/7'],
])('leads from the subject %s to its page', (subject, data, path) => {
  expect(findSubjectPath(toEvent(subject, data))).toBe(path)
})

it.each(['order/3', 'unknown/1', 'constructor/1', ''])(
  'leads nowhere from the subject %j without a page',
  (subject) => {
    expect(findSubjectPath(toEvent(subject, {}))).toBeUndefined()
  },
)

it('names a record by its order number or its name, also inside of another record', () => {
  expect(findRecordName({ name: 'Ada', orderNo: '7' })).toBe('7')
  expect(findRecordName({ program: 'x', card: { name: 'Free coffee' } })).toBe('Free coffee')
  expect(findRecordName({ name: 7 })).toBe('')
})
