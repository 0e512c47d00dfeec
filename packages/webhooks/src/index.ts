export { MAIL_SCHEME, type WebhookMessage } from './attempt.ts'
export { createDelivering, type Delivering, type WebhookSettings } from './delivering.ts'
export { type AddedEvent, DeliveryStore, type DueDelivery, LOGGED_ATTEMPTS } from './delivery-store.ts'
export {
  checkDestination,
  DestinationRefusedError,
  type DestinationRules,
  type Resolve,
} from './destination.ts'
export { migrateJobs } from './jobs.ts'
export {
  AddressReadError,
  type ReadAddressOptions,
  type ReadAddressResult,
  readAddress,
} from './read-address.ts'
export {
  createDeliveryFunctions,
  type DeliveryStatus,
  type Enqueue,
  type WebhookSchema,
  type WebhookStatus,
} from './schema.ts'
export { SECRET_FORMAT } from './secret-format.ts'
export { MAX_WEBHOOKS, type WebhookRow, WebhookStore, type WebhookTerms } from './webhook-store.ts'
