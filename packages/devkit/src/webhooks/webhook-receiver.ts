import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'

/** What a receiver was sent. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Writes the response of a receiver. `call` counts from 1. */
export type Behavior = (response: ServerResponse, call: number) => void

export const accepts: Behavior = (response) => response.writeHead(204).end()
export const fails: Behavior = (response) => response.writeHead(500).end('no')
export const hangs: Behavior = () => {}
export const resets: Behavior = (response) => response.socket?.resetAndDestroy()
export const redirects =
  (to: string): Behavior =>
  (response) =>
    response.writeHead(307, { location: to }).end()

/** A webhook's receiver, on a socket. */
export interface Receiver {
  readonly url: string
  readonly port: number
  readonly received: Received[]
  behavior: Behavior
  close(): Promise<void>
}

export async function receiver(behavior: Behavior = accepts): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    })
    made.behavior(response, received.length)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  const made: Receiver = {
    url: `http://127.0.0.1:${address.port}/hook`,
    port: address.port,
    received,
    behavior,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return made
}
