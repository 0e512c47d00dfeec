import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { parseCLI, startVitest } from 'vitest/node'
import { binary } from '../run.ts'
import { findChromium } from '../toolchains/toolchains.ts'
import { repositoryRoot } from '../workspace.ts'
import { runBrowserTests } from './browser-tests.ts'
import { type Count, countingReporter, summaryLine } from './count.ts'

interface SuiteParts {
  readonly targets: readonly string[]
  readonly projects: readonly string[]
  readonly maxWorkers?: number
  /** Whether the tests of the console in a browser follow. */
  readonly hasBrowserTests?: boolean
}

/**
 * The nx targets of each suite, which run after the build and beside its tests, because tests mostly wait, and
 * the projects of `vitest.config.ts` with its tests.
 */
const SUITES = {
  unit: {
    targets: ['lint', 'check-repository', 'check-boundaries', 'typecheck'],
    projects: ['unit'],
  },
  release: {
    targets: ['build-docs', 'check-unused', 'check-api'],
    projects: ['long', 'release'],
    // These wait for installations, timeouts and failovers, one more at a time than `vitest.config.ts` allows.
    maxWorkers: availableParallelism() + 2,
    hasBrowserTests: true,
  },
  night: { targets: [], projects: ['night'] },
} satisfies Record<string, SuiteParts>

type Suite = keyof typeof SUITES

/**
 * Runs a target by nx, or repeats its output when none of its inputs has changed. The output is printed when
 * the target has ended, so that it does not mix with the tests'.
 */
async function succeeds(target: string): Promise<boolean> {
  const parameters = ['run', `mintmark-repository:${target}`, '--outputStyle=static']
  const child = spawn(binary('nx'), parameters, { cwd: repositoryRoot, stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
  const [status] = await once(child, 'close')
  process.stdout.write(Buffer.concat(chunks))
  return status === 0
}

/**
 * Runs targets one after another: each is as fast as the processors that the tests leave. Returns the failed
 * ones.
 */
async function findFailedTargets(targets: Iterable<string>): Promise<string[]> {
  const failed: string[] = []
  for (const target of targets) {
    if (!(await succeeds(target))) failed.push(target)
  }
  return failed
}

/** Runs the tests of a suite, and adds a text for each that failed to `allFailures`. */
async function runTests(suite: Suite, parameters: readonly string[], allFailures: string[]): Promise<Count> {
  const { filter, options } = parseCLI(['vitest', 'run', ...parameters])
  let count: Count = { passed: 0, failed: 0, skipped: 0 }
  const counting = countingReporter((result, failures) => {
    count = result
    allFailures.push(...failures)
  })
  process.exitCode = 0
  const reporters = ['default', counting]
  const { projects, maxWorkers, hasBrowserTests = false }: SuiteParts = SUITES[suite]
  const limits = maxWorkers === undefined ? {} : { maxWorkers }
  await startVitest(filter, { ...limits, ...options, project: [...projects], watch: false, reporters })
  // vitest also fails for reasons that belong to no test, such as a filter that matches nothing.
  if (process.exitCode && count.failed === 0) count = { ...count, failed: 1 }
  if (!hasBrowserTests || parameters.length > 0) return count
  process.env.CHROMIUM_PATH ??= await findChromium()
  const browser = await runBrowserTests(repositoryRoot, 'inherit')
  return {
    passed: count.passed + browser.passed,
    failed: count.failed + browser.failed,
    skipped: count.skipped + browser.skipped,
  }
}

/**
 * Runs suites. The last lines are the failures of all of them, because what a failed test printed can be
 * thousands of lines above, and the count of targets and tests. A failed target does not keep the rest from
 * running, except for a failed build. Arguments of the command line are passed to vitest, and choose its tests
 * alone.
 */
export async function runSuites(suites: readonly Suite[]): Promise<never> {
  const total = { passed: 0, failed: 0, skipped: 0 }
  const failedTargets: string[] = []
  const failures: string[] = []
  const countTargets = (count: number, failed: readonly string[]) => {
    total.passed += count - failed.length
    total.failed += failed.length
    failedTargets.push(...failed)
  }
  // Tests read built files.
  countTargets(1, await findFailedTargets(['build']))
  if (failedTargets.length === 0) {
    const targets = new Set(suites.flatMap((suite): string[] => SUITES[suite].targets))
    const targetsEnd = findFailedTargets(targets)
    for (const suite of suites) {
      const { passed, failed, skipped } = await runTests(suite, process.argv.slice(2), failures)
      total.passed += passed
      total.failed += failed
      total.skipped += skipped
    }
    countTargets(targets.size, await targetsEnd)
  }
  if (failures.length > 0) console.log(`\nFailed tests:\n\n${failures.join('\n\n')}`)
  if (failedTargets.length > 0)
    console.error(`\nFailed beside the tests: ${failedTargets.join(', ')}. See above.`)
  console.log(`\n${summaryLine(total)}`)
  // A handle that a test left open must not keep a finished run alive.
  process.exit(total.failed === 0 ? 0 : 1)
}
