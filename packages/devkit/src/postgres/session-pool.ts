import { once } from 'node:events'
import { type AddressInfo, createServer, Socket } from 'node:net'
import pg from 'pg'

/** A pool of sessions between clients and PostgreSQL, which behaves like PgBouncer. */
export interface SessionPool {
  /** Connection string of the same database through the pool. */
  readonly url: string
  close(): Promise<void>
}

export interface SessionPoolOptions {
  /** Connection string of PostgreSQL. */
  readonly url: string
  /** How long a client keeps a session: until it disconnects, or until its transaction ends. */
  readonly mode: 'session' | 'transaction'
  /** Most sessions. Clients wait for one without a limit of time. */
  readonly size: number
  /** Which free session is used next. Default: the one that was returned last. */
  readonly order?: 'newest' | 'oldest'
}

interface Session {
  readonly socket: Socket
  client: Client | undefined
}

interface Client {
  readonly socket: Socket
  session: Session | undefined
  /** Messages that wait for a session. */
  readonly waiting: Buffer[]
  /** Requests without a final response. */
  open: number
  /** Whether the last response was sent outside a transaction. */
  isIdle: boolean
}

/** The startup parameters that PgBouncer accepts. */
const STARTUP_PARAMETERS = new Set(['user', 'database', 'client_encoding', 'application_name'])

/** Starts a pool that signs in at PostgreSQL by `url` and accepts every client without a password. */
export async function startSessionPool(options: SessionPoolOptions): Promise<SessionPool> {
  const pool = new Pool(options)
  const server = createServer((socket) => pool.accept(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(options.url)
  // A server that listens on a host and a port has an address with a port.
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    async close() {
      const closed = once(server, 'close')
      server.close()
      await pool.close()
      await closed
    },
  }
}

class Pool {
  readonly #options: SessionPoolOptions
  readonly #free: Session[] = []
  readonly #queue: Client[] = []
  readonly #sockets = new Set<Socket>()
  #sessions = 0

  constructor(options: SessionPoolOptions) {
    this.#options = options
  }

  accept(socket: Socket): void {
    this.#track(socket)
    const client: Client = { socket, session: undefined, waiting: [], open: 0, isIdle: true }
    socket.once('data', (startup: Buffer) => {
      const refused = listParameters(startup).find((name) => !STARTUP_PARAMETERS.has(name))
      if (refused !== undefined) {
        socket.end(frame('E', `SFATAL\0C08P01\0Munsupported startup parameter: ${refused}\0\0`))
        return
      }
      socket.write(Buffer.concat([frame('R', '\0\0\0\0'), frame('K', 'no-one\0\0'), frame('Z', 'I')]))
      socket.on(
        'data',
        splitMessages((message) => this.#send(client, message)),
      )
    })
    socket.on('close', () => this.#disconnect(client))
  }

  async close(): Promise<void> {
    const closed = [...this.#sockets].map((socket) => once(socket, 'close'))
    for (const socket of this.#sockets) socket.destroy()
    await Promise.all(closed)
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    // The other end is gone.
    socket.on('error', () => {})
  }

  #send(client: Client, message: Buffer): void {
    const type = String.fromCharCode(message[0] ?? 0)
    if (type === 'X') return void client.socket.end()
    // The response to a query or a Sync ends with ReadyForQuery.
    if (type === 'Q' || type === 'S') client.open += 1
    if (client.session !== undefined) return void client.session.socket.write(message)
    client.waiting.push(message)
    if (client.waiting.length === 1) this.#lend(client)
  }

  #lend(client: Client): void {
    const session = this.#options.order === 'oldest' ? this.#free.shift() : this.#free.pop()
    if (session !== undefined) {
      this.#use(session, client)
      return
    }
    this.#queue.push(client)
    this.#grow()
  }

  #grow(): void {
    if (this.#queue.length === 0 || this.#sessions >= this.#options.size) return
    this.#sessions += 1
    void this.#open()
  }

  #use(session: Session, client: Client): void {
    session.client = client
    client.session = session
    session.socket.write(Buffer.concat(client.waiting.splice(0)))
  }

  async #open(): Promise<void> {
    // pg connects it.
    const socket = new Socket()
    this.#track(socket)
    const signIn = new pg.Client({ connectionString: this.#options.url, stream: () => socket })
    signIn.on('error', () => {})
    await signIn.connect()
    // From here on the bytes belong to the clients.
    socket.removeAllListeners('data')
    const session: Session = { socket, client: undefined }
    socket.on(
      'data',
      splitMessages((message) => this.#receive(session, message)),
    )
    this.#release(session)
  }

  #receive(session: Session, message: Buffer): void {
    const { client } = session
    const isReady = message[0] === 'Z'.charCodeAt(0)
    if (client === undefined) {
      // The session of a client that left is clean.
      if (isReady) this.#release(session)
      return
    }
    client.socket.write(message)
    if (!isReady) return
    client.open -= 1
    client.isIdle = client.open === 0 && message[5] === 'I'.charCodeAt(0)
    if (this.#options.mode === 'session' || !client.isIdle) return
    client.session = undefined
    session.client = undefined
    this.#release(session)
  }

  #release(session: Session): void {
    const next = this.#queue.shift()
    if (next === undefined) this.#free.push(session)
    else this.#use(session, next)
  }

  #disconnect(client: Client): void {
    const at = this.#queue.indexOf(client)
    if (at >= 0) this.#queue.splice(at, 1)
    const { session } = client
    if (session === undefined) return
    client.session = undefined
    session.client = undefined
    if (client.isIdle && client.open === 0) return void session.socket.write(frame('Q', 'DISCARD ALL\0'))
    session.socket.destroy()
    this.#sessions -= 1
    this.#grow()
  }
}

function frame(type: string, body: string): Buffer {
  const header = Buffer.alloc(5)
  header.write(type)
  header.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([header, Buffer.from(body, 'latin1')])
}

/** Calls back with each message of a stream: a type, a length and a body. */
function splitMessages(onMessage: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5) {
      const length = rest.readInt32BE(1) + 1
      if (rest.length < length) return
      const message = rest.subarray(0, length)
      rest = rest.subarray(length)
      onMessage(message)
    }
  }
}

/** Lists the names in a startup message: a length, a version, then names and values. */
function listParameters(startup: Buffer): string[] {
  const texts = startup.subarray(8).toString('latin1').split('\0')
  return texts.filter((text, at) => at % 2 === 0 && text !== '')
}
