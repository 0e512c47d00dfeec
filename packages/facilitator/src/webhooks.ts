import {
  creationTimeQuery,
  Empty,
  Id,
  Integer,
  NotFoundError,
  record,
  type Schema,
  Text,
  Timestamp,
} from '@mintmark/envelope'
import { facilitatorOperation, type InputOf, pagedFacilitatorOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { TOO_MANY_WEBHOOKS, WEBHOOK_URL_REFUSED } from './rules.ts'

/** The status of a webhook. */
export type WebhookStatus = 'ENABLED' | 'DISABLED'
/** The status of a delivery. */
export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED'

// A newer server may return further values, so the types of the records are open.
const webhookStatus: Schema<WebhookStatus | (string & {})> = v.string()
const deliveryStatus: Schema<DeliveryStatus | (string & {})> = v.string()

const webhook = record({
  /** The webhook's id. */
  id: Integer,
  /** The URL that receives the events. */
  url: v.string(),
  /** The event types to send; empty for all. */
  events: v.array(v.string()),
  /** Your description; `''` if not set. */
  description: v.string(),
  /** `ENABLED`, or `DISABLED` after five days of failures. */
  status: webhookStatus,
  /** The signing secret, `whsec_…`. Only the responses to the creation and to a rotation contain it. */
  secret: v.optional(v.string()),
  /** When the previous secret stops signing; absent if it does not sign. */
  previousSecretExpireTime: v.optional(Timestamp),
  /** When the webhook was created. */
  createTime: Timestamp,
  /** When the webhook was last changed. */
  updateTime: Timestamp,
})
/** A URL that receives events. */
export interface Webhook extends v.InferOutput<typeof webhook> {}
export const Webhook: Schema<Webhook> = webhook

const delivery = record({
  /** The delivery's id. */
  id: Integer,
  /** The id of the receiving webhook. */
  webhookId: Integer,
  /** The event's id, the same in each of its deliveries. */
  eventId: v.string(),
  /** The event's type, such as `settlement.settled`. */
  eventType: v.string(),
  /** `PENDING`, `DELIVERED` or `FAILED`. */
  status: deliveryStatus,
  /** The number of attempts. */
  attempts: Integer,
  /** The receiver's last HTTP status; 0 without a response. */
  responseStatus: Integer,
  /** Why the last attempt failed; `''` if it succeeded. */
  error: v.string(),
  /** When the delivery was created. */
  createTime: Timestamp,
  /** When the last attempt was made; absent before the first attempt. */
  lastAttemptTime: v.optional(Timestamp),
  /** When the next attempt is due; absent if no attempt is planned. */
  nextAttemptTime: v.optional(Timestamp),
})
/** The delivery of one event to one webhook. */
export interface Delivery extends v.InferOutput<typeof delivery> {}
export const Delivery: Schema<Delivery> = delivery

const eventType = record({
  /** The type's name, such as `settlement.settled`. */
  type: v.string(),
  /** When events of this type are sent. */
  description: v.string(),
})
/** A type of event that webhooks can receive. */
export interface EventType extends v.InferOutput<typeof eventType> {}
export const EventType: Schema<EventType> = eventType

const params = {
  /** The webhook's id. */
  id: Id,
}

/**
 * Creates a webhook, or replaces the one with the given `id`. Only the response to a creation contains the
 * secret. NotFoundError if `id` does not exist. `WEBHOOK_URL_REFUSED` unless the URL is public and https.
 * `TOO_MANY_WEBHOOKS` at the account's limit.
 *
 * @example
 * const webhook = await webhooks.configure(facilitator, {
 *   url: 'https://shop.example.com/hooks/mintmark',
 *   events: ['settlement.settled', 'settlement.failed'],
 * })
 * console.log(webhook.id, webhook.secret)
 */
export const configure = facilitatorOperation({
  id: 'webhooks.configure',
  method: 'POST',
  path: '/webhooks',
  source: 'name',
  ignoresIdempotencyKey: true,
  scope: 'webhooks:write',
  body: {
    /** The URL that receives the events: https, at a public address. */
    url: Text,
    /** The event types to send. Default, and if empty: all. */
    events: v.optional(v.array(v.string())),
    /** Your description. */
    description: v.optional(v.string()),
    /** The id of the webhook to change, which also enables it. Default: creates a webhook. */
    id: v.optional(Id),
  },
  data: Webhook,
  errors: [NotFoundError, WEBHOOK_URL_REFUSED, TOO_MANY_WEBHOOKS],
})
export type ConfigureWebhookInput = InputOf<typeof configure>

/**
 * Returns all webhooks of the account, without their secrets.
 *
 * @example
 * for (const { url, status } of await webhooks.list(facilitator)) console.log(url, status)
 */
export const list = facilitatorOperation({
  id: 'webhooks.list',
  method: 'GET',
  path: '/webhooks',
  source: 'name',
  scope: 'webhooks:read',
  data: v.array(Webhook),
})

/**
 * Returns the supported event types with a description of when each is sent.
 *
 * @example
 * for (const { type, description } of await webhooks.eventTypes(facilitator)) console.log(type, description)
 */
export const eventTypes = facilitatorOperation({
  id: 'webhooks.eventTypes',
  method: 'GET',
  path: '/webhooks/event-types',
  source: 'name',
  scope: 'webhooks:read',
  data: v.array(EventType),
})

/**
 * Returns one webhook, without its secret. NotFoundError if it does not exist.
 *
 * @example
 * const webhook = await webhooks.get(facilitator, { id: 7 })
 */
export const get = facilitatorOperation({
  id: 'webhooks.get',
  method: 'GET',
  path: '/webhooks/{id}',
  source: 'name',
  scope: 'webhooks:read',
  params,
  data: Webhook,
  errors: [NotFoundError],
})
export type GetWebhookInput = InputOf<typeof get>

/**
 * Removes a webhook. Its pending deliveries are not sent. NotFoundError if it does not exist.
 *
 * @example
 * await webhooks.remove(facilitator, { id: 7 })
 */
export const remove = facilitatorOperation({
  id: 'webhooks.remove',
  method: 'DELETE',
  path: '/webhooks/{id}',
  source: 'added',
  scope: 'webhooks:write',
  params,
  data: Empty,
  errors: [NotFoundError],
})
export type RemoveWebhookInput = InputOf<typeof remove>

/**
 * Lists the deliveries of a webhook, newest first. NotFoundError if the webhook does not exist.
 *
 * @example
 * for await (const { eventType, status } of webhooks.deliveries.items(facilitator, { id: 7 })) console.log(eventType, status)
 */
export const deliveries = pagedFacilitatorOperation({
  id: 'webhooks.deliveries',
  method: 'GET',
  path: '/webhooks/{id}/deliveries',
  source: 'added',
  scope: 'webhooks:read',
  params,
  query: creationTimeQuery,
  item: Delivery,
  errors: [NotFoundError],
})
export type ListDeliveriesInput = InputOf<typeof deliveries>

/**
 * Sends a delivery one more time, with the same event id. NotFoundError if the webhook or the delivery does
 * not exist.
 *
 * @example
 * const delivery = await webhooks.redeliver(facilitator, { id: 7, deliveryId: 12 })
 */
export const redeliver = facilitatorOperation({
  id: 'webhooks.redeliver',
  method: 'POST',
  path: '/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  source: 'added',
  ignoresIdempotencyKey: true,
  scope: 'webhooks:write',
  params: {
    ...params,
    /** The delivery's id. */
    deliveryId: Id,
  },
  data: Delivery,
  errors: [NotFoundError],
})
export type RedeliverInput = InputOf<typeof redeliver>

/**
 * Replaces the secret of a webhook. During the overlap, messages are signed with both secrets, so that you
 * can replace the secret of your receiver at any time in between. Only this response contains the new secret.
 * NotFoundError if the webhook does not exist.
 *
 * Pass a secret of your own, which your receiver accepts already, so that the call can be repeated when its
 * response is lost.
 *
 * @example
 * const secret = `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`
 * await webhooks.rotateSecret(facilitator, { id: 7, secret })
 */
export const rotateSecret = facilitatorOperation({
  id: 'webhooks.rotateSecret',
  method: 'POST',
  path: '/webhooks/{id}/rotate-secret',
  source: 'added',
  ignoresIdempotencyKey: true,
  scope: 'webhooks:write',
  params,
  body: {
    /**
     * The new secret: `whsec_` and 24 to 64 random bytes in base64. If the webhook has it already, nothing
     * changes. Default: a generated one.
     */
    secret: v.optional(Text),
    /** How long the previous secret signs too, in hours: 0 to 168. Default: 24. */
    overlapHours: v.optional(Integer),
  },
  data: Webhook,
  errors: [NotFoundError],
})
export type RotateWebhookSecretInput = InputOf<typeof rotateSecret>
