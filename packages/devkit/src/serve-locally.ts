import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts an HTTP server on a free port of this machine, and returns its address. */
export async function serveLocally(listener: RequestListener, stops: AsyncDisposableStack): Promise<string> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.defer(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
  // A server that listens on a host and a port has an address with a port.
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}
