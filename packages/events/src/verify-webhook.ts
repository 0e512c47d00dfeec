import { type VerifyWebhookOptions, verifyWebhookMessage } from '@mintmark/envelope'
import type { GatewayEvent } from './event.ts'

/**
 * Verifies a webhook of the gateway (Standard Webhooks) and returns its event. Throws an
 * `InvalidWebhookError` if it cannot be verified, whatever the cause. WebCrypto compares the signatures in
 * constant time.
 *
 * @example
 * const event = await verifyWebhook({ body: await request.text(), headers: request.headers, secrets: [secret] })
 * if (event.type === 'order.paid') console.log(event.data.orderNo)
 */
export const verifyWebhook: (options: VerifyWebhookOptions) => Promise<GatewayEvent> = verifyWebhookMessage
