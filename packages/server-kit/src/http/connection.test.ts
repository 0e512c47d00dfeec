import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Hono } from 'hono'
import { afterEach, expect, it } from 'vitest'
import { type Listening, listen } from '../process/listen.ts'
import { trackConnection } from './connection.ts'

const open: Listening[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close(0)
})

/** Calls a server whose handler does `work`, and records whether its response was undelivered. */
async function call(size: number, work: (socket: Socket) => Promise<{ hasFailed: boolean }>) {
  const sent = Promise.withResolvers<Socket>()
  const recorder = { undelivered: 0 }
  const ended = Promise.withResolvers<void>()
  const app = new Hono()
  app.get('/', async (context) => {
    const connection = trackConnection(context, 0)
    connection.onUndelivered(() => {
      recorder.undelivered += 1
    })
    connection.onEnd(() => ended.resolve())
    connection.finish(await work(await sent.promise))
    return context.text('x'.repeat(size))
  })
  const listening = await listen(app, { port: 0 })
  open.push(listening)
  const socket = connect(listening.port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write('GET / HTTP/1.1\r\nhost: test\r\n\r\n')
  sent.resolve(socket)
  return { socket, recorder, ended: ended.promise }
}

const HUGE = 64 * 1024 * 1024

it('reports a response as undelivered if the caller was gone before it was written', async () => {
  for (const leave of [(socket: Socket) => socket.destroy(), (socket: Socket) => socket.resetAndDestroy()]) {
    const { ended, recorder } = await call(10, async (socket) => {
      leave(socket)
      await once(socket, 'close')
      // The server notices it in one of the next turns of the event loop.
      await new Promise((resolve) => setTimeout(resolve, 50))
      return { hasFailed: false }
    })
    await ended
    expect(recorder.undelivered).toBe(1)
  }
})

it('reports a response as undelivered if the call failed', async () => {
  const { socket, ended, recorder } = await call(10, async () => ({ hasFailed: true }))
  await once(socket, 'data')
  socket.destroy()
  await ended
  expect(recorder.undelivered).toBe(1)
})

it('does not report a response that was written, whether or not the caller reads it', async () => {
  const { socket, ended, recorder } = await call(10, async () => ({ hasFailed: false }))
  await once(socket, 'readable')
  socket.resetAndDestroy()
  await ended
  expect(recorder.undelivered).toBe(0)
})

it('does not report a response of which a part was written before the connection was reset', async () => {
  const { socket, ended, recorder } = await call(HUGE, async () => ({ hasFailed: false }))
  await once(socket, 'readable')
  expect(socket.bytesRead).toBeLessThan(HUGE)
  socket.resetAndDestroy()
  await ended
  expect(recorder.undelivered).toBe(0)
})
