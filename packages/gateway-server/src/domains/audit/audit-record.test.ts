import { expect, it } from 'vitest'
import { MAX_CHANGES_BYTES, toAuditEntry } from './audit-record.ts'

const toChanges = (changes: string) =>
  toAuditEntry({
    project_id: 1,
    id: 7,
    occurred_at: new Date(0),
    actor: 'server',
    action: 'UPDATED',
    changes,
    record_type: 'cards',
    record_id: '9',
    previous_hash: Buffer.alloc(0),
    hash: Buffer.alloc(32),
  }).changes

it('the changes of an entry have numbers as they are, and those that JavaScript would round as texts', () => {
  const amount = '115792089237316195423570985008687907853269984665640564039457584007913129639935'
  expect(toChanges(`{"price": {"before": ${amount}, "after": 12}, "rate": {"after": 0.1}}`)).toEqual({
    price: { before: amount, after: 12 },
    rate: { after: 0.1 },
  })
  expect(toChanges('{"rate": {"after": 0.12345678901234567890}}')).toEqual({
    rate: { after: '0.12345678901234567890' },
  })
})

it('the changes of an entry are shortened when they are large, so that a page of them fits into a response', () => {
  const text = '\u0001'.repeat(5000)
  const columns = Array.from({ length: 60 }, (_, at) => [`column_${at}`, { before: text, after: [text] }])
  const shortened = toChanges(JSON.stringify(Object.fromEntries(columns)))
  expect(Object.keys(shortened)).toHaveLength(60)
  expect(shortened.column_0?.before).toBe(`${text.slice(0, 99)}…`)
  expect(shortened.column_0?.after).toMatch(/^\["\\u0001.*…$/)
  expect(Buffer.byteLength(JSON.stringify(shortened))).toBeLessThan(MAX_CHANGES_BYTES)
})

it('the changes of an entry keep the short values of a large entry', () => {
  const text = 'x'.repeat(40_000)
  expect(toChanges(`{"text": {"before": "${text}", "after": null}, "id": {"after": 7}}`)).toEqual({
    text: { before: `${text.slice(0, 99)}…`, after: null },
    id: { after: 7 },
  })
})
