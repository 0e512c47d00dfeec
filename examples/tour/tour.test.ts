import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { serveLocally } from '@mintmark/devkit/serve-locally'
import { afterAll, expect, it } from 'vitest'

const repositoryRoot = resolve(import.meta.dirname, '../..')
const dataDir = mkdtempSync(join(tmpdir(), 'mintmark-tour-'))
const running = new Set<ChildProcess>()
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

/** Returns ports that were free a moment ago. */
async function findFreePorts() {
  await using stops = new AsyncDisposableStack()
  const urls = [1, 2, 3].map(() => serveLocally(() => {}, stops))
  const [GATEWAY_PORT, FACILITATOR_PORT, CHAIN_PORT] = (await Promise.all(urls)).map(
    (url) => new URL(url).port,
  )
  return { GATEWAY_PORT, FACILITATOR_PORT, CHAIN_PORT }
}

const ports = await findFreePorts()

function startTask(file: string, ...parameters: string[]) {
  const { DATABASE_URL: _, SECRET_KEYS: __, ...env } = process.env
  const child = spawn(process.execPath, ['--conditions=@mintmark/source', file, ...parameters], {
    cwd: repositoryRoot,
    env: { ...env, ...ports, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const exited = once(child, 'exit').then(([status]) => {
    running.delete(child)
    return status
  })
  return { child, exited, errors: text(child.stderr) }
}

async function runTour() {
  const { child, exited, errors } = startTask('examples/tour/main.ts', '--json')
  const output = await text(child.stdout)
  expect(await exited, `${output}${await errors}`).toBe(0)
  const lines = output.trim().split('\n')
  return lines.map((line) => JSON.parse(line) as { operation: string; status: number })
}

const SPECIFIED = [
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

it('npm start prints that it is ready, can be toured repeatedly, and ends in order', {
  timeout: 600_000,
}, async () => {
  const { child, exited, errors } = startTask('tools/start/main.ts')
  let output = ''
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += chunk
    if (output.includes('Ready after')) break
  }
  expect(output, child.exitCode === null ? '' : await errors).toContain('Ready after')
  child.stdout.resume()
  const calls = await runTour()
  expect(calls).toHaveLength(56)
  expect(calls.map(({ operation }) => operation)).toContain('eventWebhooks.sendTest')
  const first = calls.slice(0, SPECIFIED.length)
  expect(first.map(({ operation, status }) => [operation, status])).toEqual(SPECIFIED.map((id) => [id, 200]))
  await runTour()
  child.kill('SIGINT')
  expect(await exited).toBe(0)
})

it('npm run tour explains what to start when no server is running', async () => {
  const { exited, errors } = startTask('examples/tour/main.ts')
  expect(await exited).toBe(1)
  expect(await errors).toContain('Run npm start first')
})
