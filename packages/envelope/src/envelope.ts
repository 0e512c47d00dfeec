import * as v from 'valibot'
import { record, type Schema } from './record.ts'

/**
 * The envelope around every JSON answer of the gateway (specification, "Response envelope"). Failure is `success: false`
 * or an HTTP status from 400; `code` alone says nothing about success, for what it means is not specified.
 */
export interface Envelope<Data = unknown> {
  /** 200 on success; on failure the HTTP status, or a five-digit code for a rule that refused. */
  code: number
  data: Data
  /** For people; never compare it. */
  msg: string
  success: boolean
}

/** One field of a request that was refused, and why. */
export interface Issue {
  /** Names from the outside in, joined by dots: `cards.3.endTime`; empty for the whole body. */
  path: string
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
