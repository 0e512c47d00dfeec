import { Empty, Id, Integer, NotFoundError, record, type Schema, Text, Timestamp } from '@mintmark/envelope'
import { facilitatorOperation, pagedFacilitatorOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { TOO_MANY_WEBHOOKS, WEBHOOK_URL_REFUSED } from './rules.ts'

const webhook = record({
  /** Its id. */
  id: Integer,
  /** Where events are posted. */
  url: v.string(),
  /** The event types that are sent; an empty list: all. */
  events: v.array(v.string()),
  /** What it is for, in the account's words; `''` for nothing. */
  description: v.string(),
  /** `ENABLED`, or `DISABLED` after five days of failures. */
  status: v.string(),
  /** `whsec_…`: shown once, when the webhook is made. */
  secret: v.optional(v.string()),
  /** When it was made. */
  createTime: Timestamp,
  /** When it was last changed. */
  updateTime: Timestamp,
})
/** Where events are sent. */
export interface Webhook extends v.InferOutput<typeof webhook> {}
export const Webhook: Schema<Webhook> = webhook

const delivery = record({
  /** Its id. */
  id: Integer,
  /** The webhook that it goes to. */
  webhookId: Integer,
  /** The event's id: the same in every delivery of it. */
  eventId: v.string(),
  /** The event's type, such as `settlement.settled`. */
  eventType: v.string(),
  /** `PENDING`, `DELIVERED` or `FAILED`. */
  status: v.string(),
  /** How often it was sent. */
  attempts: Integer,
  /** The receiver's last HTTP status; 0 when it gave none. */
  responseStatus: Integer,
  /** Why the last attempt failed; `''` when it did not. */
  error: v.string(),
  /** When it was made. */
  createTime: Timestamp,
  /** When it was last sent; absent before. */
  lastAttemptTime: v.optional(Timestamp),
  /** When it will be sent next; absent when it will not. */
  nextAttemptTime: v.optional(Timestamp),
})
/** One event on its way to one webhook. */
export interface Delivery extends v.InferOutput<typeof delivery> {}
export const Delivery: Schema<Delivery> = delivery

const eventType = record({
  /** Its name, such as `settlement.settled`. */
  type: v.string(),
  /** When it is sent. */
  description: v.string(),
})
/** A type of event that can be sent. */
export interface EventType extends v.InferOutput<typeof eventType> {}
export const EventType: Schema<EventType> = eventType

const params = {
  /** The webhook's id. */
  id: Id,
}

/** Configure Webhook: a new one, or a changed one where `id` is given. */
export const configure = facilitatorOperation({
  id: 'webhooks.configure',
  method: 'POST',
  path: '/webhooks',
  source: 'name',
  scope: 'webhooks:write',
  body: {
    /** Where events are posted: https, at a public address. */
    url: Text,
    /** The event types to send; none or an empty list: all. */
    events: v.optional(v.array(v.string())),
    /** What it is for, in your words. */
    description: v.optional(v.string()),
    /** The webhook to change; it is enabled again. */
    id: v.optional(Id),
  },
  data: Webhook,
  errors: [NotFoundError, WEBHOOK_URL_REFUSED, TOO_MANY_WEBHOOKS],
})

/** List All Webhook Configurations of the account. */
export const list = facilitatorOperation({
  id: 'webhooks.list',
  method: 'GET',
  path: '/webhooks',
  source: 'name',
  scope: 'webhooks:read',
  data: v.array(Webhook),
})

/** List Supported Event Types, each with when it is sent. */
export const eventTypes = facilitatorOperation({
  id: 'webhooks.eventTypes',
  method: 'GET',
  path: '/webhooks/event-types',
  source: 'name',
  scope: 'webhooks:read',
  data: v.array(EventType),
})

/** Get Webhook Configuration: one webhook, without its secret. */
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

/** Removes a webhook; what is on its way to it is not sent any more. */
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

/** The deliveries of a webhook, newest first. */
export const deliveries = pagedFacilitatorOperation({
  id: 'webhooks.deliveries',
  method: 'GET',
  path: '/webhooks/{id}/deliveries',
  source: 'added',
  scope: 'webhooks:read',
  params,
  item: Delivery,
  errors: [NotFoundError],
})

/** Sends a delivery again, under the same event id. */
export const redeliver = facilitatorOperation({
  id: 'webhooks.redeliver',
  method: 'POST',
  path: '/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  source: 'added',
  scope: 'webhooks:write',
  params: {
    ...params,
    /** The delivery's id. */
    deliveryId: Id,
  },
  data: Delivery,
  errors: [NotFoundError],
})
