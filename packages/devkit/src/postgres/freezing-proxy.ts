import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Starts a proxy to the database that can stop passing on what its open connections send, without an error. */
export async function startFreezingProxy(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl)
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    const upstream = connect(Number(port) || 5432, hostname)
    sockets.push(socket, upstream)
    for (const each of [socket, upstream]) each.on('error', () => {})
    socket.pipe(upstream)
    upstream.pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    freeze() {
      for (const socket of sockets) socket.unpipe().pause()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
