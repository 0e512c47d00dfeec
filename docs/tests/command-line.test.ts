import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { KINDS } from '../../packages/mintmark/src/cli/errors.ts'
import { repositoryRoot } from '../../tools/workspace.ts'
import { startServers } from './servers.ts'

const run = promisify(execFile)
const guide = readFileSync(join(repositoryRoot, 'docs', 'guides', 'command-line.md'), 'utf8')
/** The blocks that a test can run; the others begin with ` ```sh no-run `. */
const scripts = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, script = '']) => script)

const stops = new AsyncDisposableStack()
const folder = mkdtempSync(join(tmpdir(), 'mintmark-guide-'))
const programs = join(folder, 'programs')

beforeAll(async () => {
  const prepare = await startServers(stops)
  const { credentials } = await prepare('command-line')
  mkdirSync(join(folder, '.mintmark'))
  writeFileSync(join(folder, '.mintmark', 'credentials.json'), JSON.stringify(credentials))
  const main = join(repositoryRoot, 'packages', 'mintmark', 'src', 'cli', 'main.ts')
  mkdirSync(programs)
  const program = join(programs, 'mintmark')
  writeFileSync(
    program,
    `#!/bin/sh\nexec '${process.execPath}' --conditions=@mintmark/source '${main}' "$@"\n`,
  )
  chmodSync(program, 0o755)
})
afterAll(() => stops.disposeAsync())

it('docs/guides/command-line.md has commands that succeed, in their order', async () => {
  expect(scripts.length).toBeGreaterThan(8)
  const { stdout, stderr } = await run('bash', ['-e', '-c', scripts.join('\n')], {
    cwd: folder,
    env: { PATH: `${programs}${delimiter}${process.env.PATH}`, HOME: folder },
  })
  expect(stdout).toContain('"name":"A free coffee"')
  expect(stderr).toContain('cards.csv: all 2 rows are imported.\n')
  expect(stderr).toContain('days.csv: all 2 rows are imported.\n')
  expect(readFileSync(join(folder, 'promo-codes.csv'), 'utf8')).toContain('A free coffee')
})

it('docs/guides/command-line.md lists the exit code of every kind of error', () => {
  const rows = [...guide.matchAll(/^\| (\d+) \| `(\w+)`/gm)].map(([, code, kind]) => [kind, Number(code)])
  expect(rows).toEqual(Object.entries(KINDS).map(([kind, { exitCode }]) => [kind, exitCode]))
})
