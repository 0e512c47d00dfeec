import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { devChainId } from '@mintmark/devkit/chain/chain'
import { migrate, openDatabase } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Tables } from '../../gateway-server/src/database/tables.ts'
import { gatewaySchema } from '../../gateway-server/src/main/server.ts'
import { type Row, summarize, toFigure } from './figures.ts'
import {
  type Case,
  createDense,
  createSparse,
  DELAYS_MS,
  indexWhole,
  nameRow,
  registerContracts,
  startReplayedNode,
} from './indexer.ts'
import { startDatabase } from './processes.ts'
import { EDITION, TOKEN } from './replayed-chain.ts'
import type { Measurement, MeasureOptions, Section } from './section.ts'
import { median } from './statistics.ts'

/** Git ignores this folder. */
const FOLDER = join(import.meta.dirname, '../../../.mintmark/bench/ponder')
const COMMAND = join(FOLDER, 'node_modules/ponder/dist/esm/bin/ponder.js')
const PACKAGES = { ponder: '1.0.0', viem: '2.57.1', hono: '^4', typescript: '^5' }
/** The files of Ponder's project, by the templates that they are copied from. */
const FILES = {
  'ponder.config.ts': 'ponder.config.ts',
  'ponder.schema.ts': 'ponder.schema.ts',
  'index.ts': 'src/index.ts',
  'api.ts': 'src/api/index.ts',
}
const CASES: readonly Case[] = [createDense(10_000), createSparse(2_000)]
/** How many times Ponder's rate the indexer should have with a node that is 50 ms away. */
const AIM = 2

/** Installs Ponder outside of the workspace, once: nothing else needs its 170 packages. */
async function installPonder(): Promise<void> {
  await mkdir(join(FOLDER, 'src/api'), { recursive: true })
  for (const [template, file] of Object.entries(FILES))
    await copyFile(join(import.meta.dirname, 'ponder-app', `${template}.template`), join(FOLDER, file))
  const manifest = JSON.stringify({ name: 'app', private: true, type: 'module', dependencies: PACKAGES })
  const path = join(FOLDER, 'package.json')
  const isInstalled = existsSync(COMMAND) && existsSync(path) && readFileSync(path, 'utf8') === manifest
  if (isInstalled) return
  await writeFile(path, manifest)
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund'], { cwd: FOLDER })
}

/**
 * Starts Ponder on an empty database. Returns the seconds from when it serves, shortly before its first request
 * to the node, until it has indexed the chain.
 */
async function runPonder(
  nodeUrl: string,
  lastBlock: number,
): Promise<{ transfers: number; seconds: number }> {
  await using stops = new AsyncDisposableStack()
  const url = await startDatabase(stops)
  const options = ['start', '--schema', 'bench', '--port', '0']
  const child = spawn(process.execPath, [COMMAND, ...options], {
    cwd: FOLDER,
    env: {
      PATH: dirname(process.execPath),
      HOME: FOLDER,
      PONDER_TELEMETRY_DISABLED: 'true',
      NODE_NO_WARNINGS: '1',
      DATABASE_URL: url,
      NODE_URL: nodeUrl,
      CHAIN_ID: String(devChainId),
      TOKEN,
      EDITION,
      LAST_BLOCK: String(lastBlock),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  stops.defer(async () => {
    child.kill('SIGTERM')
    await ended
  })
  let last = ''
  let startedAt = performance.now()
  for await (const text of createInterface({ input: child.stdout })) {
    last = text
    if (text.includes('Started listening')) startedAt = performance.now()
    if (!text.includes('Completed historical indexing')) continue
    const seconds = (performance.now() - startedAt) / 1000
    const database = openDatabase<Tables>({ url, max: 1 })
    stops.defer(() => database.close())
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from bench.transfer`.execute(database.system)
    return { transfers: rows[0]?.count ?? 0, seconds }
  }
  throw new Error(`Ponder ended before it had indexed the chain: ${last}`)
}

async function measure({ quick, onStep }: MeasureOptions): Promise<Measurement> {
  await using stops = new AsyncDisposableStack()
  await installPonder()
  const url = await startDatabase(stops)
  await migrate(url, gatewaySchema)
  const database = openDatabase<Tables>({ url, max: 2 })
  stops.defer(() => database.close())
  await registerContracts(database)
  const rounds = quick ? 1 : 3
  const runs = CASES.flatMap((chain) => DELAYS_MS.map((delayMs) => ({ chain, delayMs })))
  const rows: Row[] = []
  const ratios: number[] = []
  for (const [index, { chain, delayMs }] of runs.entries()) {
    await using nodes = new AsyncDisposableStack()
    const nodeUrl = await startReplayedNode(nodes, chain, delayMs)
    const ours: number[] = []
    const theirs: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const indexed = await indexWhole(database, nodeUrl, chain)
      ours.push(indexed.transfers / indexed.seconds)
      const { transfers, seconds } = await runPonder(nodeUrl, chain.blocks - 1)
      theirs.push(transfers / seconds)
      onStep(index * rounds + round + 1, runs.length * rounds)
    }
    const ratio = median(ours) / median(theirs)
    if (delayMs > 0) ratios.push(ratio)
    rows.push({
      name: nameRow(chain, delayMs),
      figures: [summarize(ours), summarize(theirs), toFigure(ratio)],
    })
  }
  return {
    columns: [
      { name: 'ours', unit: 'per second' },
      { name: 'Ponder', unit: 'per second' },
      { name: 'of Ponder', unit: '×' },
    ],
    rows,
    aims: [
      {
        text: `at least ${AIM} × Ponder with a node that is 50 ms away: ${ratios.map((ratio) => ratio.toFixed(1)).join(' and ')} ×`,
        reached: ratios.every((ratio) => ratio >= AIM),
      },
    ],
    notes: [
      'Ponder reads each block by one request. It does not index the last blocks, which are not final, so it has a few transfers less.',
    ],
  }
}

/** Measures the indexer beside Ponder, which stores the same transfers and balances. */
export const ponderSection: Section = {
  name: 'ponder',
  title:
    'Indexer beside Ponder: transfers and balances of an ERC-721 and an ERC-1155, from an empty database',
  measure,
}
