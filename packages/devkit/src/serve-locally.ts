import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What collects the functions that stop what was started, such as `AsyncDisposableStack`. */
export interface Cleanup {
  defer(stop: () => Promise<void>): void
}

/**
 * Starts an HTTP server on 127.0.0.1, and returns its address. Stopping it ends its open connections.
 *
 * @param port Where it listens: a free port by default.
 */
export async function serveLocally(listener: RequestListener, stops: Cleanup, port = 0): Promise<string> {
  const server = createServer(listener)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  stops.defer(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
  // A server that listens on a host and a port has an address with a port.
  const address = server.address() as AddressInfo
  return `http://127.0.0.1:${address.port}`
}
