import type { VerifyWebhookOptions } from '@mintmark/envelope'
import { type GatewayEvent, verifyWebhook as verifyGatewayWebhook } from '@mintmark/events'
import type { WebhookEvent } from '@mintmark/facilitator'

/**
 * Verifies a webhook of the gateway or of the facilitator (Standard Webhooks) and returns its event. The
 * types of their events differ. Throws an `InvalidWebhookError` if the webhook is invalid, with the reason
 * `bad_secret` if a secret is malformed.
 *
 * @example
 * const event = await verifyWebhook({ body: await request.text(), headers: request.headers, secrets: [secret] })
 * if (event.type === 'order.paid') console.log(event.data.orderNo)
 * if (event.type === 'settlement.settled') console.log(event.data.transaction)
 */
// Both servers sign in the same way.
export const verifyWebhook = verifyGatewayWebhook as (
  options: VerifyWebhookOptions,
) => Promise<GatewayEvent | WebhookEvent>
