import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JSONReport } from '@playwright/test/reporter'
import { repositoryRoot } from '../workspace.ts'
import type { Count } from './count.ts'

const playwright = join(repositoryRoot, 'node_modules/@playwright/test/cli.js')

/**
 * Runs the tests in a browser of a folder with a configuration of Playwright, which prints the failures at its
 * end. Errors outside of tests count as failed tests, such as a file that does not load.
 */
export async function runBrowserTests(cwd: string, stdio: 'inherit' | 'ignore'): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-browser-'))
  const file = join(folder, 'report.json')
  const parameters = ['--conditions=@mintmark/source', playwright, 'test', '--reporter=list,json']
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: file }
  try {
    await once(spawn(process.execPath, parameters, { cwd, stdio, env }), 'close')
    const { stats, errors }: JSONReport = JSON.parse(readFileSync(file, 'utf8'))
    return { passed: stats.expected, failed: stats.unexpected + errors.length, skipped: stats.skipped }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
