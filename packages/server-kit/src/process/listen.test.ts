import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { Hono } from 'hono'
import { afterEach, expect, it } from 'vitest'
import { formatUrl, type Listening, type ListenOptions, listen } from './listen.ts'

const open: Listening[] = []
async function start(app: Hono, port = 0, limits: Omit<ListenOptions, 'port'> = {}): Promise<Listening> {
  const listening = await listen(app, { port, ...limits })
  open.push(listening)
  return listening
}
afterEach(async () => {
  for (const each of open.splice(0)) await each.close(0)
})

/** An application whose calls to `/slow` wait until they are released. */
function slowApp() {
  const waiting: (() => void)[] = []
  let reportArrival = () => {}
  const arrived = new Promise<void>((resolve) => {
    reportArrival = resolve
  })
  const app = new Hono()
  app.get('/quick', (context) => context.text('quick'))
  app.get('/slow', async (context) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      reportArrival()
    })
    return context.text('slow, but complete')
  })
  return { app, arrived, releaseCalls: () => waiting.splice(0).forEach((go) => void go()) }
}

const receive = (call: ClientRequest) =>
  new Promise<{ text: string; headers: IncomingMessage['headers'] }>((resolve, reject) => {
    call.on('error', reject)
    call.on('response', (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ text, headers: response.headers }))
      response.on('error', reject)
    })
    call.end()
  })

it('closing a server completes calls in progress and rejects new ones, on new and on keep-alive connections', async () => {
  const { app, arrived, releaseCalls } = slowApp()
  const { url, close } = await start(app)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const slow = receive(request(`${url}/slow`, { agent }))
  await arrived
  let closed = false
  const closing = close().then(() => {
    closed = true
  })
  await expect(fetch(`${url}/quick`)).rejects.toThrow()
  // Waits for the one connection, and must not be served on it afterwards.
  const queued = receive(request(`${url}/quick`, { agent }))
  expect(closed).toBe(false)
  releaseCalls()
  const { text, headers } = await slow
  expect(text).toBe('slow, but complete')
  expect(headers.connection).toBe('close')
  await expect(queued).rejects.toThrow()
  await closing
  agent.destroy()
})

it('closing a server ends calls that exceed the grace period', async () => {
  const { app, arrived } = slowApp()
  const { url, close } = await start(app)
  const slow = receive(request(`${url}/slow`))
  const outcome = expect(slow).rejects.toThrow()
  await arrived
  await close(50)
  await outcome
})

/** Sends bytes over a connection of its own, as soon as it is connected. */
function connectTo(port: number, text = '') {
  const socket = connect(port, '127.0.0.1', () => void socket.write(text))
  const connection = { socket, received: '', error: undefined as Error | undefined }
  socket.on('data', (chunk) => {
    connection.received += chunk
  })
  socket.on('error', (error) => {
    connection.error = error
  })
  return connection
}

const QUICK = 'GET /quick HTTP/1.1\r\nhost: here\r\n\r\n'

it('draining a server resets none of the calls of 64 connections, and refuses only connections', async () => {
  const app = new Hono()
  let served = 0
  app.post('/', async (context) => {
    served += 1
    return context.text(await context.req.text())
  })
  const { url, drain, close } = await start(app)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  let answered = 0
  const failures: unknown[] = []
  async function callUntilFailure(caller: number): Promise<void> {
    for (let call = 0; ; call++) {
      try {
        const headers = { 'content-type': 'text/plain' }
        const sent = request(url, { agent, method: 'POST', headers })
        sent.write(`${caller}:${call}`)
        expect((await receive(sent)).text).toBe(`${caller}:${call}`)
        answered += 1
      } catch (error) {
        failures.push(error)
        return
      }
    }
  }
  const callers = Array.from({ length: 64 }, (_, caller) => callUntilFailure(caller))
  await expect.poll(() => answered).toBeGreaterThan(640)
  const before = answered
  await drain({ delayMs: 50, idleMs: 1000 })
  await Promise.all(callers)
  await close()
  expect(before).toBeLessThan(answered)
  expect(new Set(failures.map((error) => (error as NodeJS.ErrnoException).code))).toEqual(
    new Set(['ECONNREFUSED']),
  )
  expect(answered).toBe(served)
  agent.destroy()
})

it('draining a server still accepts connections during the delay, and closes each with its response', async () => {
  const { url, drain } = await start(slowApp().app)
  const draining = drain({ delayMs: 1000, idleMs: 0 })
  const { text, headers } = await receive(request(`${url}/quick`, { agent: new Agent({ keepAlive: true }) }))
  expect([text, headers.connection]).toEqual(['quick', 'close'])
  await draining
  await expect(fetch(`${url}/quick`)).rejects.toThrow()
})

it('draining a server responds to a call on a connection that was idle, after the listener has closed', async () => {
  const { url, port, drain, close } = await start(slowApp().app)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  await receive(request(`${url}/quick`, { agent }))
  const unused = connectTo(port)
  await once(unused.socket, 'connect')
  await drain({ delayMs: 0, idleMs: 60_000 })
  const closing = close()
  const { text, headers } = await receive(request(`${url}/quick`, { agent }))
  expect([text, headers.connection]).toEqual(['quick', 'close'])
  unused.socket.write(QUICK)
  await once(unused.socket, 'end')
  expect(unused.received).toMatch(/^HTTP\/1.1 200 OK\r\n.*connection: close.*quick$/is)
  await closing
  agent.destroy()
})

