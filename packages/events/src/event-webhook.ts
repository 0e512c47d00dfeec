import { Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'

/** The status of a webhook. */
export type EventWebhookStatus = 'ENABLED' | 'DISABLED'
// A newer server may return further values, so the type of the record is open.
const webhookStatus: Schema<EventWebhookStatus | (string & {})> = v.string()

const eventWebhook = record({
  /** The webhook's id. */
  id: Integer,
  /** The URL that receives the events. */
  url: v.string(),
  /** The types and patterns of events to send; empty for all. */
  events: v.array(v.string()),
  /** Your description; `''` if not set. */
  description: v.string(),
  /** The most messages per second; 0 for no limit. */
  maxPerSecond: Integer,
  /** `ENABLED`, or `DISABLED` after five days of failures. */
  status: webhookStatus,
  /** Since when it has failed without a success; absent if it works. */
  failingSince: v.optional(Timestamp),
  /** The signing secret, `whsec_…`. Only the responses to the creation and to a rotation contain it. */
  secret: v.optional(v.string()),
  /** Until when the previous secret signs too; absent except after a rotation. */
  previousSecretExpireTime: v.optional(Timestamp),
  /** When the webhook was created. */
  createTime: Timestamp,
  /** When the webhook was last changed. */
  updateTime: Timestamp,
})
/** A URL that receives events. */
export interface EventWebhook extends v.InferOutput<typeof eventWebhook> {}
export const EventWebhook: Schema<EventWebhook> = eventWebhook
