import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A name that leads to one server and later to another. */
export interface MovingProxy {
  readonly port: number
  /** Leads new connections to another port. Open ones stay where they are, as after a change of a name. */
  move(port: number): void
  close(): void
}

export async function startMovingProxy(firstPort: number): Promise<MovingProxy> {
  let target = firstPort
  const sockets = new Set<Socket>()
  const server = createServer((caller) => {
    const upstream = connect(target, '127.0.0.1')
    for (const [socket, other] of [
      [caller, upstream],
      [upstream, caller],
    ] as const) {
      sockets.add(socket)
      socket.pipe(other)
      // The other end is closed too.
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    // A server that listens on a port has such an address.
    port: (server.address() as AddressInfo).port,
    move(port) {
      target = port
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