it('draining a server closes an idle connection without a reset, and runs nothing that arrives later', async () => {
  let calls = 0
  const app = new Hono()
  app.get('/quick', (context) => {
    calls += 1
    return context.text('quick')
  })
  const { port, drain, close } = await start(app)
  const connection = connectTo(port, QUICK)
  await expect.poll(() => connection.received).toContain('quick')
  // Keeps its side open, as a caller does whose next call crosses the close.
  connection.socket.allowHalfOpen = true
  await drain({ delayMs: 0, idleMs: 0 })
  const closing = close()
  await once(connection.socket, 'end')
  connection.socket.write(QUICK)
  await closing
  expect([calls, connection.error]).toEqual([1, undefined])
})

it('draining a server responds to all calls of a pipeline, and announces the close with the last one', async () => {
  const { app, arrived, releaseCalls } = slowApp()
  const { port, drain, close } = await start(app)
  const connection = connectTo(port, `${QUICK.replace('quick', 'slow')}${QUICK}`)
  await arrived
  await drain({ delayMs: 0, idleMs: 0 })
  const closing = close()
  releaseCalls()
  await once(connection.socket, 'end')
  expect(connection.received.match(/^connection: .*$/gim)).toEqual([
    'Connection: keep-alive',
    'Connection: close',
  ])
  expect(connection.received).toMatch(/slow, but complete.*quick$/s)
  await closing
})

it('draining a server does not reset a caller that still sends the body of a refused call', async () => {
  const app = slowApp().app.post('/', (context) => context.text('refused', 401))
  const { port, drain, close } = await start(app)
  const unused = connectTo(port)
  await once(unused.socket, 'connect')
  await drain({ delayMs: 0, idleMs: 60_000 })
  const closing = close()
  const half = 'x'.repeat(50_000)
  unused.socket.write(`POST / HTTP/1.1\r\nhost: here\r\ncontent-length: ${2 * half.length}\r\n\r\n${half}`)
  await expect.poll(() => unused.received).toContain('refused')
  expect(unused.received).toMatch(/connection: keep-alive/i)
  unused.socket.write(half + QUICK)
  await once(unused.socket, 'end')
  expect(unused.received).toMatch(/connection: close.*quick$/is)
  await closing
  expect(unused.error).toBe(undefined)
})

it('a listening server survives invalid HTTP', async () => {
  const { url, port } = await start(new Hono().get('/', (context) => context.text('here')))
  for (const bytes of [
    'nonsense\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a b\r\n\r\n',
    'GET http://[ HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET \\..\\ HTTP/1.1\r\nHost: a\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
  ]) {
    const status = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1')
      })
      socket.on('error', () => resolve('ended'))
      socket.on('close', () => resolve(text.slice(9, 12) || 'ended'))
    })
    expect(['400', '404', '431', 'ended'], bytes.slice(0, 60)).toContain(status)
  }
  expect(await (await fetch(url)).text()).toBe('here')
})

it.each([
  ['127.0.0.1', 'http://127.0.0.1:4000'],
  ['0.0.0.0', 'http://127.0.0.1:4000'],
  ['::', 'http://[::1]:4000'],
  ['::1', 'http://[::1]:4000'],
  ['gateway.internal', 'http://gateway.internal:4000'],
])('a listening server on host %s has the URL %s', (host, url) => {
  expect(formatUrl(host, 4000)).toBe(url)
})

it('an application that is created from its URL receives its URL with the selected port, and calls wait until it is created', async () => {
  let early: Promise<Response> | undefined
  const listening = await listen(
    async (url) => {
      early = fetch(url)
      await new Promise((resolve) => setTimeout(resolve, 50))
      return new Hono().get('/', (context) => context.text(url))
    },
    { port: 0 },
  )
  open.push(listening)
  expect(listening.port).toBeGreaterThan(0)
  expect(await (await early)?.text()).toBe(listening.url)
  expect(await (await fetch(listening.url)).text()).toBe(listening.url)
})

it('an application that is created from its URL stops the server when it cannot be created', async () => {
  let reached = ''
  const failing = listen(
    async (url) => {
      reached = url
      throw new Error('no database')
    },
    { port: 0 },
  )
  await expect(failing).rejects.toThrow('no database')
  await expect(fetch(reached)).rejects.toThrow()
})

/**
 * Sends a text over a new connection, and resolves with everything that was received when the connection is
 * closed.
 */
const exchange = (port: number, text: string) =>
  new Promise<string>((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => void socket.write(text))
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })

it('a slow or excessive caller receives 408 and is disconnected when its headers take too long', async () => {
  const { port } = await start(new Hono(), 0, { headersTimeoutMs: 50, requestTimeoutMs: 100 })
  expect(await exchange(port, 'GET /quick HTTP/1.1\r\nhost: here\r\n')).toMatch(/^HTTP\/1.1 408 /)
})

it('a slow or excessive caller receives 408 and is disconnected when its body takes too long', async () => {
  const app = new Hono()
  app.post('/', async (context) => context.text(await context.req.text()))
  const { port } = await start(app, 0, { headersTimeoutMs: 50, requestTimeoutMs: 100 })
  const head = 'POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 10\r\n\r\n'
  expect(await exchange(port, `${head}half`)).toMatch(/^HTTP\/1.1 408 /)
})
