import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { ConnectionTimeoutError } from './errors.ts'
import { NO_PROJECT, ProjectPool } from './project-pool.ts'

/** Starts a server that accepts connections and never responds. Returns the URL of a database on it. */
async function startSilentServer(): Promise<string> {
  const sockets: Socket[] = []
  const server = createServer((socket) => void sockets.push(socket.on('error', () => {})))
  server.listen(0, '127.0.0.1')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return `postgres://user@127.0.0.1:${address.port}/database`
}

it('reports the timeout of a new connection like the timeout of a wait for a connection', async () => {
  const pool = new ProjectPool({ url: await startSilentServer(), max: 1, connectTimeoutMs: 50 })
  onTestFinished(() => pool.endAll())
  const attempts = [pool.connectFor(NO_PROJECT), pool.connectFor(NO_PROJECT)]
  for (const attempt of await Promise.allSettled(attempts)) {
    expect(attempt).toMatchObject({ status: 'rejected', reason: expect.any(ConnectionTimeoutError) })
  }
})
