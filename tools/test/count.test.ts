import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { scratchFolder } from '../scratch-folder.ts'
import { repositoryRoot } from '../workspace.ts'
import { runBrowserTests } from './browser-tests.ts'
import { type Count, summaryLine } from './count.ts'

/**
 * Runs a vitest of its own over some test files, in a process of its own, and returns the counts and the
 * failures.
 */
function countOf(files: Readonly<Record<string, string>>): Count & { readonly failures: readonly string[] } {
  const run = `
    import { startVitest } from 'vitest/node'
    import { countingReporter } from ${JSON.stringify(join(repositoryRoot, 'tools/test/count.ts'))}
    const report = (count, failures) => process.stdout.write(JSON.stringify({ ...count, failures }))
    const counting = countingReporter(report)
    await startVitest([], { root: import.meta.dirname, config: false, watch: false, reporters: [counting] })
    process.exit(0)
  `
  using scratch = scratchFolder({ 'package.json': { type: 'module' }, 'run.ts': run, ...files })
  symlinkSync(join(repositoryRoot, 'node_modules'), join(scratch.root, 'node_modules'))
  const { stdout, stderr } = spawnSync(process.execPath, [join(scratch.root, 'run.ts')], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

const head = `import { beforeAll, describe, expect, it } from 'vitest'\n`

it('the count of a run counts what passed, failed and was skipped', () => {
  const file = `${head}it('a', () => {}); it('b', () => { expect(1).toBe(2) }); it.skip('c', () => {}); it.todo('d')`
  expect(countOf({ 'a.test.ts': file, 'b.test.ts': `${head}it('e', () => {})` })).toMatchObject({
    passed: 2,
    failed: 1,
    skipped: 2,
  })
})

it('the count of a run reports where a test failed, what it expected and what it got', () => {
  const file = `${head}describe('a price', () => { it('is in cents', () => { expect({ cents: 5 }).toEqual({ cents: 7 }) }) })`
  const { failures } = countOf({ 'a.test.ts': file })
  expect(failures).toHaveLength(1)
  const [place, ...details] = failures[0]?.split('\n') ?? []
  expect(place).toBe('a.test.ts > a price > is in cents')
  const text = stripVTControlCharacters(details.join('\n'))
  expect(text).toContain('-   "cents": 7,')
  expect(text).toContain('+   "cents": 5,')
  expect(text).toMatch(/at .*a\.test\.ts:2:/)
})

it.each([
  ['a file that does not load', `throw new Error('no')`, 'a.test.ts'],
  [
    'an unhandled error',
    `it('a', () => { setTimeout(() => { throw new Error('late') }); return new Promise((done) => setTimeout(done, 50)) })`,
    'An error outside of tests',
  ],
  [
    'a hook that throws',
    `describe('s', () => { beforeAll(() => { throw new Error('no') }); it('a', () => {}) })`,
    'a.test.ts > s',
  ],
])('the count of a run counts and reports %s', (_name, body, place) => {
  const { failed, failures } = countOf({ 'a.test.ts': head + body })
  expect(failed).toBe(1)
  expect(failures.map((failure) => failure.split('\n')[0])).toEqual([place])
})

it('the count of a run counts the tests in a browser', async () => {
  const file = `
    import { expect, test } from '@playwright/test'
    test('a', () => {})
    test('b', () => { expect(5).toBe(7) })
    test.skip('c', () => {})
  `
  using scratch = scratchFolder({ 'package.json': { type: 'module' }, 'a.spec.ts': file })
  symlinkSync(join(repositoryRoot, 'node_modules'), join(scratch.root, 'node_modules'))
  expect(await runBrowserTests(scratch.root, 'ignore')).toEqual({ passed: 1, failed: 1, skipped: 1 })
  writeFileSync(join(scratch.root, 'b.spec.ts'), `throw new Error('It does not load')`)
  expect(await runBrowserTests(scratch.root, 'ignore')).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

it('the count of a run is printed as one line, which names skipped tests only if there are any', () => {
  expect(summaryLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed')
  expect(summaryLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped')
})
