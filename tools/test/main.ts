// `npm test [filter]`: builds, checks and tests, and counts all of it in one last line. A filter goes to vitest. A check that fails
// does not keep the rest from running; a build that fails does, for nothing after it could be believed.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseCLI, startVitest } from 'vitest/node'
import { installToolchains } from '../toolchains/toolchains.ts'
import { repositoryRoot } from '../workspace.ts'
import { type Count, countingReporter, summaryLine } from './count.ts'

const nx = join(repositoryRoot, 'node_modules/nx/dist/bin/nx.js')

/** nx does the work, or finds it done for the same inputs. */
function succeeds(target: string): boolean {
  const { status } = spawnSync(process.execPath, [nx, 'run', `mintmark:${target}`, '--outputStyle=static'], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return status === 0
}

async function runTests(parameters: readonly string[]): Promise<Count> {
  const { filter, options } = parseCLI(['vitest', 'run', ...parameters])
  let count: Count = { passed: 0, failed: 0, skipped: 0 }
  const counting = countingReporter((counted) => {
    count = counted
  })
  await startVitest(filter, { ...options, watch: false, reporters: ['default', counting] })
  // vitest refuses a run for reasons that belong to no test, such as a filter that matches nothing.
  return process.exitCode && count.failed === 0 ? { ...count, failed: 1 } : count
}

const failed: string[] = []
// What the packages are tried with beside their own tools. The tests that need one say so when it is missing.
const attempted: string[] = ['toolchains']
try {
  installToolchains()
} catch (error) {
  console.error(error)
  failed.push('toolchains')
}
for (const target of [
  'build',
  'lint',
  'typecheck',
  'check-boundaries',
  'check-lockfile',
  'check-repository',
]) {
  attempted.push(target)
  if (succeeds(target)) continue
  failed.push(target)
  if (target === 'build') break
}
const tests = failed.includes('build')
  ? { passed: 0, failed: 0, skipped: 0 }
  : await runTests(process.argv.slice(2))
if (failed.length > 0)
  console.error(`\nBesides the tests, failed: ${failed.join(', ')}. What they said stands above.`)
const total: Count = {
  passed: tests.passed + attempted.length - failed.length,
  failed: tests.failed + failed.length,
  skipped: tests.skipped,
}
console.log(`\n${summaryLine(total)}`)
// Whatever a test left open must not keep a finished run alive.
process.exit(total.failed === 0 ? 0 : 1)
