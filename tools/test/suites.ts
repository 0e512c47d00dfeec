import { spawnSync } from 'node:child_process'
import { parseCLI, startVitest } from 'vitest/node'
import { binary } from '../run.ts'
import { repositoryRoot } from '../workspace.ts'
import { type Count, countingReporter, summaryLine } from './count.ts'

/** The nx targets of each suite, before its tests. The tests are a project of `vitest.config.ts` with the suite's name. */
const TARGETS = {
  unit: ['build', 'lint', 'typecheck', 'check-boundaries', 'build-docs', 'check-repository'],
  release: ['build', 'check-unused', 'check-api'],
} as const

type Suite = keyof typeof TARGETS

/** nx runs a target, or repeats its output when none of its inputs has changed. */
function succeeds(target: string): boolean {
  const parameters = ['run', `mintmark-repository:${target}`, '--outputStyle=static']
  const stdio = ['ignore', 'inherit', 'inherit'] as const
  return spawnSync(binary('nx'), parameters, { cwd: repositoryRoot, stdio: [...stdio] }).status === 0
}

async function runTests(suite: Suite, parameters: readonly string[]): Promise<Count> {
  const { filter, options } = parseCLI(['vitest', 'run', ...parameters])
  let count: Count = { passed: 0, failed: 0, skipped: 0 }
  const counting = countingReporter((counted) => {
    count = counted
  })
  process.exitCode = 0
  const reporters = ['default', counting]
  await startVitest(filter, { ...options, project: [suite], watch: false, reporters })
  // vitest also fails for reasons that belong to no test, such as a filter that matches nothing.
  return process.exitCode && count.failed === 0 ? { ...count, failed: 1 } : count
}

/**
 * Runs suites, and prints the count of targets and tests as the last line. A failed target does not keep the rest from running,
 * except for a failed build. Arguments of the command line are passed to vitest.
 */
export async function runSuites(suites: readonly Suite[]): Promise<never> {
  const total = { passed: 0, failed: 0, skipped: 0 }
  const failedTargets = []
  for (const target of new Set(suites.flatMap((suite) => TARGETS[suite]))) {
    if (succeeds(target)) {
      total.passed += 1
      continue
    }
    total.failed += 1
    failedTargets.push(target)
    if (target === 'build') break
  }
  for (const suite of failedTargets.includes('build') ? [] : suites) {
    const { passed, failed, skipped } = await runTests(suite, process.argv.slice(2))
    total.passed += passed
    total.failed += failed
    total.skipped += skipped
  }
  if (failedTargets.length > 0)
    console.error(`\nFailed beside the tests: ${failedTargets.join(', ')}. See above.`)
  console.log(`\n${summaryLine(total)}`)
  // A handle that a test left open must not keep a finished run alive.
  process.exit(total.failed === 0 ? 0 : 1)
}
