import { once } from 'node:events'
import { createServer, type RequestListener, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Serves a request listener on a free port. */
export async function serve(listener: RequestListener, stops: AsyncDisposableStack): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/**
 * Serves what other servers serve, with the headers that it receives. The connection of a call ends if that of the server does, or as
 * `loses` says once the server has answered.
 */
export function serveFor(
  getTarget: () => string | undefined,
  loses: (path: string) => boolean,
  stops: AsyncDisposableStack,
): Promise<string> {
  return serve((incoming, outgoing) => {
    const { method = 'GET', headers, url = '/' } = incoming
    const target = getTarget()
    if (target === undefined) {
      outgoing.destroy()
      return
    }
    const forwarded = request(`${target}${url}`, { method, headers, agent: false })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('error', () => {})
    outgoing.on('close', () => forwarded.destroy())
    forwarded.on('response', (response) => {
      response.on('error', () => outgoing.destroy())
      if (loses(url)) {
        response.resume().on('end', () => outgoing.destroy())
        return
      }
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    incoming.pipe(forwarded)
  }, stops)
}
