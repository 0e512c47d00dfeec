// `npm run faults [kills]`: kills working facilitators, a thousand times by default, and checks
// the books after each part of 500 kills. MINTMARK_SEED repeats a run's choices. Each part has the next seed.
import { runFaults } from '../../packages/facilitator-server/src/faults/run-faults.ts'

const KILLS_PER_PART = 500

const kills = Number(process.argv[2] ?? 1000)
const firstSeed = Number(process.env.MINTMARK_SEED ?? Math.floor(Math.random() * 1_000_000))
if (!Number.isSafeInteger(kills) || kills < 1 || !Number.isSafeInteger(firstSeed)) {
  console.error('Expected a number of kills, and a whole number as MINTMARK_SEED.')
  process.exit(2)
}
let done = 0
let problems = 0
for (let seed = firstSeed; done < kills; seed += 1) {
  const part = Math.min(KILLS_PER_PART, kills - done)
  console.log(`Seed ${seed}: ${part} kills.`)
  done += part
  try {
    const report = await runFaults({ seed, kills: part, log: (line) => console.log(line) })
    console.log(JSON.stringify(report, null, 2))
    console.log(`Seed ${seed}: ${report.kills} kills, ${report.problems.length} problems.`)
    problems += report.problems.length
  } catch (error) {
    // A settlement that stays open is a problem. The other parts run as well.
    console.error(error)
    problems += 1
  }
}
console.log(`${done} kills, ${problems} problems.`)
process.exit(problems === 0 ? 0 : 1)
