import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Random } from '@mintmark/devkit/random'

export interface CuttingProxy {
  readonly url: string
  /** The connections that were cut. */
  readonly cuts: () => number
  /** From now on nothing is cut. */
  heal(): void
  close(): Promise<void>
}

/** The most bytes of a response that pass before its connection is cut. */
const MAX_BYTES = 3000
/** A buffering proxy holds responses back until it has this many bytes. */
const BUFFER_BYTES = 700

/**
 * Starts a proxy that connects each caller to one of several servers, cuts connections anywhere in the
 * response, by a reset or by an end, and sometimes passes a response on in large pieces.
 */
export async function startCuttingProxy(ports: readonly number[], random: Random): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  let cuts = 0
  let isHealed = false
  const server = createServer((caller) => {
    const target = connect(random.pick(ports), '127.0.0.1')
    let left = isHealed ? Number.POSITIVE_INFINITY : random.integer(MAX_BYTES)
    const isBuffering = !isHealed && random.chance(0.3)
    const isReset = random.chance(0.5)
    let buffered: Buffer[] = []
    let size = 0
    for (const socket of [caller, target]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      // The other end was cut.
      socket.on('error', () => {})
    }
    caller.pipe(target)
    target.on('data', (chunk: Buffer) => {
      buffered.push(chunk)
      size += chunk.length
      if (isBuffering && size < Math.min(BUFFER_BYTES, left)) return
      const bytes = Buffer.concat(buffered)
      buffered = []
      size = 0
      if (bytes.length < left) {
        left -= bytes.length
        caller.write(bytes)
        return
      }
      cuts += 1
      target.destroy()
      caller.write(bytes.subarray(0, left), () => (isReset ? caller.resetAndDestroy() : caller.destroy()))
    })
    target.on('close', () => caller.end())
    caller.on('close', () => target.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    // A server that listens on a host and a port has an address with a port.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    heal() {
      isHealed = true
      for (const socket of sockets) socket.destroy()
    },
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
