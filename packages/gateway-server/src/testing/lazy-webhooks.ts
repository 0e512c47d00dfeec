import { createWebhookDelivery, type WebhookDeliveryOptions } from '../domains/webhooks/delivering.ts'
import { toWebhookPort, type WebhookPort } from '../domains/webhooks/webhook-port.ts'

/**
 * Webhooks that deliver nothing. The job queue is opened when an operation needs it, which most tests do not.
 */
export function createLazyWebhooks(options: WebhookDeliveryOptions): {
  readonly port: WebhookPort
  stop(): Promise<void>
} {
  const delivering = createWebhookDelivery({ ...options, deliver: false })
  let starting: Promise<void> | undefined
  return {
    port: {
      ...toWebhookPort(delivering, undefined),
      async getEnqueue() {
        starting ??= delivering.start()
        await starting
        return delivering.enqueue
      },
    },
    async stop() {
      if (starting !== undefined) await delivering.stop()
    },
  }
}
