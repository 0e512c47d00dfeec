import { describeIssue, type Entries, type Schema } from '@mintmark/envelope'
import * as v from 'valibot'
import { expect } from 'vitest'

/** The types of the specification's tables, each with valid and invalid values. */
const types = {
  string: { valid: ['', 'x', '0x00', '2026'], invalid: [7, true, null, ['x'], {}] },
  integer: { valid: [0, 7, -1, 1_767_225_600_000], invalid: ['7', 1.5, true, null, [7], Number.NaN] },
  /** An integer from 1. Requests require it where the specification says number or integer. */
  cardinal: { valid: [1, 7], invalid: ['7', 1.5, true, null, 0, -1] },
  number: { valid: [0, 7, -1, 1.5], invalid: ['7', true, null, [7], Number.NaN] },
  boolean: { valid: [true, false], invalid: ['true', 0, 1, null] },
  timestamp: {
    valid: ['2026-01-15T10:00:00.000Z', '2026-01-15T10:00:00+02:00', '2026-01-15 10:00:00'],
    invalid: ['', 'tomorrow', '2026-01-15', '2026-13-15T10:00:00Z', 1_767_225_600_000, null],
  },
  list: { valid: [[]], invalid: ['x', 1, null, {}] },
  object: { valid: [{}, { a: 1 }], invalid: ['x', 1, null] },
  'array of string': { valid: [[], ['x', 'y']], invalid: ['x', [1], ['x', null], null, {}] },
  'array of number': { valid: [[], [1, 2.5]], invalid: [1, ['1'], null, {}] },
  'array of properties': {
    valid: [[], [{ trait_type: 'color', value: 'blue' }]],
    invalid: ['x', [{}], [{ trait_type: 'color' }], [{ trait_type: 'color', value: 1 }], [null], {}],
  },
} as const satisfies Record<string, { valid: readonly unknown[]; invalid: readonly unknown[] }>

export type WireType = keyof typeof types
/** A table of the specification: each field's name and type. */
export type Table = Readonly<Record<string, WireType>>

/** Creates an object with the first valid value of each field. */
export function sampleOf(table: Table): Record<string, unknown> {
  return Object.fromEntries(Object.entries(table).map(([name, type]) => [name, types[type].valid[0]]))
}

function issueOf(schema: Schema<unknown>, value: unknown) {
  const result = v.safeParse(schema, value)
  return result.success ? undefined : describeIssue(result.issues[0])
}

/**
 * Expects the record of a response to have the fields of the table, all required, each accepting only its
 * type and returning the parsed value unchanged. Further fields must be optional.
 */
export function expectRecord(schema: Schema<never> | Schema<unknown>, table: Table): void {
  // `record` exposes the entries, but the public type does not.
  const { entries } = schema as unknown as { entries: Entries }
  expect(Object.keys(entries)).toEqual(expect.arrayContaining(Object.keys(table)))
  expectFields(schema as Schema<unknown>, table, Object.keys(table))
  // A missing value is '', 0, false or []: a server never omits a field.
  const nothing = { ...sampleOf(table), ...numbersOf(table) }
  expect(issueOf(schema as Schema<unknown>, nothing)).toBeUndefined()
}

function numbersOf(table: Table): Record<string, number> {
  const names = Object.keys(table).filter((name) => table[name] === 'number' || table[name] === 'integer')
  return Object.fromEntries(names.map((name) => [name, 0]))
}

/**
 * Expects a part of a request to have the fields of the table, the given ones required, each accepting only
 * its type. Further fields must be optional.
 */
export function expectBody(entries: Entries | undefined, table: Table, required: readonly string[]): void {
  expect(Object.keys(entries ?? {})).toEqual(expect.arrayContaining(Object.keys(table)))
  expectFields(v.strictObject(entries ?? {}) as Schema<unknown>, table, required)
}

function expectFields(schema: Schema<unknown>, table: Table, required: readonly string[]): void {
  // Texts of requests may be required to be non-empty.
  const good = Object.fromEntries(
    Object.entries(table).map(([name, type]) => [name, type === 'string' ? 'x' : types[type].valid.at(-1)]),
  )
  expect(v.parse(schema, good)).toEqual(good)
  for (const [name, type] of Object.entries(table)) {
    const { [name]: _, ...without } = good
    expect([name, issueOf(schema, without)?.path]).toEqual([name, required.includes(name) ? name : undefined])
    for (const value of types[type].valid) {
      // A required text may reject ''; every other value of its type is accepted.
      if (value === '' && required.includes(name)) continue
      expect([name, value, issueOf(schema, { ...good, [name]: value })]).toEqual([name, value, undefined])
    }
    for (const value of types[type].invalid) {
      expect([name, value, issueOf(schema, { ...good, [name]: value })?.path.split('.')[0]]).toEqual([
        name,
        value,
        name,
      ])
    }
  }
}
