// `npm run faults [kills] [-- --scheme <scheme>]`: kills working facilitators, a thousand times by default,
// and checks the books after each part of 500 kills. With a scheme, they settle only payments of that scheme.
import { parseArgs } from 'node:util'
import { SCHEMES } from '../../packages/facilitator-server/src/faults/plans.ts'
import { runFaults } from '../../packages/facilitator-server/src/faults/run-faults.ts'
import { runParts } from './run-parts.ts'

const { values, positionals } = parseArgs({ options: { scheme: { type: 'string' } }, allowPositionals: true })

const scheme = SCHEMES.find((each) => each === values.scheme)
if (scheme === undefined && values.scheme !== undefined) {
  console.error(`Expected one of ${SCHEMES.join(', ')} as --scheme.`)
  process.exit(2)
}

await runParts({
  title: 'Killing facilitators',
  kills: positionals[0] ?? 1000,
  killsPerPart: 500,
  async runPart(part) {
    const report = await runFaults({ ...part, scheme })
    part.log(JSON.stringify(report, null, 2))
    for (const { name, problems, ...counts } of report.parts)
      part.log(`${name}: ${formatCounts(counts)}, ${problems} problems.`)
    part.log(`Seed ${part.seed}: ${report.kills} kills, ${report.problems.length} problems.`)
    return report.problems.length
  },
})

function formatCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}
