import { runSimulations } from '@mintmark/server-kit/simulation/run-simulations'
import type { SeedResult } from '@mintmark/server-kit/simulation/seed-runner'
import { expect, test } from 'vitest'

/** The release tests run more, and `npm run simulate` any number. */
const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 25)

const listSeeds = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

async function simulate(seeds: readonly number[], options: { isCalm?: boolean } = {}): Promise<SeedResult[]> {
  const results: SeedResult[] = []
  await runSimulations({
    worker: new URL('simulation-worker.ts', import.meta.url),
    seeds,
    workers: 1,
    concurrency: 3,
    ...options,
    onResult: (result) => results.push(result),
  })
  return results
}

const listProblems = (results: readonly SeedResult[]) =>
  results.flatMap(({ seed, problems }) => problems.map((problem) => `seed ${seed}: ${problem}`))

test('settles payments in a simulation without faults', async () => {
  const results = await simulate(listSeeds(6), { isCalm: true })
  expect(listProblems(results)).toEqual([])
  expect(results.reduce((sum, { counts }) => sum + (counts.settled ?? 0), 0)).toBeGreaterThan(0)
}, 1_800_000)

test('every invariant holds in simulations with crashes, reorganizations, lagging nodes and lost connections', async () => {
  const results = await simulate(listSeeds(SEEDS))
  expect(listProblems(results)).toEqual([])
  // Each ending occurs, else the run would show little.
  for (const ending of ['settled', 'failed', 'notSent', 'deposits'] as const)
    expect(results.reduce((sum, { counts }) => sum + (counts[ending] ?? 0), 0)).toBeGreaterThan(0)
}, 1_800_000)

test('repeats a simulation exactly from its seed', async () => {
  const [first, second] = [await simulate([2, 3, 7]), await simulate([7, 3])]
  const digests = new Map(first.map(({ seed, digest }) => [seed, digest]))
  for (const { seed, digest } of second) expect(digest).toBe(digests.get(seed))
}, 1_800_000)
