import { expect, test } from 'vitest'
import { runFaults } from './run-faults.ts'

// MINTMARK_SEED repeats a run's choices; `npm run test:night` and `npm run faults` kill more.
const seed = Number(process.env.MINTMARK_SEED ?? 1)
const kills = Number(process.env.FACILITATOR_KILLS ?? 40)
const killsOfBatches = 20
/** Of the steps at which a process is killed. */
const leastSteps = 13

test(`facilitators that are killed ${kills} times lose no charge and make none twice (seed ${seed})`, async () => {
  // `npm run faults -- --scheme` has the other schemes: channels, approvals and Solana.
  const run = { seed, kills, leastSteps, scheme: 'transfers' as const }
  const report = await runFaults({ ...run, onKills: () => {}, log: () => {} })
  console.log(
    `Seed ${seed}: ${report.kills} kills, ${report.payments} payments, ${report.paid} of them made.`,
  )
  expect(report.problems).toEqual([])
  expect(report.kills).toBeGreaterThanOrEqual(kills)
  expect(report.cuts).toBeGreaterThan(0)
  // The steps are all reached, else the run would show little.
  expect(Object.keys(report.steps).length).toBeGreaterThanOrEqual(leastSteps)
  expect(report.paid).toBeGreaterThan(kills / 2)
  expect(report.parts.filter(({ settled }) => settled === 0)).toEqual([])
}, 1_800_000)

test(`facilitators that are killed ${killsOfBatches} times while they batch settle each payment once (seed ${seed})`, async () => {
  const report = await runFaults({
    seed,
    kills: killsOfBatches,
    scheme: 'batches',
    onKills: () => {},
    log: () => {},
  })
  expect(report.problems).toEqual([])
  expect(report.batches).toBeGreaterThan(0)
}, 1_800_000)
