import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCredentials } from '@mintmark/sandbox'
import { expect, it } from 'vitest'
import { tourOrders } from '../../examples/tour/orders.ts'
import { createTour } from '../../examples/tour/tour.ts'
import { run } from '../run.ts'
import { repositoryRoot } from '../workspace.ts'
import { publishRelease } from './rehearsal.ts'
import { runSandbox, type SandboxCommand } from './sandbox.ts'

/** Measures work in seconds. */
async function measure<Result>(work: () => Promise<Result>): Promise<{ result: Result; seconds: number }> {
  const startedAt = performance.now()
  const result = await work()
  return { result, seconds: (performance.now() - startedAt) / 1000 }
}

/** The first program of the README, with the credentials of the sandbox. */
function getFirstProgram(): string {
  const readme = readFileSync(join(repositoryRoot, 'README.md'), 'utf8')
  const [, code] = /^```ts\n([\s\S]*?)^```$/m.exec(readme) ?? []
  if (code === undefined) throw new Error('The README has no program')
  return `import { readFileSync } from 'node:fs'
const { gateway: { baseUrl, apiKey, secret } } = JSON.parse(readFileSync('.mintmark/credentials.json', 'utf8'))
${code}`
}

/** Places an order and pays it, as the tour does. */
async function payFirstOrder(dataDir: string): Promise<void> {
  const stored = await readCredentials(dataDir)
  if (stored?.demo === undefined) throw new Error('The sandbox has no demo data')
  const report = {
    title() {},
    response() {},
    failure(_: unknown, error: unknown) {
      throw error
    },
    end() {},
  }
  await tourOrders(createTour({ ...stored, demo: stored.demo }, dataDir, report))
}

it('a new user gets from an empty folder to a paid order', { timeout: 1_800_000 }, async () => {
  await using stops = new AsyncDisposableStack()
  const { folder, registry } = await publishRelease(stops)
  const project = join(folder, 'new-user')
  mkdirSync(project)
  writeFileSync(join(project, '.npmrc'), registry.npmrc)
  // npx has installed nothing yet. npm has downloaded the packages of others, if its cache contains them, and
  // none of ours.
  const cache = join(folder, 'npm-cache')
  mkdirSync(cache)
  const sharedCache = (await run('npm', ['config', 'get', 'cache'], { cwd: project })).trim()
  mkdirSync(join(sharedCache, '_cacache'), { recursive: true })
  symlinkSync(join(sharedCache, '_cacache'), join(cache, '_cacache'), 'dir')
  const variables = { npm_config_cache: cache, npm_config_prefer_offline: 'true' }
  const command: SandboxCommand = { file: 'npx', parameters: ['--yes', '@mintmark/sandbox'], variables }

  const startedAt = performance.now()
  const getSeconds = () => (performance.now() - startedAt) / 1000
  const cold = await runSandbox(project, command, async (dataDir) => {
    const start = getSeconds()
    const card = await measure(async () => {
      const packages = ['@mintmark/transport', '@mintmark/cards']
      const env = { ...process.env, ...variables }
      await run('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: project, env })
      writeFileSync(join(project, 'first.mjs'), getFirstProgram())
      return await run(process.execPath, ['first.mjs'], { cwd: project })
    })
    const order = await measure(() => payFirstOrder(dataDir))
    return { start, card, order }
  })
  expect(cold.result.card.result).toMatch(/^\d+ http/)

  const restartedAt = performance.now()
  const warm = await runSandbox(project, command, async () => (performance.now() - restartedAt) / 1000)
  const readReady = (output: string) => /Ready after ([\d.]+) s/.exec(output)?.[1]
  console.log(`From an empty folder, with the npm cache of this machine for packages of others:
  npx @mintmark/sandbox, cold   ${cold.result.start.toFixed(1)} s, of which its own start ${readReady(cold.output)} s
  the README's first card       ${cold.result.card.seconds.toFixed(1)} s, with npm install
  the tour's first paid order   ${cold.result.order.seconds.toFixed(1)} s
  npx @mintmark/sandbox, warm   ${warm.result.toFixed(1)} s, of which its own start ${readReady(warm.output)} s`)
})
