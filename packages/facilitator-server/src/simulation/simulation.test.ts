import { listProblems, simulateSeeds, sumCounts } from '@mintmark/devkit/simulation/run-simulations'
import { expect, test } from 'vitest'

/** The nightly tests run more, and `npm run simulate` any number. */
const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 50)

const listSeeds = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

const worker = new URL('simulation-worker.ts', import.meta.url)

test('settles payments in a simulation without faults', async () => {
  const results = await simulateSeeds(worker, listSeeds(6), { isCalm: true })
  expect(listProblems(results)).toEqual([])
  expect(sumCounts(results, 'settled')).toBeGreaterThan(0)
}, 1_800_000)

test('every invariant holds in simulations with crashes, reorganizations, lagging nodes and lost connections', async () => {
  const results = await simulateSeeds(worker, listSeeds(SEEDS))
  expect(listProblems(results)).toEqual([])
  // Each ending occurs, else the run would show little.
  for (const ending of ['settled', 'failed', 'notSent', 'deposits', 'conflicts'] as const)
    expect(sumCounts(results, ending)).toBeGreaterThan(0)
}, 1_800_000)

test('repeats a simulation exactly from its seed', async () => {
  const first = await simulateSeeds(worker, [2, 3, 7])
  const second = await simulateSeeds(worker, [7, 3])
  const digests = new Map(first.map(({ seed, digest }) => [seed, digest]))
  for (const { seed, digest } of second) expect(digest).toBe(digests.get(seed))
}, 1_800_000)
