import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, onTestFailed } from 'vitest'
import { repositoryRoot } from '../workspace.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'mintmark-start-'))
const running = new Set<ChildProcess>()

async function freePort(): Promise<string> {
  return await new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(String(port)))
    })
  })
}

const ports = {
  GATEWAY_PORT: await freePort(),
  FACILITATOR_PORT: await freePort(),
  CHAIN_PORT: await freePort(),
}

function task(file: string, ...args: string[]) {
  const { DATABASE_URL: _, SECRET_KEYS: __, ...env } = process.env
  const child = spawn(process.execPath, ['--conditions=@mintmark/source', join('tools', file), ...args], {
    cwd: repositoryRoot,
    env: { ...env, ...ports, DATA_DIR: dataDir },
  })
  running.add(child)
  let output = ''
  onTestFailed(() => console.error(`${file} printed:\n${output}`))
  const heard = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      for (const look of heard) look()
    })
  }
  const exited = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => {
      running.delete(child)
      for (const look of heard) look()
      resolve(code)
    }),
  )
  return {
    exited,
    output: () => output,
    stop: () => child.kill('SIGINT'),
    /** Waits until the text was printed; the process may not end before. */
    async said(text: string) {
      await new Promise<void>((resolve, reject) => {
        const look = () => {
          if (output.includes(text)) resolve()
          else if (child.exitCode !== null) reject(new Error(`it ended without "${text}":\n${output}`))
        }
        heard.add(look)
        look()
      })
    },
  }
}

async function tour() {
  const run = task('tour/main.ts', '--json')
  expect(await run.exited, run.output()).toBe(0)
  return run
    .output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { operation: string; status: number; data: { transaction?: string } })
}

afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

const stated = [
  'walletInfo.get',
  'promoCodeCards.create',
  'promoCodeCards.get',
  'eventCards.create',
  'productCards.addNftInfo',
  'orders.payOrder',
  'contracts.get',
  'commemorativeCards.listByCreator',
  'payments.settle',
]

it('starts, is toured, stops, and finds everything again', { timeout: 600_000 }, async () => {
  const first = task('start/main.ts')
  await first.said('Ready after')
  const credentials = readFileSync(join(dataDir, 'credentials.json'), 'utf8')
  const calls = await tour()
  expect(calls.slice(0, 9).map(({ operation, status }) => [operation, status])).toEqual(
    stated.map((id) => [id, 200]),
  )
  first.stop()
  expect(await first.exited).toBe(0)

  const second = task('start/main.ts')
  await second.said('Ready after')
  // All but the order: the tour has paid it, and another one waits.
  const withoutOrder = (text: string) => text.replace(/"orderNo": "\w+"/, '')
  const found = readFileSync(join(dataDir, 'credentials.json'), 'utf8')
  expect(withoutOrder(found)).toBe(withoutOrder(credentials))
  // The settlement of the first start is still on the chain.
  const { chain } = JSON.parse(credentials) as { chain: { rpcUrl: string } }
  const settled = calls.find(({ operation }) => operation === 'payments.settle')?.data.transaction
  const answer = await fetch(chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [settled] }),
  })
  expect(await answer.json()).toMatchObject({ result: { status: '0x1' } })
  await tour()
  second.stop()
  expect(await second.exited).toBe(0)
})

it('the tour explains what to start when no server is running', { timeout: 60_000 }, async () => {
  const run = task('tour/main.ts')
  expect(await run.exited).toBe(1)
  expect(run.output()).toContain('Run npm start first')
})
