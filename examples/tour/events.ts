import { getRequestListener } from '@hono/node-server'
import { serveLocally } from '@mintmark/devkit/serve-locally'
import {
  type ConfigureEventWebhookInput,
  events,
  eventWebhooks,
  type GatewayEvent,
  InvalidWebhookError,
  verifyWebhook,
} from '@mintmark/events'
import { Hono } from 'hono'
import { waitFor } from './orders.ts'
import type { Tour } from './tour.ts'

/** An event arrives within a fraction of a second. */
const MAX_WAIT_MS = 30_000

/** The events of the tour's cards are read from the stream, and a webhook receives a test message. */
export async function tourEvents(tour: Tour): Promise<void> {
  const types = events.toTypes('verification.*')
  await tour.step('Receive from the stream of events that a card was redeemed', events.stream, async () => {
    const stream = events.stream(tour.gateway, { types, signal: AbortSignal.timeout(MAX_WAIT_MS) })
    const { value } = await stream.next()
    await stream.return()
    return { status: 200, data: value }
  })
  await tourEventWebhook(tour)
}

async function tourEventWebhook({ call, step }: Tour): Promise<void> {
  await using stops = new AsyncDisposableStack()
  const receiver = await startReceiver(stops)
  const configured: ConfigureEventWebhookInput = { url: `${receiver.url}/events`, events: ['card.*'] }
  const { id, secret = '' } = await call(
    'Configure a webhook of card events',
    eventWebhooks.configure,
    configured,
  )
  receiver.secrets = secret
  await call('Send it a test message', eventWebhooks.sendTest, { id })
  const target = { id: 'verifyWebhook', method: 'POST', path: configured.url }
  await step('Receive the message and verify its signature', target, async () => ({
    status: 204,
    data: await waitFor(
      async () => receiver.received[0],
      (found) => found !== undefined,
    ),
  }))
  await call('Remove the webhook of card events', eventWebhooks.remove, { id })
}

/** A server that receives webhooks. It refuses those that are not signed with `secrets`. */
interface Receiver {
  readonly url: string
  /** The messages with a valid signature. */
  readonly received: readonly GatewayEvent[]
  secrets: string
}

async function startReceiver(stops: AsyncDisposableStack): Promise<Receiver> {
  const received: GatewayEvent[] = []
  const app = new Hono()
  app.post('/events', async ({ req, body }) => {
    try {
      const { secrets } = receiver
      received.push(await verifyWebhook({ body: await req.text(), headers: req.raw.headers, secrets }))
      return body(null, 204)
    } catch (error) {
      if (!(error instanceof InvalidWebhookError)) throw error
      return body(null, 401)
    }
  })
  const url = await serveLocally(getRequestListener(app.fetch), stops)
  const receiver: Receiver = { url, received, secrets: '' }
  return receiver
}
