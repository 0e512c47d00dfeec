import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A server of a product team's own, on a free port. */
export interface Served {
  readonly url: string
  close(): Promise<void>
}

/** Starts one. */
export async function serveLocally(answer: RequestListener): Promise<Served> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a host and a port has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** What a webhook's receiver was sent. */
export interface Received {
  readonly body: string
  readonly headers: Record<string, string>
}

/** A receiver of webhooks, with the first that comes. */
export async function startReceiver(): Promise<Served & { first: Promise<Received> }> {
  const { promise: first, resolve } = Promise.withResolvers<Received>()
  const served = await serveLocally(async (request, response) => {
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      name.startsWith('webhook-') && typeof value === 'string' ? [[name, value]] : [],
    )
    resolve({ body: await text(request), headers: Object.fromEntries(headers) })
    response.writeHead(204).end()
  })
  return { ...served, first }
}

/** A service that has the secrets, by the paths where it answers MACs under them. */
export async function startKeyService(
  origins: readonly string[],
): Promise<Served & { secrets: Map<string, string> }> {
  const secrets = new Map<string, string>()
  const served = await serveLocally(async (request, response) => {
    const { origin = '' } = request.headers
    if (origins.includes(origin)) response.setHeader('access-control-allow-origin', origin)
    const secret = secrets.get(request.url ?? '')
    if (secret === undefined) return void response.writeHead(404).end()
    response.end(
      createHmac('sha256', secret)
        .update(await text(request))
        .digest(),
    )
  })
  return { ...served, secrets }
}

/**
 * A gateway that fails: below `/hangs` it does not answer, below `/breaks` it ends the connection, below `/leaves` it sends elsewhere.
 * Browsers may call it.
 */
export async function startFailingGateway(): Promise<Served> {
  return await serveLocally((request, response) => {
    response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*')
    if (request.method === 'OPTIONS') response.writeHead(204).end()
    else if (request.url?.startsWith('/breaks')) request.socket.destroy()
    else if (request.url?.startsWith('/leaves')) response.writeHead(302, { location: '/elsewhere' }).end()
  })
}

/** An address at which nobody answers. */
export async function addressOfNobody(): Promise<string> {
  const { url, close } = await serveLocally(() => {})
  await close()
  return url
}
