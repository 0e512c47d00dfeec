import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { randomFrom } from '@mintmark/devkit/random'
import { expect, it } from 'vitest'
import { startTestGateway } from '../../tools/gateway.ts'
import { repositoryRoot } from '../../tools/workspace.ts'

// MINTMARK_SEED repeats a run that failed.
const seed = Number(process.env.MINTMARK_SEED ?? Math.floor(Math.random() * 1_000_000))
const ROWS = Number(process.env.IMPORT_ROWS ?? '10000')
const KILLS = 3
const BAD_ROWS = 50
const NFT_ADDRESS = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const HEADER = 'name,nft address,start time,end time,total issued,usage instructions'
const main = join(repositoryRoot, 'packages', 'mintmark', 'src', 'cli', 'main.ts')

const toRow = (
  name: string,
  address = NFT_ADDRESS,
  start = '2026-01-01T00:00:00Z',
  total = '10',
  instructions = '',
) => `${name},${address},${start},2099-12-31T00:00:00Z,${total},${instructions}`

/**
 * Rows that are rejected, with a part of the reason. The command finds the first five kinds, the gateway the
 * others.
 */
const BAD_KINDS: readonly { readonly reason: string; toRow(name: string): string }[] = [
  { reason: 'Expected 6 cells, found 2', toRow: (name) => `${name},${NFT_ADDRESS}` },
  { reason: 'name: Required', toRow: () => toRow('') },
  {
    reason: 'totalIssued: Expected a number',
    toRow: (name) => toRow(name, undefined, undefined, 'ten'),
  },
  { reason: 'totalIssued: ', toRow: (name) => toRow(name, undefined, undefined, '0') },
  { reason: 'has no time zone', toRow: (name) => toRow(name, undefined, '2026-01-01T00:00:00') },
  { reason: 'name: ', toRow: (name) => toRow(name.padEnd(201, '.')) },
  { reason: 'nftAddress: ', toRow: (name) => toRow(name, 'prints') },
  {
    reason: 'endTime: Expected a time after startTime',
    toRow: (name) => toRow(name, undefined, '2100-01-01T00:00:00Z'),
  },
]

/**
 * Creates a file with bad rows at random places, and with instructions of two lines, so that lines are no indices
 * of rows.
 */
function createFile(random: ReturnType<typeof randomFrom>) {
  const bad = new Set<number>()
  while (bad.size < BAD_ROWS) bad.add(random.integer(ROWS))
  const rows: string[] = [HEADER]
  const goodNames: string[] = []
  /** The reasons of the bad rows, by their lines. */
  const reasons = new Map<number, string>()
  let line = 2
  for (let index = 0; index < ROWS; index += 1) {
    const name = `card ${index}`
    if (bad.has(index)) {
      const kind = random.pick(BAD_KINDS)
      reasons.set(line, kind.reason)
      rows.push(kind.toRow(name))
      line += 1
    } else if (random.chance(0.01)) {
      goodNames.push(name)
      rows.push(toRow(name, undefined, undefined, undefined, '"of two\nlines"'))
      line += 2
    } else {
      goodNames.push(name)
      rows.push(toRow(name))
      line += 1
    }
  }
  return { content: rows.join('\n'), goodNames, reasons }
}

/** Imports the file in a process of its own, which is killed when it has reported `killAt` results. */
async function runImport(
  folder: string,
  variables: Readonly<Record<string, string>>,
  killAt = Number.POSITIVE_INFINITY,
) {
  const words = ['promo-codes', 'create-batch', 'cards.csv', '--json']
  const child = spawn(process.execPath, ['--conditions=@mintmark/source', main, ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (part) => {
    errors += part
  })
  let results = 0
  createInterface(child.stdout).on('line', () => {
    results += 1
    if (results === killAt) child.kill('SIGKILL')
  })
  const [exitCode, signal] = await once(child, 'close')
  return { exitCode, signal, errors }
}

it(`imports every good row of a large file once, and names every bad one, although it is killed (seed ${seed})`, async () => {
  await using stops = new AsyncDisposableStack()
  const gateway = await startTestGateway({}, stops)
  const { projectId, apiKey, secret } = await gateway.newKey('large import')
  const variables = { MINTMARK_GATEWAY_URL: gateway.url, MINTMARK_API_KEY: apiKey, MINTMARK_SECRET: secret }
  const folder = await mkdtemp(join(tmpdir(), 'mintmark-import-'))
  stops.defer(() => rm(folder, { recursive: true }))
  const random = randomFrom(seed)
  const { content, goodNames, reasons } = createFile(random)
  await writeFile(join(folder, 'cards.csv'), content)

  const startedAt = performance.now()
  const share = Math.floor(ROWS / (KILLS + 1))
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { signal, errors } = await runImport(folder, variables, 1 + random.integer(share))
    expect([signal, errors]).toEqual(['SIGKILL', ''])
  }
  const { exitCode, errors } = await runImport(folder, variables)
  const seconds = (performance.now() - startedAt) / 1000
  console.log(`${ROWS} rows in ${seconds.toFixed(1)} s, ${Math.round(ROWS / seconds)} rows/s`)

  expect(errors).toContain(`${goodNames.length} of ${ROWS} rows are imported, ${BAD_ROWS} were rejected`)
  expect(exitCode).toBe(16)
  const cards = await gateway.database.system
    .selectFrom('gateway.cards')
    .select('name')
    .where('project_id', '=', projectId)
    .execute()
  expect(cards.map(({ name }) => name).sort()).toEqual(goodNames.sort())
  const rejectedFile = await readFile(join(folder, 'cards.rejected.csv'), 'utf8')
  const rejected = [...rejectedFile.matchAll(/^"?line (\d+): (.*)$/gm)]
  expect(rejected.map(([, line]) => Number(line))).toEqual([...reasons.keys()])
  for (const [, line, rest] of rejected) expect(rest).toContain(reasons.get(Number(line)))
}, 1_800_000)
