import type { Reporter } from 'vitest/node'

/** How many tests and checks ended how. */
export interface Count {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** The last line of a run, the one that continuous integration reads. */
export function summaryLine({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`
}

/**
 * An error of a test, a hook or a file. vitest adds the difference between what a test expected and what it
 * got.
 */
interface ReportedError {
  readonly message: string
  readonly diff?: string | undefined
  readonly stack?: string | undefined
}

/**
 * A failure as text: where it happened, its message, the difference, and the lines of code that led to it.
 */
function describeFailure(where: string, { message, diff, stack }: ReportedError): string {
  const frames = (stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && !line.includes('node_modules'))
  const details = [message, ...(diff ? [diff] : []), ...frames.slice(0, 5).map((frame) => frame.trim())]
  return [
    where,
    ...details
      .join('\n')
      .split('\n')
      .map((line) => `  ${line}`),
  ].join('\n')
}

/**
 * Counts a vitest run, and at its end reports the count and a text for each failure. Failures outside of
 * tests count as failed tests: a file that does not load, a hook that throws, an unhandled rejection.
 */
export function countingReporter(report: (count: Count, failures: readonly string[]) => void): Reporter {
  return {
    onTestRunEnd(modules, unhandled) {
      let [passed, skipped] = [0, 0]
      const failures = unhandled.map((error) => describeFailure('An error outside of tests', error))
      for (const module of modules) {
        const file = module.relativeModuleId
        failures.push(...module.errors().map((error) => describeFailure(file, error)))
        for (const suite of module.children.allSuites())
          failures.push(
            ...suite.errors().map((error) => describeFailure(`${file} > ${suite.fullName}`, error)),
          )
        for (const test of module.children.allTests()) {
          const { state, errors } = test.result()
          if (state === 'passed') passed += 1
          else if (state === 'failed')
            failures.push(
              describeFailure(`${file} > ${test.fullName}`, errors[0] ?? { message: 'It failed.' }),
            )
          else skipped += 1
        }
      }
      report({ passed, failed: failures.length, skipped }, failures)
    },
  }
}
