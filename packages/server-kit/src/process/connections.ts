import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

interface Connection {
  openResponses: number
  /** The response to the newest request. With pipelining, earlier responses are sent before it. */
  newestResponse: ServerResponse | undefined
  /** Whether a response has announced that it is the last one, or the connection was closed for writing. */
  isClosing: boolean
  /** When the last response ended, or later bytes were noticed, by `performance.now`. */
  activeAt: number
  /** `bytesRead` of the socket at that time. */
  bytesRead: number
}

/** How often idle connections are searched while the server closes. */
const SWEEP_MS = 20
/** How long a caller may take to notice that its idle connection was closed. */
const LINGER_MS = 1000

/**
 * The connections of a server. They close without a reset: a response announces it with `Connection: close`,
 * and an idle connection is closed for writing while whatever the caller still sends is received.
 */
export class Connections {
  readonly #connections = new Map<Socket, Connection>()
  #isDraining = false

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => this.#add(socket))
    // Prepended, so that it runs before the application responds.
    server.prependListener('request', ({ socket }, response) => this.#addResponse(socket, response))
  }

  /** Sets whether each response is the last one of its connection. */
  set isDraining(value: boolean) {
    this.#isDraining = value
  }

  /**
   * Whether a request can still be responded to. Otherwise it must have no effect: the caller sent it before
   * it noticed that the connection closes.
   */
  isOpen({ socket }: IncomingMessage): boolean {
    return this.#connections.get(socket)?.isClosing === false
  }

  /** Announces that the connection closes, if the server drains. Call it before the headers are sent. */
  announceClose(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(request.socket)
    if (!this.#isDraining || connection === undefined) return
    // Closing a connection resets it while the caller still sends the body of a refused request, and loses
    // the responses to requests that follow in a pipeline.
    if (!request.complete || connection.newestResponse !== response) return
    connection.isClosing = true
    response.shouldKeepAlive = false
  }

  /** Closes connections once they are idle for `idleMs`. Resolves when none is left. */
  async closeIdle(idleMs: number): Promise<void> {
    while (this.#connections.size > 0) {
      for (const [socket, connection] of this.#connections) closeIfIdle(socket, connection, idleMs)
      await sleep(SWEEP_MS)
    }
  }

  #add(socket: Socket): void {
    this.#connections.set(socket, {
      openResponses: 0,
      newestResponse: undefined,
      isClosing: false,
      activeAt: performance.now(),
      bytesRead: 0,
    })
    socket.once('close', () => this.#connections.delete(socket))
  }

  #addResponse(socket: Socket, response: ServerResponse): void {
    const connection = this.#connections.get(socket)
    // Nothing more is sent on a connection that closes.
    if (connection === undefined || connection.isClosing) return
    connection.openResponses += 1
    connection.newestResponse = response
    response.once('close', () => {
      connection.openResponses -= 1
      connection.activeAt = performance.now()
      connection.bytesRead = socket.bytesRead
    })
  }
}

function closeIfIdle(socket: Socket, connection: Connection, idleMs: number): void {
  const now = performance.now()
  // Whatever arrived after the last response can be part of a request.
  if (socket.bytesRead !== connection.bytesRead) {
    connection.bytesRead = socket.bytesRead
    connection.activeAt = now
  }
  const quietMs = now - connection.activeAt
  if (connection.openResponses > 0) return
  if (socket.writableEnded) {
    if (quietMs >= LINGER_MS) socket.destroy()
  } else if (quietMs >= idleMs) {
    connection.isClosing = true
    connection.activeAt = now
    socket.end()
  }
}
