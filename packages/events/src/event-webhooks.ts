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
import { gatewayOperation, type InputOf, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import type { EventTypePattern } from './event-types.ts'
import { EventWebhook } from './event-webhook.ts'
import { EVENTS_EXPIRED, TOO_MANY_EVENT_WEBHOOKS } from './rules.ts'

const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const

/** The status of a delivery. */
export type EventDeliveryStatus = (typeof DELIVERY_STATUSES)[number]
// A newer server may return further values, so the type of the record is open.
const deliveryStatus: Schema<EventDeliveryStatus | (string & {})> = v.string()

const eventDelivery = record({
  /** The delivery's id. */
  id: Integer,
  /** The id of the receiving webhook. */
  webhookId: Integer,
  /** The event's id, the same in each of its deliveries. */
  eventId: v.string(),
  /** The event's type, such as `order.paid`. */
  eventType: v.string(),
  /** The place of the event in the feed; 0 for a test message. */
  sequence: Integer,
  /** `PENDING`, `DELIVERED` or `FAILED`. */
  status: deliveryStatus,
  /** The number of attempts. */
  attempts: Integer,
  /** The receiver's last HTTP status; 0 without a response, and for mails. */
  responseStatus: Integer,
  /** Why the last attempt failed; `''` if it succeeded. */
  error: v.string(),
  /** The newest 20 attempts, oldest first. */
  log: v.array(
    record({
      /** When the attempt ended. */
      time: Timestamp,
      /** The receiver's HTTP status; 0 without a response, and for mails. */
      responseStatus: Integer,
      /** Why the attempt failed; `''` if it succeeded. */
      error: v.string(),
      /** How long the attempt took, in milliseconds. */
      durationMs: Integer,
    }),
  ),
  /** When the delivery was created. */
  createTime: Timestamp,
  /** When the last attempt was made; absent before the first attempt. */
  lastAttemptTime: v.optional(Timestamp),
  /** When the next attempt is due; absent if no attempt is planned. */
  nextAttemptTime: v.optional(Timestamp),
})
/** The delivery of one event to one webhook. */
export interface EventDelivery extends v.InferOutput<typeof eventDelivery> {}
export const EventDelivery: Schema<EventDelivery> = eventDelivery

const redeliveredRange = record({
  /** How many deliveries were started. */
  deliveries: Integer,
  /** The place of the last event that was read. Continue after it while `hasMore` is true. */
  next: Integer,
  /** Whether the range has more events. */
  hasMore: v.boolean(),
})
/** The result of one call that redelivers a range. */
export interface RedeliveredRange extends v.InferOutput<typeof redeliveredRange> {}
export const RedeliveredRange: Schema<RedeliveredRange> = redeliveredRange

// The compiler checks the names, and the server those of other callers.
const eventTypePattern: Schema<EventTypePattern> = v.string() as never

const params = {
  /** The webhook's id. */
  id: Id,
}

/**
 * Creates a webhook, or replaces the one with the given `id` and enables it. Only the response to a creation
 * contains the secret. InvalidInputError unless the URL is https at a public address, or `mailto:` and the address
 * of a person of the project. NotFoundError if `id` does not exist. `TOO_MANY_EVENT_WEBHOOKS` at the project's
 * limit.
 *
 * @example
 * const webhook = await eventWebhooks.configure(gateway, {
 *   url: 'https://shop.example.com/hooks/mintmark',
 *   events: ['order.*', 'card.created'],
 * })
 * console.log(webhook.id, webhook.secret)
 */
export const configure = gatewayOperation({
  id: 'eventWebhooks.configure',
  method: 'POST',
  path: '/api/v1/webhooks',
  source: 'own',
  scope: 'webhooks:write',
  body: {
    /**
     * The URL that receives the events: https, at a public address. `mailto:` and the address of a person of the
     * project, such as `mailto:kim@shop.example`, mails them instead, if the server sends mails.
     */
    url: Text,
    /** Types of events and patterns such as `order.*`. Default, and if empty: all. */
    events: v.optional(v.array(eventTypePattern)),
    /** Your description. */
    description: v.optional(v.string()),
    /** The most messages per second; 0 for no limit, which is the default. */
    maxPerSecond: v.optional(Integer),
    /** The id of the webhook to change. Default: creates a webhook. */
    id: v.optional(Id),
  },
  data: EventWebhook,
  errors: [NotFoundError, TOO_MANY_EVENT_WEBHOOKS],
})
export type ConfigureEventWebhookInput = InputOf<typeof configure>

/**
 * Returns all webhooks of the project, without their secrets.
 *
 * @example
 * for (const { url, status } of await eventWebhooks.list(gateway)) console.log(url, status)
 */
export const list = gatewayOperation({
  id: 'eventWebhooks.list',
  method: 'GET',
  path: '/api/v1/webhooks',
  source: 'own',
  scope: 'webhooks:read',
  data: v.array(EventWebhook),
})

/**
 * Returns one webhook, without its secret. NotFoundError if it does not exist.
 *
 * @example
 * const webhook = await eventWebhooks.get(gateway, { id: 7 })
 */
export const get = gatewayOperation({
  id: 'eventWebhooks.get',
  method: 'GET',
  path: '/api/v1/webhooks/{id}',
  source: 'own',
  scope: 'webhooks:read',
  params,
  data: EventWebhook,
  errors: [NotFoundError],
})
export type GetEventWebhookInput = InputOf<typeof get>

/**
 * Removes a webhook. Its pending deliveries are not sent. NotFoundError if it does not exist.
 *
 * @example
 * await eventWebhooks.remove(gateway, { id: 7 })
 */
export const remove = gatewayOperation({
  id: 'eventWebhooks.remove',
  method: 'DELETE',
  path: '/api/v1/webhooks/{id}',
  source: 'own',
  scope: 'webhooks:write',
  params,
  data: Empty,
  errors: [NotFoundError],
})
export type RemoveEventWebhookInput = InputOf<typeof remove>

/**
 * Lists the deliveries of a webhook with their attempts, newest first. They are kept as long as their events.
 * NotFoundError if the webhook does not exist.
 *
 * @example
 * for await (const { eventType, error } of eventWebhooks.deliveries.items(gateway, { id: 7, status: 'FAILED' })) {
 *   console.log(eventType, error)
 * }
 */
export const deliveries = pagedGatewayOperation({
  id: 'eventWebhooks.deliveries',
  method: 'GET',
  path: '/api/v1/webhooks/{id}/deliveries',
  source: 'own',
  scope: 'webhooks:read',
  params,
  query: {
    /** Only deliveries with this status: `PENDING`, `DELIVERED` or `FAILED`. */
    status: v.optional(v.picklist(DELIVERY_STATUSES)),
    ...creationTimeQuery,
  },
  item: EventDelivery,
  errors: [NotFoundError],
})
export type ListEventDeliveriesInput = InputOf<typeof deliveries>

/**
 * Sends a delivery one more time, with the same event id and with all of its attempts. NotFoundError if the
 * webhook or the delivery does not exist.
 *
 * @example
 * const delivery = await eventWebhooks.redeliver(gateway, { id: 7, deliveryId: 12 })
 */
export const redeliver = gatewayOperation({
  id: 'eventWebhooks.redeliver',
  method: 'POST',
  path: '/api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  source: 'own',
  scope: 'webhooks:write',
  params: {
    ...params,
    /** The delivery's id. */
    deliveryId: Id,
  },
  data: EventDelivery,
  errors: [NotFoundError],
})
export type RedeliverEventInput = InputOf<typeof redeliver>

/**
 * Sends the events of a part of the feed to a webhook: those that it subscribes to and has not received, also
 * from the time when it was disabled or did not exist. Deliveries that wait for a retry are sent at once. A call
 * reads at most 1,000 events. Repeat it with `after: next` while `hasMore` is true.
 *
 * NotFoundError if the webhook does not exist. `EVENTS_EXPIRED` if events after `after` were deleted because
 * of their age.
 *
 * @example
 * const range = { id: 7, from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }
 * let result = await eventWebhooks.redeliverRange(gateway, range)
 * while (result.hasMore) result = await eventWebhooks.redeliverRange(gateway, { ...range, after: result.next })
 */
export const redeliverRange = gatewayOperation({
  id: 'eventWebhooks.redeliverRange',
  method: 'POST',
  path: '/api/v1/webhooks/{id}/redeliverRange',
  source: 'own',
  scope: 'webhooks:write',
  params,
  body: {
    /** Only events with a larger `sequence`. Default: from the oldest stored event. */
    after: v.optional(Integer),
    /** Only events up to this `sequence`. Default: to the newest event. */
    upTo: v.optional(Integer),
    /** Only events that were added to the feed at or after this time. */
    from: v.optional(Timestamp),
    /** Only events that were added to the feed before this time. */
    to: v.optional(Timestamp),
    /** Whether delivered events are sent again. Default: false. */
    includeDelivered: v.optional(v.boolean()),
  },
  data: RedeliveredRange,
  errors: [NotFoundError, EVENTS_EXPIRED],
})
export type RedeliverEventRangeInput = InputOf<typeof redeliverRange>

/**
 * Replaces the secret of a webhook. During the overlap, messages are signed with both secrets, so that you
 * can replace the secret of your receiver at any time in between. Only this response contains the new secret.
 * NotFoundError if the webhook does not exist.
 *
 * @example
 * const { secret } = await eventWebhooks.rotateSecret(gateway, { id: 7, overlapHours: 48 })
 */
export const rotateSecret = gatewayOperation({
  id: 'eventWebhooks.rotateSecret',
  method: 'POST',
  path: '/api/v1/webhooks/{id}/rotateSecret',
  source: 'own',
  scope: 'webhooks:write',
  params,
  body: {
    /** How long the previous secret signs too, in hours: 0 to 168. Default: 24. */
    overlapHours: v.optional(Integer),
  },
  data: EventWebhook,
  errors: [NotFoundError],
})
export type RotateEventWebhookSecretInput = InputOf<typeof rotateSecret>

/**
 * Sends a message of the type `webhook.test` to a webhook, once. It is not in the feed. Returns its delivery,
 * whose result is in `deliveries` a moment later. While a test message is pending, no other one is sent.
 * NotFoundError if the webhook does not exist.
 *
 * @example
 * const delivery = await eventWebhooks.sendTest(gateway, { id: 7 })
 */
export const sendTest = gatewayOperation({
  id: 'eventWebhooks.sendTest',
  method: 'POST',
  path: '/api/v1/webhooks/{id}/sendTest',
  source: 'own',
  scope: 'webhooks:write',
  params,
  data: EventDelivery,
  errors: [NotFoundError],
})
export type SendTestEventInput = InputOf<typeof sendTest>
