import { expect, test } from 'vitest'
import { runEventFaults } from './run-event-faults.ts'

// MINTMARK_SEED repeats a run's choices; `npm run test:night` and `npm run faults:events` kill more.
const seed = Number(process.env.MINTMARK_SEED ?? 1)
const kills = Number(process.env.GATEWAY_KILLS ?? 15)

test(`gateways that are killed ${kills} times lose no event and write none twice (seed ${seed})`, async () => {
  const report = await runEventFaults({ seed, kills, onKills: () => {}, log: () => {} })
  console.log(`Seed ${seed}: ${JSON.stringify({ ...report, problems: report.problems.length })}`)
  expect(report.problems).toEqual([])
  expect(report.kills.working + report.kills.atPoint).toBeGreaterThanOrEqual(kills)
  // The run would show little otherwise.
  expect(report.cuts).toBeGreaterThan(0)
  expect(report.reorganizations).toBeGreaterThan(0)
  expect(report.types).toBeGreaterThan(40)
  expect(report.events).toBeGreaterThan(200)
}, 1_800_000)
