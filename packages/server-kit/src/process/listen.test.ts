import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { Hono } from 'hono'
import { afterEach, describe, expect, it } from 'vitest'
import { ConfigurationError } from './environment.ts'
import { type Listening, type ListenOptions, listen, urlOf } from './listen.ts'

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
  let came = () => {}
  const arrived = new Promise<void>((resolve) => {
    came = resolve
  })
  const app = new Hono()
  app.get('/quick', (context) => context.text('quick'))
  app.get('/slow', async (context) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      came()
    })
    return context.text('slow, and whole')
  })
  return { app, arrived, letGo: () => waiting.splice(0).forEach((go) => void go()) }
}

const answer = (call: ClientRequest) =>
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

describe('closing', () => {
  it('completes the call in progress and refuses new ones, on new and on kept-alive connections', async () => {
    const { app, arrived, letGo } = slowApp()
    const { url, close } = await start(app)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const slow = answer(request(`${url}/slow`, { agent }))
    await arrived
    let closed = false
    const closing = close().then(() => {
      closed = true
    })
    await expect(fetch(`${url}/quick`)).rejects.toThrow()
    // Waits for the one connection, and must not be served on it afterwards.
    const queued = answer(request(`${url}/quick`, { agent }))
    expect(closed).toBe(false)
    letGo()
    const { text, headers } = await slow
    expect(text).toBe('slow, and whole')
    expect(headers.connection).toBe('close')
    await expect(queued).rejects.toThrow()
    await closing
    agent.destroy()
  })

  it('does not wait for connections that lie idle', async () => {
    const { app } = slowApp()
    const { url, close } = await start(app)
    const agent = new Agent({ keepAlive: true })
    expect((await answer(request(`${url}/quick`, { agent }))).text).toBe('quick')
    await close()
    agent.destroy()
  })

  it('ends calls that take longer than the grace', async () => {
    const { app, arrived } = slowApp()
    const { url, close } = await start(app)
    const slow = answer(request(`${url}/slow`))
    const outcome = expect(slow).rejects.toThrow()
    await arrived
    await close(50)
    await outcome
  })
})

describe('listening', () => {
  it('reports that the port is in use', async () => {
    const { port } = await start(new Hono())
    const second = listen(new Hono(), { port })
    await expect(second).rejects.toThrow(ConfigurationError)
    await expect(second).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use. Choose another one`)
  })

  it('survives what is no HTTP', async () => {
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
  ])('on %s is reached at %s', (host, url) => {
    expect(urlOf(host, 4000)).toBe(url)
  })
})

describe('an application that has to know its address', () => {
  it('receives its URL with the selected port, and calls wait until it is created', async () => {
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

  it('leaves nothing listening when it cannot be made', async () => {
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
})

describe('a slow or greedy caller', () => {
  /** Sends a text over a connection of its own; resolves with all that came back once the connection is closed. */
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

  it('is 408, and its connection closed, when its headers take too long', async () => {
    const { port } = await start(new Hono(), 0, { headersTimeoutMs: 50, requestTimeoutMs: 100 })
    expect(await exchange(port, 'GET /quick HTTP/1.1\r\nhost: here\r\n')).toMatch(/^HTTP\/1.1 408 /)
  })

  it('is 408, and its connection closed, when its body takes too long', async () => {
    const app = new Hono()
    app.post('/', async (context) => context.text(await context.req.text()))
    const { port } = await start(app, 0, { headersTimeoutMs: 50, requestTimeoutMs: 100 })
    const head = 'POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 10\r\n\r\n'
    expect(await exchange(port, `${head}half`)).toMatch(/^HTTP\/1.1 408 /)
  })

  it('gets no connection beyond the most that are allowed', async () => {
    const { app, arrived, letGo } = slowApp()
    const { url, port } = await start(app, 0, { maxConnections: 1 })
    const slow = answer(request(`${url}/slow`))
    await arrived
    expect(await exchange(port, 'GET /quick HTTP/1.1\r\nhost: here\r\n\r\n')).toBe('')
    letGo()
    expect((await slow).text).toBe('slow, and whole')
  })
})
