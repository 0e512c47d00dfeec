// `npm run faults:events [kills]`: kills working gateways, two hundred times by default, and compares the feed of events with all changes after
// each part of 50 kills. MINTMARK_SEED repeats a run's choices. Each part has the next seed.
import { runEventFaults } from '../../packages/gateway-server/src/testing/event-faults/run-event-faults.ts'

const KILLS_PER_PART = 50

const kills = Number(process.argv[2] ?? 200)
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
  const report = await runEventFaults({ seed, kills: part, log: (line) => console.log(line) })
  console.log(JSON.stringify(report, null, 2))
  problems += report.problems.length
}
console.log(`${done} kills, ${problems} problems.`)
process.exit(problems === 0 ? 0 : 1)
