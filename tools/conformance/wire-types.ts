import { describeIssue, type Entries, type Schema } from '@mintmark/envelope'
import * as v from 'valibot'
import { expect } from 'vitest'

/** The types of the specification's tables, each with what it takes and what it does not. */
const types = {
  string: { takes: ['', 'x', '0x00', '2026'], refuses: [7, true, null, ['x'], {}] },
  integer: { takes: [0, 7, -1, 1_767_225_600_000], refuses: ['7', 1.5, true, null, [7], Number.NaN] },
  /** An integer from 1, as our own requests ask for it where the specification says number or integer. */
  cardinal: { takes: [1, 7], refuses: ['7', 1.5, true, null, 0, -1] },
  number: { takes: [0, 7, -1, 1.5], refuses: ['7', true, null, [7], Number.NaN] },
  boolean: { takes: [true, false], refuses: ['true', 0, 1, null] },
  timestamp: {
    takes: ['2026-01-15T10:00:00.000Z', '2026-01-15T10:00:00+02:00', '2026-01-15 10:00:00'],
    refuses: ['', 'tomorrow', '2026-01-15', '2026-13-15T10:00:00Z', 1_767_225_600_000, null],
  },
  list: { takes: [[]], refuses: ['x', 1, null, {}] },
  object: { takes: [{}, { a: 1 }], refuses: ['x', 1, null] },
  'array of string': { takes: [[], ['x', 'y']], refuses: ['x', [1], ['x', null], null, {}] },
  'array of number': { takes: [[], [1, 2.5]], refuses: [1, ['1'], null, {}] },
  'array of properties': {
    takes: [[], [{ trait_type: 'colour', value: 'blue' }]],
    refuses: ['x', [{}], [{ trait_type: 'colour' }], [{ trait_type: 'colour', value: 1 }], [null], {}],
  },
} as const satisfies Record<string, { takes: readonly unknown[]; refuses: readonly unknown[] }>

export type WireType = keyof typeof types
/** A table of the specification: each field's name and type. */
export type Table = Readonly<Record<string, WireType>>

/** The value of a reserved field of a type. */
export function sampleOf(table: Table): Record<string, unknown> {
  return Object.fromEntries(Object.entries(table).map(([name, type]) => [name, types[type].takes[0]]))
}

function issueOf(schema: Schema<unknown>, value: unknown) {
  const result = v.safeParse(schema, value)
  return result.success ? undefined : describeIssue(result.issues[0])
}

/**
 * Expects an answer's record to be the table: these fields, all required, each of its type and of no other; and that what
 * it lets through is what came.
 */
export function expectRecord(schema: Schema<never> | Schema<unknown>, table: Table): void {
  // Records are defined by `record`, which shows its entries; their public types do not.
  const { entries } = schema as unknown as { entries: Entries }
  expect(Object.keys(entries).sort()).toEqual(Object.keys(table).sort())
  expectFields(schema as Schema<unknown>, table, Object.keys(table))
  // No value is '', 0, false or []: a server never leaves a field out.
  const nothing = { ...sampleOf(table), ...numbersOf(table) }
  expect(issueOf(schema as Schema<unknown>, nothing)).toBeUndefined()
}

function numbersOf(table: Table): Record<string, number> {
  const names = Object.keys(table).filter((name) => table[name] === 'number' || table[name] === 'integer')
  return Object.fromEntries(names.map((name) => [name, 0]))
}

/** Expects a request's part to be the table: these fields, some of them required, each of its type and of no other. */
export function expectBody(entries: Entries | undefined, table: Table, required: readonly string[]): void {
  expect(Object.keys(entries ?? {}).sort()).toEqual(Object.keys(table).sort())
  expectFields(v.strictObject(entries ?? {}) as Schema<unknown>, table, required)
}

function expectFields(schema: Schema<unknown>, table: Table, required: readonly string[]): void {
  // Texts of requests may have to hold something; `x` does.
  const good = Object.fromEntries(
    Object.entries(table).map(([name, type]) => [name, type === 'string' ? 'x' : types[type].takes.at(-1)]),
  )
  expect(v.parse(schema, good)).toEqual(good)
  for (const [name, type] of Object.entries(table)) {
    const { [name]: _, ...without } = good
    expect([name, issueOf(schema, without)?.path]).toEqual([name, required.includes(name) ? name : undefined])
    for (const value of types[type].takes) {
      // A required text of a request may refuse to be empty; every other value of its type is taken.
      if (value === '' && required.includes(name)) continue
      expect([name, value, issueOf(schema, { ...good, [name]: value })]).toEqual([name, value, undefined])
    }
    for (const value of types[type].refuses) {
      expect([name, value, issueOf(schema, { ...good, [name]: value })?.path.split('.')[0]]).toEqual([
        name,
        value,
        name,
      ])
    }
  }
}
