// `npm run simulate -- --seeds 1..1000`: simulates facilitators with each seed and checks their invariants.
// `--server gateway` simulates the orders of gateways. `--seed 4711 --log` repeats one simulation and prints
// what happens in it. `--workers 4` runs more simulations in parallel.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { startProgress } from '../../packages/devkit/src/progress.ts'
import { runSimulations } from '../../packages/devkit/src/simulation/run-simulations.ts'
import type { SeedResult } from '../../packages/devkit/src/simulation/seed-runner.ts'
import { setup } from '../vitest/postgres.ts'

/** While one simulation of a process waits for PostgreSQL, another one runs. */
const CONCURRENCY = 4
/**
 * Then the run ends, because most further problems have the same cause. `--first` ends it at the first one.
 */
const MAX_FAILED_SEEDS = 20

const WORKERS: Readonly<Record<string, string>> = {
  facilitator: '../../packages/facilitator-server/src/simulation/simulation-worker.ts',
  gateway: '../../packages/gateway-server/src/simulation/simulation-worker.ts',
}

const { values } = parseArgs({
  options: {
    server: { type: 'string', default: 'facilitator' },
    seeds: { type: 'string' },
    seed: { type: 'string' },
    workers: { type: 'string' },
    log: { type: 'boolean', default: false },
    digests: { type: 'boolean', default: false },
    first: { type: 'boolean', default: false },
    calm: { type: 'boolean', default: false },
    mutation: { type: 'string' },
  },
})
const range = /^(\d+)\.\.(\d+)$/.exec(values.seeds ?? `${values.seed ?? 1}..${values.seed ?? 100}`)
const workers = Number(values.workers ?? (values.log ? 1 : availableParallelism()))
const worker = WORKERS[values.server]
if (range === null || worker === undefined || !Number.isSafeInteger(workers) || workers < 1) {
  console.error(
    'Expected --seeds 1..1000 or --seed 4711, a number of --workers, and --server facilitator or gateway.',
  )
  process.exit(2)
}
const [first, last] = [Number(range[1]), Number(range[2])]
const seedCount = last - first + 1

const maxFailed = values.first ? 1 : MAX_FAILED_SEEDS
const totals: Record<string, number> = {}
const failed: SeedResult[] = []
let count = 0

function* listSeeds(): Generator<number> {
  for (let seed = first; seed <= last && failed.length < maxFailed; seed += 1) yield seed
}

function addResult(result: SeedResult): void {
  count += 1
  for (const [name, value] of Object.entries(result.counts)) totals[name] = (totals[name] ?? 0) + value
  if (values.seed !== undefined || values.digests)
    progress.line(`Seed ${result.seed}: digest ${result.digest}`)
  if (result.problems.length > 0) {
    failed.push(result)
    progress.line(`Seed ${result.seed}, after ${count} seeds:`)
    for (const problem of result.problems) progress.line(`  ${problem}`)
  }
  progress.update({
    text: `${count} of ${seedCount} seeds, ${failed.length} failed`,
    done: count / seedCount,
  })
}

const progress = startProgress(process.stdout, 'Simulating')
const stopPostgres = await setup()
await runSimulations({
  worker: new URL(worker, import.meta.url),
  seeds: listSeeds(),
  workers,
  concurrency: values.log ? 1 : CONCURRENCY,
  isCalm: values.calm,
  mutation: values.mutation,
  onResult: addResult,
  ...(values.log && { log: (line: string) => progress.line(line) }),
})
await stopPostgres()
const minutes = Number(progress.end()) / 60
console.log(`${count} seeds, ${Math.round(count / minutes)} per minute, ${failed.length} failed`)
console.log(JSON.stringify(totals))
process.exit(failed.length === 0 ? 0 : 1)
