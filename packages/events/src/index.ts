export {
  InvalidWebhookError,
  type SignedWebhook,
  signTestWebhook,
  type VerifyWebhookOptions,
} from '@mintmark/envelope'
export { EventBatch, GatewayEvent } from './event.ts'
export { type EventData, type EventTypeName, type EventTypePattern, eventTypes } from './event-types.ts'
export { EventWebhook, type EventWebhookStatus } from './event-webhook.ts'
export type {
  ConfigureEventWebhookInput,
  EventDelivery,
  EventDeliveryStatus,
  GetEventWebhookInput,
  ListEventDeliveriesInput,
  RedeliverEventInput,
  RedeliverEventRangeInput,
  RedeliveredRange,
  RemoveEventWebhookInput,
  RotateEventWebhookSecretInput,
  SendTestEventInput,
} from './event-webhooks.ts'
export * as eventWebhooks from './event-webhooks.ts'
export type { ListEventsInput } from './events.ts'
export * as events from './events.ts'
export { EVENTS_EXPIRED, TOO_MANY_EVENT_WEBHOOKS } from './rules.ts'
export type { StreamOptions } from './stream.ts'
export { verifyWebhook } from './verify-webhook.ts'
export { WebhookTest } from './webhook-events.ts'
