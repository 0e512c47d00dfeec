import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter'
import { repositoryRoot } from '../workspace.ts'
import type { Count } from './count.ts'

const playwright = join(repositoryRoot, 'node_modules/@playwright/test/cli.js')

/** How tests in a browser ended, with a text for each failure. */
interface BrowserTestsResult extends Count {
  readonly failures: readonly string[]
}

/** Runs the tests in a browser of a folder with a configuration of Playwright. */
export async function runBrowserTests(
  cwd: string,
  stdio: 'inherit' | 'ignore' = 'inherit',
): Promise<BrowserTestsResult> {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-browser-'))
  const file = join(folder, 'report.json')
  const parameters = ['--conditions=@mintmark/source', playwright, 'test', '--reporter=list,json']
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: file }
  try {
    await once(spawn(process.execPath, parameters, { cwd, stdio, env }), 'close')
    const { stats, suites, errors }: JSONReport = JSON.parse(readFileSync(file, 'utf8'))
    const failures = suites.flatMap((suite) => listFailures(suite, ''))
    // Errors outside of tests count as failed tests: a file that does not load, a server that does not start.
    failures.push(...errors.map(({ message }) => `An error outside of tests\n  ${message}`))
    return { passed: stats.expected, failed: failures.length, skipped: stats.skipped, failures }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function listFailures({ title, specs, suites = [] }: JSONReportSuite, parent: string): readonly string[] {
  const where = parent === '' ? title : `${parent} > ${title}`
  const failed = specs.filter(({ ok }) => !ok)
  return [
    ...failed.map(({ title: test, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors))
      return [`${where} > ${test}`, ...errors.map(({ message }) => `  ${message}`)].join('\n')
    }),
    ...suites.flatMap((suite) => listFailures(suite, where)),
  ]
}
