// `npm run runtimes`: installs the client packages from their tarballs and runs one program with them in every runtime that they are
// for, against both servers. Prints how that went, and what a runtime saw otherwise than it should have. `-- bun` tries those alone whose
// names contain it.
import { performance } from 'node:perf_hooks'
import { installToolchains } from '../toolchains/toolchains.ts'
import { runtimes } from './runtimes.ts'
import { openStage } from './stage.ts'
import { tryIn } from './trial.ts'

const [wanted = ''] = process.argv.slice(2)
installToolchains()
const stage = await openStage()
try {
  for (const runtime of runtimes.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))) {
    const missing = runtime.missing()
    if (missing !== undefined) {
      console.log(`- ${runtime.name}: not tried, ${missing}`)
      continue
    }
    const title = `${runtime.name} (${runtime.version()})`
    const started = performance.now()
    const problems = await tryIn(runtime, stage).catch((error: unknown) => [String(error)])
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    if (problems.length > 0) process.exitCode = 1
    console.log(
      problems.length === 0
        ? `✓ ${title} signs by ${runtime.signsBy}, calls, pages, fails in kind, verifies a webhook and settles: ${seconds} s`
        : `✗ ${[title, ...problems].join('\n  ')}`,
    )
  }
} finally {
  await stage.close()
}
