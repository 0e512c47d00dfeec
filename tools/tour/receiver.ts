import { setTimeout as pause } from 'node:timers/promises'
import { InvalidWebhookError, verifyWebhook, type WebhookEvent } from '@mintmark/facilitator'
import { serveLocally } from '../http.ts'

/** A server that receives webhooks and refuses those with a wrong signature. */
export interface Receiver {
  readonly url: string
  /** Sets the secret of the webhook. */
  expect(secret: string): void
  /** Waits up to ten seconds for the first verified event of a type. */
  event(type: WebhookEvent['type']): Promise<WebhookEvent>
}

export async function startReceiver(stops: AsyncDisposableStack): Promise<Receiver> {
  let secrets = ''
  const events: WebhookEvent[] = []
  const url = await serveLocally(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    try {
      events.push(await verifyWebhook({ body: Buffer.concat(chunks), headers: request.headers, secrets }))
      response.writeHead(204).end()
    } catch (error) {
      if (!(error instanceof InvalidWebhookError)) throw error
      response.writeHead(401).end()
    }
  }, stops)
  return {
    url: `${url}/webhooks`,
    expect(secret) {
      secrets = secret
    },
    async event(type) {
      for (const deadline = Date.now() + 10_000; Date.now() < deadline; await pause(50)) {
        const found = events.find((event) => event.type === type)
        if (found !== undefined) return found
      }
      throw new Error(`No ${type} webhook arrived within ten seconds`)
    },
  }
}
