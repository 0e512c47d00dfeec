import type { Delivering, DeliveryStore, DestinationRules, Enqueue, WebhookStore } from '@mintmark/webhooks'
import type { Notices } from './notices.ts'

/** What the operations of webhooks need of the server. */
export interface WebhookPorts {
  readonly webhooks: WebhookPort
}

/** What the operations of webhooks need of the delivery. */
export interface WebhookPort {
  readonly webhooks: WebhookStore
  readonly deliveries: DeliveryStore
  /** The rules for URLs of webhooks. */
  readonly destinations: DestinationRules
  /** Mails events. Undefined if the server sends no mails. */
  readonly notices: Notices | undefined
  /** Returns how deliveries become jobs. */
  getEnqueue(): Promise<Enqueue>
}

/** Returns the port of a delivery that has started. */
export function toWebhookPort(delivering: Delivering, notices: Notices | undefined): WebhookPort {
  const { webhooks, deliveries, destinations } = delivering
  return { webhooks, deliveries, destinations, notices, getEnqueue: async () => delivering.enqueue }
}
