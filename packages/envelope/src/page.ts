import * as v from 'valibot'
import { type Entries, record, type Schema } from './record.ts'
import { Integer, Positive } from './scalars.ts'

/** The data of a paged query (specification, "Page object"). */
export interface Page<Item> {
  /** `pageNumber` is 1. */
  firstPage: boolean
  /** `pageNumber` is `totalPage` or past it; true of an empty list. */
  lastPage: boolean
  /** The items of this page. */
  list: Item[]
  /** The order that was asked for; `''` when none was. */
  orderBy: string
  /** From 1. */
  pageNumber: number
  /** The most items that a page has. */
  pageSize: number
  /** Echoes the query; our servers add `next`, a cursor for the page after this one. */
  paras: { [name: string]: unknown }
  /** How many pages there are; 0 of an empty list. */
  totalPage: number
  /** How many items there are on all pages; of more than 10,000 a count that may be some seconds old. */
  totalRow: number
}

/** The page object of an item record. */
/* @__NO_SIDE_EFFECTS__ */
export function page<Item>(item: Schema<Item>): Schema<Page<Item>> {
  return record({
    firstPage: v.boolean(),
    lastPage: v.boolean(),
    list: v.array(item),
    orderBy: v.string(),
    pageNumber: Integer,
    pageSize: Integer,
    paras: v.looseObject({}),
    totalPage: Integer,
    totalRow: Integer,
    // `v.array(item)` loses Item through GenericSchema's input type; the record's shape is written out above.
  }) as unknown as Schema<Page<Item>>
}

/** Page sizes go from 1 to this. */
export const MAX_PAGE_SIZE = 100
/** What a server takes when a page query names no size. */
export const DEFAULT_PAGE_SIZE = 20

/**
 * The fields every page query takes. The specification does not show them (operation 8 states `creator` alone), so that
 * each may be left out.
 */
export const pageQuery = {
  /** The page's number, from 1; default 1. */
  pageNumber: /* @__PURE__ */ v.optional(Positive),
  /** Items a page, 1 to 100; default 20. */
  pageSize: /* @__PURE__ */ v.optional(
    /* @__PURE__ */ v.pipe(
      Positive,
      /* @__PURE__ */ v.maxValue(MAX_PAGE_SIZE, 'Expected an integer from 1 to 100'),
    ),
  ),
  /** The order of the list: a field's name, with ` desc` after it for falling order. */
  orderBy: /* @__PURE__ */ v.optional(/* @__PURE__ */ v.string()),
  /** `paras.next` of the page before: the page after it is then found without counting past the others. */
  cursor: /* @__PURE__ */ v.optional(/* @__PURE__ */ v.string()),
} satisfies Entries
