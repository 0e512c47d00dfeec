import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { InvalidWebhook, verifyWebhook, type WebhookEvent } from '@mintmark/facilitator'

/** A small server that receives webhooks, believes none whose signature is wrong, and lets others wait for them. */
export interface Receiver {
  url: string
  /** The secret of the webhook that leads here. */
  expect(secret: string): void
  /** The first verified event of a type that came since the receiver began; waits ten seconds for it. */
  event(type: WebhookEvent['type']): Promise<WebhookEvent>
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  let secret = ''
  const events: WebhookEvent[] = []
  const waiting = new Set<() => void>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    try {
      events.push(
        await verifyWebhook({ body: Buffer.concat(chunks), headers: request.headers, secrets: secret }),
      )
      response.writeHead(204).end()
      for (const look of waiting) look()
    } catch (error) {
      if (!(error instanceof InvalidWebhook)) throw error
      response.writeHead(401).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a host and port has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    expect(given) {
      secret = given
    },
    event: (type) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = events.find((event) => event.type === type)
          if (found === undefined) return
          clearTimeout(timer)
          waiting.delete(look)
          resolve(found)
        }
        const timer = setTimeout(() => {
          waiting.delete(look)
          reject(new Error(`no ${type} webhook came within ten seconds`))
        }, 10_000)
        waiting.add(look)
        look()
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
