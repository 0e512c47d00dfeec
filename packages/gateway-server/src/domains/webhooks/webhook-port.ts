import type { Delivering, DeliveryStore, DestinationRules, Enqueue, WebhookStore } from '@mintmark/webhooks'

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
  /** Returns how deliveries become jobs. */
  getEnqueue(): Promise<Enqueue>
}

/** Returns the port of a delivery that has started. */
export function toWebhookPort(delivering: Delivering): WebhookPort {
  const { webhooks, deliveries, destinations } = delivering
  return { webhooks, deliveries, destinations, getEnqueue: async () => delivering.enqueue }
}
