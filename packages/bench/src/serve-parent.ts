import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Serves on a free port, sends the port to the parent process, and ends with it. */
export function serveParent(listener: RequestListener): void {
  const server = createServer(listener)
  // Longer than the pauses of a benchmark: a connection that is closed during a request would count as a
  // failed request.
  server.keepAliveTimeout = 120_000
  server.listen(0, '127.0.0.1', () => {
    // A server on a host and port has an address with a port.
    process.send?.((server.address() as AddressInfo).port)
  })
  process.on('disconnect', () => process.exit())
}

/** The processor seconds that this process has used. */
export function getCpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
