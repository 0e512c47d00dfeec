import * as v from 'valibot'
import { type Entries, record, type Schema } from './record.ts'
import { Integer, Positive, Timestamp } from './scalars.ts'

/** The data of a paged query (specification, "Page object"). */
export interface Page<Item> {
  /** Whether `pageNumber` is 1. */
  firstPage: boolean
  /** Whether `pageNumber` is at least `totalPage`. True for an empty list. */
  lastPage: boolean
  /** The items of this page. */
  list: Item[]
  /** The requested order. `''` if the request named no order. */
  orderBy: string
  /** From 1. */
  pageNumber: number
  /** The maximum number of items on a page. */
  pageSize: number
  /** Echoes the query. Mintmark's servers add `next`, a cursor for the next page. */
  paras: { [name: string]: unknown }
  /** The number of pages. 0 for an empty list. */
  totalPage: number
  /** The number of items on all pages. Above 10,000, the count may be some seconds old. */
  totalRow: number
}

/** Creates the schema of a page of items. */
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

/** The largest page size. */
export const MAX_PAGE_SIZE = 100
/** The page size if a query names no size. */
export const DEFAULT_PAGE_SIZE = 20

/**
 * The fields of every page query. The specification does not list them (operation 8 states `creator` alone),
 * so each is optional.
 */
export const pageQuery = {
  /** The page's number, from 1; default 1. */
  pageNumber: /* @__PURE__ */ v.optional(Positive),
  /** Items per page, 1 to 100; default 20. */
  pageSize: /* @__PURE__ */ v.optional(
    /* @__PURE__ */ v.pipe(
      Positive,
      /* @__PURE__ */ v.maxValue(MAX_PAGE_SIZE, 'Expected an integer from 1 to 100'),
    ),
  ),
  /** The order of the list: a field's name, followed by ` desc` for descending order. */
  orderBy: /* @__PURE__ */ v.optional(/* @__PURE__ */ v.string()),
  /**
   * `paras.next` of the previous page. The server then finds the next page without counting the rows before
   * it.
   */
  cursor: /* @__PURE__ */ v.optional(/* @__PURE__ */ v.string()),
} satisfies Entries

/** The fields of the query of a list whose items have a creation time. */
export const creationTimeQuery = {
  /** Created at this time or later. */
  from: /* @__PURE__ */ v.optional(Timestamp),
  /** Created before this time. */
  to: /* @__PURE__ */ v.optional(Timestamp),
} satisfies Entries
