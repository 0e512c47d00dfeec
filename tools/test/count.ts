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
 * Counts a vitest run, and reports the count at its end. Failures outside of tests count as failed tests: a file that does not
 * load, a hook that throws, an unhandled rejection.
 */
export function countingReporter(report: (count: Count) => void): Reporter {
  return {
    onTestRunEnd(modules, unhandled) {
      let [passed, failed, skipped] = [0, unhandled.length, 0]
      for (const module of modules) {
        failed += module.errors().length
        for (const suite of module.children.allSuites()) failed += suite.errors().length
        for (const test of module.children.allTests()) {
          const { state } = test.result()
          if (state === 'passed') passed += 1
          else if (state === 'failed') failed += 1
          else skipped += 1
        }
      }
      report({ passed, failed, skipped })
    },
  }
}
