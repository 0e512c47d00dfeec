import { once } from 'node:events'
import { connect } from 'node:net'
import { type Listening, listen } from '@mintmark/server-kit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../src/testing/gateway.ts'
import { readResponse } from '../src/testing/raw-client.ts'
import { callOf, statedOperations } from '../src/testing/stated-operations.ts'

let gateway: TestGateway
let listening: Listening
beforeAll(async () => {
  gateway = await testGateway()
  listening = await listen(gateway.app, { port: 0 })
})
afterAll(async () => {
  await listening.close()
  await gateway.close()
})

const MIB = 1024 * 1024
const path = '/api/v1/card/promoCodeCards/create'
const at = (place: string) => `${listening.url}${place}`

function failures(): string[] {
  return gateway.logged.filter((line) => JSON.parse(line).level >= 40)
}

it('reads a signed body to its last byte', async () => {
  const create = statedOperations.find((operation) => operation.path === path)
  if (!create) throw new Error('operation 2 is not listed')
  const { headers } = gateway.key.request(callOf(create, create.valid))
  const response = await fetch(at(path), { method: 'POST', headers, body: JSON.stringify(create.valid) })
  expect(response.status).toBe(200)
  expect(response.headers.get('date')).not.toBeNull()
})

it('refuses a body that is announced as too large before it came', async () => {
  const { port } = listening
  const socket = connect(port, '127.0.0.1')
  socket.write(`POST ${path} HTTP/1.1\r\nHost: gateway.test\r\nContent-Length: ${2 * MIB}\r\n\r\n{"name":`)
  const [chunk] = await once(socket, 'data')
  expect(String(chunk)).toMatch(/^HTTP\/1\.1 413 /)
  expect(String(chunk)).toContain(
    '{"code":413,"data":{},"msg":"The body is larger than 1048576 bytes","success":false}',
  )
  socket.destroy()
})

it('refuses a body that is too large by its length, and one of unknown length without a key', async () => {
  const large = new Uint8Array(2 * MIB).fill(0x20)
  const announced = await fetch(at(path), { method: 'POST', body: large })
  expect(announced.status).toBe(413)
  const stream = new Blob([large]).stream()
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body: stream, duplex: 'half' }
  // A body of unknown length is not read without a valid key.
  const chunked = await readResponse(await fetch(at(path), init))
  expect(chunked.status).toBe(401)
  expect(chunked.json).toMatchObject({ code: 401, success: false })
})

it('refuses a body on a GET, and serves the next call on the connection', async () => {
  const socket = connect(listening.port, '127.0.0.1')
  socket.write(
    'GET /api/v1/wallet/walletInfo HTTP/1.1\r\nHost: gateway.test\r\nContent-Length: 2\r\n\r\n{}' +
      'GET /health HTTP/1.1\r\nHost: gateway.test\r\nConnection: close\r\n\r\n',
  )
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'close')
  expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['400', '200'])
})

it('takes a caller who hangs up in the middle for what they are: no failure of its own', async () => {
  for (const announced of ['Content-Length: 1000', 'Transfer-Encoding: chunked']) {
    const before = gateway.logged.length
    const socket = connect(listening.port, '127.0.0.1')
    socket.write(`POST ${path} HTTP/1.1\r\nHost: gateway.test\r\n${announced}\r\n\r\n`)
    socket.write('5\r\n{"nam\r\n', () => setTimeout(() => socket.destroy(), 20))
    await once(socket, 'close')
    while (gateway.logged.length === before) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  expect(failures()).toEqual([])
  expect((await fetch(at('/health'))).status).toBe(200)
})
