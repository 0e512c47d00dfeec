import { type GatewayEvent, InvalidWebhookError, verifyWebhook } from '@mintmark/events'
import { saveOrder } from '../../../lib/order-store.ts'
import { readSetting } from '../../../lib/settings.ts'

/** Receives the events of orders. */
export async function POST(request: Request): Promise<Response> {
  // During a rotation, the old secret and the new one, separated by a comma.
  const secrets = readSetting('MINTMARK_WEBHOOK_SECRETS').split(',')
  try {
    // The body's text, unchanged: the signature covers it.
    const event = await verifyWebhook({ body: await request.text(), headers: request.headers, secrets })
    if (isOrderEvent(event)) saveOrder({ sequence: event.sequence, order: event.data })
    return new Response(null, { status: 204 })
  } catch (error) {
    if (!(error instanceof InvalidWebhookError)) throw error
    console.warn(error.message)
    return new Response(null, { status: 400 })
  }
}

type OrderEvent = Extract<GatewayEvent, { readonly type: `order.${string}` }>

function isOrderEvent(event: GatewayEvent): event is OrderEvent {
  return event.type.startsWith('order.')
}
