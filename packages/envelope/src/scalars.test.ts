import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { describeIssue } from './issues.ts'
import { page, pageQuery } from './page.ts'
import { Empty, record } from './record.ts'
import { Address, Amount, Hash, Id, Integer, Text, Timestamp } from './scalars.ts'

describe.each([
  {
    name: 'the schema of a timestamp',
    schema: Timestamp,
    valid: [
      '2026-01-15T10:00:00.000Z',
      '2026-01-15T10:00:00Z',
      '2026-01-15T10:00Z',
      '2026-01-15T10:00:00.123456+02:00',
      '2026-01-15T10:00:00',
      '2026-01-15 10:00:00',
    ],
    invalid: [
      '',
      '2026-01-15',
      '10:00',
      '2026-02-30T25:00:00Z',
      '15.01.2026 10:00',
      'now',
      '2026-01-15T10:00:00Zx',
    ],
  },
  {
    name: 'the schema of an id',
    schema: Id,
    valid: [1, 9_007_199_254_740_991],
    invalid: [0, -1, 1.5, 9_007_199_254_740_992, '1'],
  },
  {
    name: 'the schema of an integer',
    schema: Integer,
    valid: [0, -5],
    invalid: [0.5, Number.POSITIVE_INFINITY, Number.NaN, '1'],
  },
  { name: 'the schema of a text', schema: Text, valid: ['x', ' '], invalid: ['', 1, null] },
  {
    name: 'the schema of an address',
    schema: Address,
    valid: [`0x${'aB'.repeat(20)}`],
    invalid: [`0x${'a'.repeat(39)}`, `0x${'g'.repeat(40)}`, 'a'.repeat(40), `0x${'a'.repeat(40)}\n`, ''],
  },
  {
    name: 'the schema of an amount',
    schema: Amount,
    valid: ['0', '1', '2000000000000000', (2n ** 256n - 1n).toString()],
    invalid: ['', '-1', '01', '1.5', '1e18', '0x1', 1, '9'.repeat(79), (2n ** 256n).toString()],
  },
  {
    name: 'the schema of a hash',
    schema: Hash,
    valid: [`0x${'aB'.repeat(32)}`],
    invalid: [`0x${'a'.repeat(63)}`, 'a'.repeat(64)],
  },
])('$name', ({ schema, valid, invalid }) => {
  it.each(valid.map((value) => [value]))('a scalar schema accepts %j', (value) => {
    expect(v.is(schema, value)).toBe(true)
  })

  it.each(invalid.map((value) => [value]))('a scalar schema rejects %j', (value) => {
    expect(v.is(schema, value)).toBe(false)
  })
})

const shape = v.strictObject({ name: Text, sizes: v.optional(v.array(v.object({ width: v.number() }))) })
it.each<[unknown, string, string]>([
  [{}, 'name', 'Required'],
  [{ name: '' }, 'name', 'Expected a text that is not empty'],
  [{ name: 'x', more: 1 }, 'more', 'Unknown field'],
  [{ name: 'x', sizes: [{ width: 1 }, { width: 'w' }] }, 'sizes.1.width', 'Expected number, received string'],
  [{ name: 'x', sizes: [{ width: Number.NaN }] }, 'sizes.0.width', 'Expected number, received NaN'],
  [{ name: null }, 'name', 'Expected string, received null'],
  [{ name: [] }, 'name', 'Expected string, received Array'],
  [null, '', 'Expected Object, received null'],
  [undefined, '', 'Required'],
])('an issue for %j names the path and the reason', (input, path, message) => {
  const { issues } = v.safeParse(shape, input)
  expect(issues?.map(describeIssue)).toEqual([{ path, message }])
})

it('an issue never contains the received value', () => {
  const secret = 'sk_live_0123456789abcdef'
  for (const schema of [
    v.number(),
    v.literal('a'),
    v.pipe(v.string(), v.maxLength(3)),
    v.picklist(['a', 'b']),
  ]) {
    const { issues } = v.safeParse(v.object({ field: schema }), { field: secret })
    expect(JSON.stringify(issues?.map(describeIssue))).not.toContain(secret)
  }
  const number = v.safeParse(v.pipe(v.number(), v.integer()), 1234.5678)
  expect(JSON.stringify(number.issues?.map(describeIssue))).not.toContain('1234')
})

it('a record keeps unknown fields and requires its own', () => {
  const fan = record({ address: v.string() })
  expect(v.parse(fan, { address: '0x', since: 5 })).toEqual({ address: '0x', since: 5 })
  expect(v.is(fan, { since: 5 })).toBe(false)
})

it('a record can be empty', () => {
  expect(v.parse(Empty, {})).toEqual({})
  expect(v.is(Empty, null)).toBe(false)
})

const good = {
  firstPage: true,
  lastPage: true,
  list: [{ id: 1 }],
  orderBy: '',
  pageNumber: 1,
  pageSize: 20,
  paras: {},
  totalPage: 1,
  totalRow: 1,
}
const schema = page(record({ id: Id }))

it('a page has its nine fields', () => {
  expect(v.parse(schema, good)).toEqual(good)
  for (const name of Object.keys(good))
    expect([name, v.is(schema, { ...good, [name]: undefined })]).toEqual([name, false])
})

it('a page checks its items', () => {
  expect(v.is(schema, { ...good, list: [{ id: 0 }] })).toBe(false)
})

it('a page is requested by a number from 1 and with up to 100 items', () => {
  const query = v.strictObject(pageQuery)
  for (const right of [{}, { pageNumber: 1, pageSize: 100, orderBy: 'id desc', cursor: 'x' }])
    expect(v.is(query, right)).toBe(true)
  for (const wrong of [
    { pageNumber: 0 },
    { pageSize: 0 },
    { pageSize: 101 },
    { pageNumber: 1.5 },
    { page: 1 },
  ])
    expect(v.is(query, wrong)).toBe(false)
})
