import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { randomFrom } from '@mintmark/devkit/random'
import { expect, it } from 'vitest'
import { startImportServer } from '../testing/import-server.ts'
import { createFolder } from '../testing/run-command.ts'

// MINTMARK_SEED repeats a run that failed.
const seed = Number(process.env.MINTMARK_SEED ?? Math.floor(Math.random() * 1_000_000))
const ROWS = 2000
const BATCH_SIZE = 100
const KILLS = 3
const main = fileURLToPath(new URL('../main.ts', import.meta.url))

/** Starts the command line in a process of its own. */
function startImport(folder: string, url: string) {
  const words = ['promo-codes', 'create-batch', 'cards.csv', '--batch-size', String(BATCH_SIZE), '--json']
  return spawn(process.execPath, ['--conditions=@mintmark/source', main, ...words], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      MINTMARK_GATEWAY_URL: url,
      MINTMARK_API_KEY: 'mk_test',
      MINTMARK_SECRET: 'sk',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

it(`imports every row once although the process is killed at random moments (seed ${seed})`, async () => {
  const random = randomFrom(seed)
  const names = Array.from({ length: ROWS }, (_, index) => `card ${index}`)
  const isBad = (name: string) => /7{3}$/.test(name)
  let killAt = Number.POSITIVE_INFINITY
  let isBeforeWork = true
  let kill = () => {}
  await using server = await startImportServer({
    findIssues: (cards) =>
      cards.some(({ name }) => isBad(name)) ? [{ path: '', message: 'One card is bad' }] : [],
    interfere(count) {
      if (isBeforeWork && count >= killAt) kill()
      return undefined
    },
    onResponse(count) {
      if (!isBeforeWork && count >= killAt) kill()
    },
  })
  const folder = createFolder()
  const rows = names.map((name) => `${name},0xa,2026-01-01T00:00:00Z,2027-01-01T00:00:00Z,1`)
  const header = 'name,nftAddress,startTime,endTime,totalIssued'
  await writeFile(join(folder, 'cards.csv'), [header, ...rows].join('\n'))
  let killed = 0
  for (;;) {
    const child = startImport(folder, server.url)
    let errors = ''
    child.stderr.on('data', (part) => {
      errors += part
    })
    // Each run is killed at a random place of its share of the file: while a call is in progress, or when its
    // response has been sent.
    isBeforeWork = random.chance(0.5)
    const share = ROWS / BATCH_SIZE / (KILLS + 1)
    killAt = killed < KILLS ? server.countRequests() + 1 + random.integer(share) : Number.POSITIVE_INFINITY
    kill = () => child.kill('SIGKILL')
    const [exitCode, signal] = await once(child, 'close')
    if (signal === 'SIGKILL') {
      killed += 1
      continue
    }
    const rejected = names.filter(isBad)
    expect([exitCode, errors]).toEqual([
      16,
      expect.stringContaining(`${ROWS - rejected.length} of ${ROWS} rows are imported`),
    ])
    break
  }
  expect(killed).toBe(KILLS)
  expect([...server.created].sort()).toEqual(names.filter((name) => !isBad(name)).sort())
  const rejectedFile = await readFile(join(folder, 'cards.rejected.csv'), 'utf8')
  const rejectedNames = rejectedFile
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split(',')[1])
  expect(rejectedNames).toEqual(names.filter(isBad))
})
