// What may break between a stock seller, the facilitator and the chain, one thing at a time.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as createSocketServer, type Socket } from 'node:net'

/** A proxy in front of a server, on a free port. */
interface Proxy {
  readonly url: string
  close(): void
}

/** A proxy in front of the facilitator that can lose the answer of each settle it has not lost yet. */
export interface AnswerProxy extends Proxy {
  /**
   * `pass`: every answer arrives. `lose`: the facilitator writes its answer, and the seller's connection ends
   * before it arrives. `hang-up`: the proxy ends both connections as soon as `isReserved` resolves, before
   * the facilitator answers.
   */
  mode: 'pass' | 'lose' | 'hang-up'
}

/** Starts a proxy whose `mode` concerns settles. @param isReserved Resolves when a settle has begun. */
export async function startAnswerProxy(
  target: string,
  isReserved: () => Promise<unknown>,
): Promise<AnswerProxy> {
  const server = createServer((incoming, outgoing) => {
    const mode = incoming.url?.endsWith('/settle') ? proxy.mode : 'pass'
    const forwarded = request(`${target}${incoming.url}`, {
      method: incoming.method,
      headers: incoming.headers,
      agent: false,
    })
    incoming.pipe(forwarded)
    // Both sides may end early, which is what the tests are about.
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('error', () => {})
    forwarded.on('response', (response) => respond(mode, response, outgoing))
    if (mode === 'hang-up') {
      void isReserved().then(() => {
        forwarded.destroy()
        outgoing.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: AnswerProxy = {
    url: urlOf(server.address() as AddressInfo),
    mode: 'pass',
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return proxy
}

function respond(mode: AnswerProxy['mode'], response: IncomingMessage, outgoing: ServerResponse): void {
  if (mode === 'pass') {
    outgoing.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(outgoing)
    return
  }
  response.resume().on('end', () => outgoing.destroy())
}

/** A proxy in front of a node that can stop answering, without an error. */
export interface FreezingNode extends Proxy {
  /** Requests that arrive are kept and not answered. */
  freeze(): void
  /** Answers again, to new connections. */
  thaw(): void
}

export async function startFreezingNode(rpcUrl: string): Promise<FreezingNode> {
  const { hostname, port } = new URL(rpcUrl)
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server = createSocketServer((socket) => {
    const upstream = connect(Number(port), hostname)
    for (const each of [socket, upstream]) {
      sockets.add(each)
      each.on('error', () => {})
      each.on('close', () => sockets.delete(each))
    }
    socket.on('data', (bytes) => isFrozen || upstream.write(bytes))
    upstream.on('data', (bytes) => isFrozen || socket.write(bytes))
    socket.on('close', () => upstream.destroy())
    upstream.on('close', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: urlOf(server.address() as AddressInfo),
    freeze() {
      isFrozen = true
    },
    thaw() {
      isFrozen = false
      destroyAll()
    },
    close() {
      destroyAll()
      server.close()
    },
  }
}

const urlOf = ({ port }: AddressInfo) => `http://127.0.0.1:${port}`
