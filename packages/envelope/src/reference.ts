import * as v from 'valibot'
import type { Entries } from './record.ts'
import { Text } from './scalars.ts'

/** The field of an input by which callers name what they create. */
export const referenceInput = {
  /**
   * Your own reference, such as the number of a cart: 1 to 100 printable characters. It need not be unique.
   * Only keys with the wallet of your key, or only keys without a wallet if yours has none, read it and find
   * items by it.
   */
  reference: /* @__PURE__ */ v.optional(Text),
} satisfies Entries

/** The field of a record with the caller's own reference. */
export const referenceField = {
  /**
   * Your own reference. Omitted if it is not set, or if a key with another wallet set it. Events do not
   * contain it.
   */
  reference: /* @__PURE__ */ v.optional(/* @__PURE__ */ v.string()),
} satisfies Entries

/** The field of a list's query that finds items by the caller's own reference. */
export const referenceQuery = {
  /** Your own reference, exactly. */
  reference: /* @__PURE__ */ v.optional(Text),
} satisfies Entries
