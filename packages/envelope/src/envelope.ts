import * as v from 'valibot'
import { record, type Schema } from './record.ts'

/**
 * The envelope around every JSON response of the gateway (specification, "Response envelope"). A failure has
 * `success: false` or an HTTP status from 400. `code` alone does not indicate success, because the
 * specification does not define it.
 */
export interface Envelope<Data = unknown> {
  /**
   * 200 on success. On failure, the HTTP status, or the five-digit code of the rule that refused the call.
   */
  code: number
  /** The result; `null` or an empty object on failure. */
  data: Data
  /** For people. Do not compare it. */
  msg: string
  /** Whether the call succeeded. */
  success: boolean
}

/** An invalid field of a request, and the reason. */
export interface Issue {
  /**
   * Names from the outermost to the innermost, joined by dots: `cards.3.endTime`. Empty for the whole body.
   */
  path: string
  /** What is wrong, for people. */
  message: string
}

const envelopeSchema = /* @__PURE__ */ record({
  code: /* @__PURE__ */ v.number(),
  data: /* @__PURE__ */ v.unknown(),
  msg: /* @__PURE__ */ v.string(),
  success: /* @__PURE__ */ v.boolean(),
})
/** Checks the envelope, not its data. */
export const Envelope: Schema<Envelope> = envelopeSchema
