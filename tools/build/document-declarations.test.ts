import { expect, it } from 'vitest'
import type { Descriptions } from './descriptions.ts'
import { documentDeclarations } from './document-declarations.ts'

const declarations = `import { Order } from './order.ts';
/** Places an order. */
export declare const place: import("@mintmark/operation").Operation<"gateway", "orders.place", {
    listingId: number;
    undescribed: string;
    phases?: {
        price: string;
    }[] | undefined;
}, Order, "method", never>, count: import("@mintmark/operation").PagedOperation<"gateway", "orders.count", {
    recipient: string;
}, {
    count: number;
}, "method", never>;
declare const lamp: import("@mintmark/envelope").RecordSchema<{
    readonly name: v.StringSchema<undefined>;
    /** Its parts. */
    readonly parts: v.ArraySchema<import("@mintmark/envelope").RecordSchema<{
        weight: v.NumberSchema<undefined>;
    }>, undefined>;
}>;
export interface Lamp extends v.InferOutput<typeof lamp> {
}
export declare const other: Map<"gateway", "no operation">;
`
const operations: Descriptions['operations'] = {
  'orders.place': {
    summary: '',
    fields: {
      listingId: 'The id of the listing,\nfrom 1.',
      phases: 'The phases.',
      'phases.price': 'In wei; never */.',
    },
  },
  'orders.count': {
    summary: '',
    fields: { recipient: "The buyer's address." },
    answer: { count: 'How often.' },
  },
}
const records: Descriptions['records'] = {
  Lamp: { summary: '', fields: { name: 'Its name.', parts: 'Its parts.', 'parts.weight': 'In grams.' } },
}
const expected = declarations
  .replace('    readonly name:', '    /** Its name. */ readonly name:')
  .replace('        weight:', '        /** In grams. */ weight:')
  .replace('    listingId:', '    /** The id of the listing, from 1. */ listingId:')
  .replace('    phases?:', '    /** The phases. */ phases?:')
  .replace('        price:', '        /** In wei; never *\\/. */ price:')
  .replace('    recipient:', "    /** The buyer's address. */ recipient:")
  .replace('    count: number', '    /** How often. */ count: number')

it('adds the docstrings of inputs, results and records to declarations, without another line', () => {
  expect(documentDeclarations(declarations, { operations, records })).toBe(expected)
})

it('replaces the docstrings of an earlier build', () => {
  const count = { summary: '', fields: { recipient: 'An address.' } }
  const earlier = { operations: { ...operations, 'orders.count': count }, records }
  expect(documentDeclarations(documentDeclarations(declarations, earlier), { operations, records })).toBe(
    expected,
  )
  expect(documentDeclarations(expected, { operations, records })).toBe(expected)
})
