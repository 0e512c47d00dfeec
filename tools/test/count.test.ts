import { spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch-folder.ts'
import { repositoryRoot } from '../workspace.ts'
import { summaryLine } from './count.ts'

/** Runs a vitest of its own over some test files, in a process of its own, and returns the counts. */
function countOf(files: Readonly<Record<string, string>>): unknown {
  const run = `
    import { startVitest } from 'vitest/node'
    import { countingReporter } from ${JSON.stringify(join(repositoryRoot, 'tools/test/count.ts'))}
    const counting = countingReporter((count) => process.stdout.write(JSON.stringify(count)))
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

describe('counting a run', () => {
  it('counts what passed, failed and was skipped', () => {
    const file = `${head}it('a', () => {}); it('b', () => { expect(1).toBe(2) }); it.skip('c', () => {}); it.todo('d')`
    expect(countOf({ 'a.test.ts': file, 'b.test.ts': `${head}it('e', () => {})` })).toEqual({
      passed: 2,
      failed: 1,
      skipped: 2,
    })
  })

  it.each([
    ['a file that does not load', `throw new Error('no')`],
    [
      'an unhandled error',
      `it('a', () => { setTimeout(() => { throw new Error('late') }); return new Promise((done) => setTimeout(done, 50)) })`,
    ],
    [
      'a hook that throws',
      `describe('s', () => { beforeAll(() => { throw new Error('no') }); it('a', () => {}) })`,
    ],
  ])('counts %s as failed', (_name, body) => {
    expect(countOf({ 'a.test.ts': head + body })).toMatchObject({ failed: 1 })
  })

  it('is printed as one line, which names skipped tests only if there are any', () => {
    expect(summaryLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed')
    expect(summaryLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped')
  })
})
