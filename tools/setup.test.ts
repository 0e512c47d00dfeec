import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { scratchFolder } from './scratch-folder.ts'
import { repositoryRoot } from './workspace.ts'

/** Replaces npm: records each call and its folder, and leaves what an installation of `node` does. */
const npm = `
const fs = require('node:fs')
const path = require('node:path')
const folder = path.relative(__dirname, process.cwd())
fs.appendFileSync(path.join(__dirname, 'installs.txt'), [folder || '.', ...process.argv.slice(2)].join(' ') + '\\n')
setTimeout(() => {
  if (fs.existsSync('broken')) process.exit(3)
  fs.mkdirSync('node_modules/node/bin', { recursive: true })
  fs.writeFileSync('node_modules/node/package.json', JSON.stringify({ version: process.versions.node }))
  if (!fs.existsSync('node_modules/node/bin/node')) fs.symlinkSync(process.execPath, 'node_modules/node/bin/node')
}, 300)
`

let scratch: ReturnType<typeof scratchFolder>
const at = (path: string) => join(scratch.root, path)
const put = (path: string, content: string) => {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), content)
}
const installs = () => readFileSync(at('installs.txt'), 'utf8').trim().split('\n')

beforeEach(() => {
  scratch = scratchFolder({
    'package-lock.json': '{}',
    'npm-cli.cjs': npm,
    'tools/hello/main.ts': `console.log('hello', ...process.argv.slice(2))`,
  })
  copyFileSync(join(repositoryRoot, 'tools/setup.mjs'), at('tools/setup.mjs'))
})
afterEach(() => scratch[Symbol.dispose]())

function start(...parameters: string[]) {
  return spawn(process.execPath, [at('tools/setup.mjs'), ...parameters], {
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, npm_execpath: at('npm-cli.cjs') },
  })
}

async function run(...parameters: string[]) {
  const child = start(...parameters)
  const [output, errors, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { status, output, errors }
}

it('installs the lockfile, then runs the task with its arguments, and installs nothing the second time', async () => {
  expect(await run('hello', 'a b', '--c')).toMatchObject({ status: 0, output: 'hello a b --c\n' })
  expect(await run('hello')).toEqual({ status: 0, output: 'hello\n', errors: '' })
  expect(installs()).toEqual(['. install --no-save --include=dev --no-audit --no-fund --loglevel=error'])
  put('package-lock.json', '{"changed":true}')
  await run('hello')
  expect(installs()).toHaveLength(2)
})

it('installs once when two tasks start at the same time', async () => {
  const both = await Promise.all([run('hello'), run('hello')])
  expect(both.map(({ output }) => output)).toEqual(['hello\n', 'hello\n'])
  expect(installs()).toHaveLength(1)
})

it('removes the lock of an installation that died', async () => {
  const dead = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  await once(dead, 'close')
  put('.mintmark-installing', String(dead.pid))
  expect(await run('hello')).toMatchObject({ status: 0, output: 'hello\n' })
  expect(existsSync(at('.mintmark-installing'))).toBe(false)
})

it('reports a failed installation and retries the next time', async () => {
  put('broken', '')
  const { status, errors } = await run('hello')
  expect(status).toBe(1)
  expect(errors).toContain('npm install failed')
  rmSync(at('broken'))
  expect(await run('hello')).toMatchObject({ status: 0, output: 'hello\n' })
})

it('refuses another Node than that of the lockfile, and an unknown task', async () => {
  expect((await run('nothing')).errors).toContain('There is no task "nothing"')
  await run('hello')
  put('node_modules/node/package.json', JSON.stringify({ version: '24.0.1' }))
  const { status, errors } = await run('hello')
  expect(status).toBe(1)
  expect(errors).toContain(`is v${process.versions.node}, not v24.0.1`)
})

it('puts the Node of the lockfile first on PATH and ends with the status of the task', async () => {
  put(
    'tools/look/part.ts',
    `console.log(process.env.PATH.split(':')[0], process.execArgv.join(' ')); process.exitCode = 7`,
  )
  const output = `${at('node_modules/node/bin')} --conditions=@mintmark/source\n`
  expect(await run('look:part')).toMatchObject({ status: 7, output })
})

it('installs for npm start only what runs, and keeps the packages of development that are installed', async () => {
  put('tools/start/main.ts', `console.log('started')`)
  expect(await run('start')).toMatchObject({ status: 0, output: 'started\n' })
  expect(installs()).toEqual([
    '. install --no-save --omit=dev --no-audit --no-fund --loglevel=error',
    '. install --no-save --include=dev --workspace=packages/console --no-audit --no-fund --loglevel=error',
  ])
  await run('start')
  expect(installs()).toHaveLength(2)
  await run('hello')
  expect(installs()).toHaveLength(3)
  await run('start')
  expect(installs()).toHaveLength(3)
  put('package-lock.json', '{"changed":true}')
  await run('start')
  expect(installs().slice(3)).toEqual([
    '. install --no-save --include=dev --no-audit --no-fund --loglevel=error',
  ])
})

it('installs the other lockfiles that a task needs, each when it has changed', async () => {
  put('docs/package-lock.json', '{}')
  put('docs/site/main.ts', `console.log('served')`)
  const count = (folder: string) => installs().filter((call) => call.startsWith(`${folder} `)).length
  await run('docs/site/main.ts')
  expect([count('.'), count('docs')]).toEqual([2, 1])
  put('docs/package-lock.json', '{"changed":true}')
  await run('docs/site/main.ts')
  expect([count('.'), count('docs')]).toEqual([2, 2])
})

it('runs a task outside of tools by its path', async () => {
  put('docs/package-lock.json', '{}')
  put('docs/site/main.ts', `console.log('served', ...process.argv.slice(2))`)
  expect(await run('docs/site/main.ts', '--port', '1')).toMatchObject({
    status: 0,
    output: 'served --port 1\n',
  })
  expect((await run('docs/site/missing.ts')).errors).toContain('There is no task "docs/site/missing.ts"')
})

it('ends the task when the shell in which npm runs it has ended', async () => {
  const body = `process.on('SIGTERM', () => { console.log('stopping'); process.exit(5) })`
  put('tools/wait/main.ts', `setTimeout(() => {}, 100_000); ${body}; console.log('up')`)
  // The second command prevents that the shell replaces itself by the first one.
  const shell = spawn('sh', ['-c', `"${process.execPath}" "${at('tools/setup.mjs')}" wait; true`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, npm_execpath: at('npm-cli.cjs'), npm_lifecycle_event: 'start' },
  })
  shell.stdout.once('data', () => shell.kill('SIGTERM'))
  // The pipe is closed when the task has ended too.
  expect(await text(shell.stdout)).toBe('up\nstopping\n')
})

it('passes SIGTERM on and waits for the task to end', async () => {
  const body = `process.on('SIGTERM', () => { console.log('stopping'); process.exit(5) })`
  put('tools/wait/main.ts', `setTimeout(() => {}, 100_000); ${body}; console.log('up')`)
  const child = start('wait')
  child.stdout.once('data', () => child.kill('SIGTERM'))
  const [[status]] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  expect(status).toBe(5)
})
