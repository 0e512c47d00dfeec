// `npm run faults [kills]`: kills working facilitators, a thousand times by default, and checks
// the books after each part of 500 kills.
import { runFaults } from '../../packages/facilitator-server/src/faults/run-faults.ts'
import { runParts } from './run-parts.ts'

await runParts({
  title: 'Killing facilitators',
  kills: 1000,
  killsPerPart: 500,
  async runPart(part) {
    const report = await runFaults(part)
    part.log(JSON.stringify(report, null, 2))
    part.log(`Seed ${part.seed}: ${report.kills} kills, ${report.problems.length} problems.`)
    return report.problems.length
  },
})
