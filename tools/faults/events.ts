// `npm run faults:events [kills]`: kills working gateways, two hundred times by default, and compares the
// feed of events with all changes after each part of 200 kills.
import { runEventFaults } from '../../packages/gateway-server/src/testing/event-faults/run-event-faults.ts'
import { runParts } from './run-parts.ts'

await runParts({
  title: 'Killing gateways',
  kills: process.argv[2] ?? 200,
  killsPerPart: 200,
  async runPart(part) {
    const report = await runEventFaults(part)
    part.log(JSON.stringify(report, null, 2))
    return report.problems.length
  },
})
