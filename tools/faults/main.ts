// `npm run faults [kills]`: kills working facilitators, a thousand times by default, and checks
// the books. MINTMARK_SEED repeats a run's choices.
import { runFaults } from '../../packages/facilitator-server/src/faults/run-faults.ts'

const kills = Number(process.argv[2] ?? 1000)
const seed = Number(process.env.MINTMARK_SEED ?? Math.floor(Math.random() * 1_000_000))
if (!Number.isSafeInteger(kills) || kills < 1 || !Number.isSafeInteger(seed)) {
  console.error('Expected a number of kills, and a whole number as MINTMARK_SEED.')
  process.exit(2)
}
console.log(`Seed ${seed}: ${kills} kills.`)
const report = await runFaults({ seed, kills, log: (line) => console.log(line) })
console.log(JSON.stringify(report, null, 2))
console.log(`Seed ${seed}: ${report.kills} kills, ${report.problems.length} problems.`)
process.exit(report.problems.length === 0 ? 0 : 1)
