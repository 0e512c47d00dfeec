import { Integer, record, type Schema } from '@mintmark/envelope'
import { defineEvents } from '@mintmark/operation'
import type * as v from 'valibot'
import { EventWebhook } from './event-webhook.ts'

const webhookTest = record({
  /** The webhook that receives the message. */
  webhookId: Integer,
})
/** The data of a test message. */
export interface WebhookTest extends v.InferOutput<typeof webhookTest> {}
export const WebhookTest: Schema<WebhookTest> = webhookTest

/** The events about webhooks. Their subject is `webhook/` and the webhook's id. */
export const webhookEvents = defineEvents({
  'webhook.disabled': {
    description: 'A webhook was disabled because it failed for too long.',
    data: EventWebhook,
  },
  'webhook.test': {
    description: 'A test message was requested. Only its webhook receives it; it is not in the feed.',
    data: WebhookTest,
  },
})
