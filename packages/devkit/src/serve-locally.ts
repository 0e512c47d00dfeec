import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What collects functions that stop something, such as an `AsyncDisposableStack`. */
export interface StopFunctions {
  defer(stop: () => Promise<void>): void
}

/**
 * Starts an HTTP server on this machine, and returns its address.
 *
 * @param port Default: any free port.
 */
export async function serveLocally(
  listener: RequestListener,
  stops: StopFunctions,
  port = 0,
): Promise<string> {
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
