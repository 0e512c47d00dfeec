import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'

const cli = fileURLToPath(new URL('cli.ts', import.meta.url))
const starters = new URL('starters.ts', import.meta.url).href
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  for (const server of servers) server.close()
  return ports
}

async function isServed(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const isConnected = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isConnected
}

/** Runs a program by `npm start`, which prints to a pipe of this process. */
function startByNpm(program: string, env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-npm-'))
  stops.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const start = `"${process.execPath}" --conditions=@mintmark/source ${program}`
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', scripts: { start } }))
  const options = { cwd: folder, env: { ...process.env, DATA_DIR: 'data', ...env } }
  const npm = spawn('npm', ['start'], { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  stops.push(() => npm.kill('SIGTERM'))
  const printed = { text: '' }
  npm.stdout.on('data', (chunk) => {
    printed.text += chunk
  })
  return { npm, printed }
}

it.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
  'a program that npm has started notices that npm was ended by %s',
  async (signal) => {
    const program = `--input-type=module --eval "import { watchStarters } from '${starters}'; watchStarters(() => { console.log('ended'); process.exit() }); setInterval(() => console.log('up'), 100)"`
    const { npm, printed } = startByNpm(program)
    await expect.poll(() => printed.text).toMatch(/^up$/m)
    npm.kill(signal)
    await expect.poll(() => printed.text).toMatch(/^ended$/m)
  },
)

it('the sandbox ends with its servers, chain and database when npm receives SIGTERM', async () => {
  const free = await findFreePorts(3)
  const [GATEWAY_PORT = '', FACILITATOR_PORT = '', CHAIN_PORT = ''] = free.map(String)
  const { npm, printed } = startByNpm(`"${cli}"`, { GATEWAY_PORT, FACILITATOR_PORT, CHAIN_PORT })
  await expect.poll(() => printed.text).toContain('Ready after')
  const [, database] = /PostgreSQL +127\.0\.0\.1:(\d+)/.exec(printed.text) ?? []
  const ports = [...free, Number(database)]
  expect(await Promise.all(ports.map(isServed))).toEqual([true, true, true, true])
  npm.kill('SIGTERM')
  for (const port of ports) await expect.poll(() => isServed(port)).toBe(false)
  expect(printed.text).toContain('Stopping; the data stays.')
})
