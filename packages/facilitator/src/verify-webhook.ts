import { type VerifyWebhookOptions, verifyWebhookMessage } from '@mintmark/envelope'
import type { WebhookEvent } from './webhook-events.ts'

/**
 * Verifies a webhook of the facilitator (Standard Webhooks) and returns its event. Throws an
 * `InvalidWebhookError` if it cannot be verified, whatever the cause. WebCrypto compares the signatures in
 * constant time.
 *
 * @example
 * const event = await verifyWebhook({ body: await request.text(), headers: request.headers, secrets: [secret] })
 * if (event.type === 'settlement.settled') console.log(event.data.transaction)
 */
export const verifyWebhook: (options: VerifyWebhookOptions) => Promise<WebhookEvent> = verifyWebhookMessage
