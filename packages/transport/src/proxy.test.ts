import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { findUnusedAddress } from '../testdata/misbehaving-server.ts'

const run = promisify(execFile)
const PROGRAM = `
  import { callPath, createGateway, readGatewayOptions } from '${new URL('index.ts', import.meta.url).href}'
  const gateway = createGateway({ ...readGatewayOptions(), retries: 0, timeout: 20_000 })
  const answer = await callPath(gateway, { method: 'GET', path: '/x' }).catch(({ kind }) => ({ data: kind }))
  console.log(answer.data)
`

it('a client calls through the proxy of the environment with NODE_USE_ENV_PROXY, and not for hosts of NO_PROXY', async () => {
  const tunnels: (string | undefined)[] = []
  const proxy = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.setHeader('connection', 'close')
    response.end(JSON.stringify({ code: 200, data: 'reached', msg: '', success: true }))
  }).listen(0, '127.0.0.1')
  proxy.on('connect', ({ url }, socket) => {
    tunnels.push(url)
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    // What is sent through the tunnel is answered here.
    proxy.emit('connection', socket)
  })
  onTestFinished(() => void proxy.close())
  await once(proxy, 'listening')
  // Nobody listens there.
  const baseUrl = await findUnusedAddress()
  const env = {
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    MINTMARK_GATEWAY_URL: baseUrl,
    MINTMARK_API_KEY: 'mk_test',
    MINTMARK_SECRET: 'sk_test',
  }
  async function call(more: Record<string, string>): Promise<string> {
    const parameters = ['--conditions=@mintmark/source', '--input-type=module', '--eval', PROGRAM]
    const { stdout } = await run(process.execPath, parameters, { env: { ...env, ...more }, timeout: 60_000 })
    return stdout.trim()
  }
  expect(await call({})).toBe('reached')
  expect(tunnels).toEqual([new URL(baseUrl).host])
  expect(await call({ NO_PROXY: '127.0.0.1' })).toBe('Network')
  expect(tunnels).toHaveLength(1)
})
