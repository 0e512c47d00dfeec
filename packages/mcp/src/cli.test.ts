import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { serveLocally } from '@mintmark/devkit/serve-locally'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { connectOver } from './testing/connect.ts'

const program = join(import.meta.dirname, '..', 'dist', 'cli.js')
let stops: AsyncDisposableStack
let stateFile: string
beforeEach(async () => {
  stops = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'mintmark-mcp-'))
  stops.defer(() => rm(folder, { recursive: true }))
  stateFile = join(folder, 'state.sqlite')
})
afterEach(() => stops.disposeAsync())

/** Runs the program until it ends. */
async function run(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { stdout, stderr, status: status as number }
}

it('the program mintmark-mcp is built before it is tested', () => {
  expect(existsSync(program), 'Run npm run build').toBe(true)
})

it('the built program mintmark-mcp serves a client of the official SDK over stdio, with the docstrings of the operations', async () => {
  const envelope = { code: 200, data: { id: 7 }, msg: '', success: true }
  const url = await serveLocally((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(envelope))
  }, stops)
  const env = {
    MINTMARK_GATEWAY_URL: url,
    MINTMARK_API_KEY: 'key',
    MINTMARK_SECRET: 'secret-of-the-gateway',
  }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, '--state', stateFile, '--groups', 'promoCodeCards', '--allow', 'promoCodeCards.update'],
    env,
    stderr: 'pipe',
  })
  const stderr: string[] = []
  transport.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk.toString()))
  const session = await connectOver(transport)
  const { data } = await session.call('describe_operation', { operation: 'promoCodeCards.create' })
  expect(data).toMatchObject({ description: expect.stringContaining('Creates a promo code card') })
  const read = await session.call('promoCodeCards_get', { id: 7 })
  expect(read).toMatchObject({ isError: false, data: { id: 7 } })
  const write = await session.call('promoCodeCards_update', { input: { id: 7, name: 'Two for one' } })
  expect(write).toMatchObject({ isError: false, data: { id: 7 } })
  await session.close()
  expect(stderr.join('')).toBe('')
  expect(existsSync(stateFile)).toBe(true)
})

it('the built program mintmark-mcp prints its help and its version', async () => {
  expect((await run(['--help'])).stdout).toContain('--allow')
  expect((await run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

it.each([
  [[], 'No service is configured'],
  [['--allow', 'order.*'], 'matches no write'],
  [['--unknown'], 'See --help'],
])('the built program mintmark-mcp explains wrong settings on standard error: %j', async (args, message) => {
  const env = {
    MINTMARK_GATEWAY_URL: 'http://127.0.0.1:1',
    MINTMARK_API_KEY: 'key',
    MINTMARK_SECRET: 'secret',
  }
  const { stdout, stderr, status } = await run([...args, '--state', stateFile], args.length === 0 ? {} : env)
  expect(stderr).toContain(`mintmark-mcp: `)
  expect(stderr).toContain(message)
  expect(stderr).not.toContain('    at ')
  expect(stdout).toBe('')
  expect(status).toBe(2)
})
