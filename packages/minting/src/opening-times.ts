import { serverOnly, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'

/** The detail of rules that refuse what is not open. A time is absent when it is not known. */
export const openingTimes = serverOnly({
  /** When it opens. It may have passed: then it has closed. */
  opensAt: /* @__PURE__ */ v.optional(Timestamp),
  /** When it closes. */
  closesAt: /* @__PURE__ */ v.optional(Timestamp),
})
