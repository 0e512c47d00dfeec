import { expect, it } from 'vitest'
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
export declare const other: Map<"gateway", "no operation">;
`
const operations = {
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
const expected = declarations
  .replace('    listingId:', '    /** The id of the listing, from 1. */ listingId:')
  .replace('    phases?:', '    /** The phases. */ phases?:')
  .replace('        price:', '        /** In wei; never *\\/. */ price:')
  .replace('    recipient:', "    /** The buyer's address. */ recipient:")
  .replace('    count: number', '    /** How often. */ count: number')

it('adds the docstrings of inputs and results to declarations, without another line', () => {
  expect(documentDeclarations(declarations, operations)).toBe(expected)
})

it('replaces the docstrings of an earlier build', () => {
  const earlier = { ...operations, 'orders.count': { summary: '', fields: { recipient: 'An address.' } } }
  expect(documentDeclarations(documentDeclarations(declarations, earlier), operations)).toBe(expected)
  expect(documentDeclarations(expected, operations)).toBe(expected)
})
