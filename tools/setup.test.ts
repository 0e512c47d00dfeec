import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { repositoryRoot } from './workspace.ts'

/** Stands for npm and its registry: notes each call, takes a moment, and leaves behind what an install of `node` would. */
const npm = `
const fs = require('node:fs')
fs.appendFileSync('installs.txt', process.argv.slice(2).join(' ') + '\\n')
setTimeout(() => {
  if (fs.existsSync('broken')) process.exit(3)
  fs.mkdirSync('node_modules/node/bin', { recursive: true })
  fs.writeFileSync('node_modules/node/package.json', JSON.stringify({ version: process.versions.node }))
  if (!fs.existsSync('scriptless') && !fs.existsSync('node_modules/node/bin/node')) fs.symlinkSync(process.execPath, 'node_modules/node/bin/node')
}, 300)
`

let root: string
const at = (path: string) => join(root, path)
const put = (path: string, content: string) => {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), content)
}
const task = (name: string, body: string) => put(`tools/${name}/main.ts`, body)
const installs = () =>
  existsSync(at('installs.txt')) ? readFileSync(at('installs.txt'), 'utf8').trim().split('\n') : []

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mintmark set-up '))
  mkdirSync(at('tools'))
  copyFileSync(join(repositoryRoot, 'tools/setup.mjs'), at('tools/setup.mjs'))
  put(
    'package-lock.json',
    JSON.stringify({ packages: { '': {}, 'node_modules/node': { version: process.versions.node } } }),
  )
  put('npm-cli.cjs', npm)
  task('hello', `console.log('hello', ...process.argv.slice(2))`)
})
afterEach(() => rmSync(root, { recursive: true }))

function begin(...parameters: string[]): ChildProcess & { output: Promise<string>; errors: Promise<string> } {
  const child = spawn(process.execPath, [at('tools/setup.mjs'), ...parameters], {
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, npm_execpath: at('npm-cli.cjs') },
  })
  return Object.assign(child, { output: text(child.stdout), errors: text(child.stderr) })
}

async function run(...parameters: string[]) {
  const child = begin(...parameters)
  const [status, signal] = await once(child, 'close')
  return { status, signal, output: await child.output, errors: await child.errors }
}

describe('setting up', () => {
  it('installs what the lockfile names, then runs the task with its arguments', async () => {
    const { status, output } = await run('hello', 'a b', '--c')
    expect({ status, output }).toEqual({ status: 0, output: 'hello a b --c\n' })
    expect(installs()).toEqual(['install --no-save --include=dev --no-audit --no-fund --loglevel=error'])
  })

  it('says nothing and installs nothing the second time', async () => {
    await run('hello')
    expect(await run('hello')).toEqual({ status: 0, signal: null, output: 'hello\n', errors: '' })
    expect(installs()).toHaveLength(1)
  })

  it('installs again when the lockfile has changed', async () => {
    await run('hello')
    put('package-lock.json', JSON.stringify({ packages: { '': { name: 'changed' } } }))
    await run('hello')
    await run('hello')
    expect(installs()).toHaveLength(2)
  })

  it('installs once when two calls come at once', async () => {
    const both = await Promise.all([run('hello'), run('hello')])
    expect(both.map(({ status, output }) => ({ status, output }))).toEqual([
      { status: 0, output: 'hello\n' },
      { status: 0, output: 'hello\n' },
    ])
    expect(installs()).toHaveLength(1)
  })

  it('passes over an install that died half-way', async () => {
    const gone = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
    await once(gone, 'close')
    put('.mintmark-installing', String(gone.pid))
    expect(await run('hello')).toMatchObject({ status: 0, output: 'hello\n' })
    expect(existsSync(at('.mintmark-installing'))).toBe(false)
  })

  it('keeps what somebody installed by hand', async () => {
    await run('hello')
    const changed = JSON.stringify({ packages: { '': {}, 'node_modules/ky': { version: '2.0.0' } } })
    put('package-lock.json', changed)
    put('node_modules/.package-lock.json', changed)
    await run('hello')
    expect(installs()).toHaveLength(1)
  })

  it('installs over an install by hand of something else', async () => {
    await run('hello')
    put(
      'package-lock.json',
      JSON.stringify({ packages: { '': {}, 'node_modules/node': { version: '1.0.1' } } }),
    )
    put(
      'node_modules/.package-lock.json',
      JSON.stringify({ packages: { 'node_modules/node': { version: '1.0.0' } } }),
    )
    await run('hello')
    expect(installs()).toHaveLength(2)
  })

  it('says so when the install fails, and tries again the next time', async () => {
    put('broken', '')
    const { status, output, errors } = await run('hello')
    expect({ status, output }).toEqual({ status: 1, output: '' })
    expect(errors).toContain('npm install ended with status 3')
    rmSync(at('broken'))
    expect(await run('hello')).toMatchObject({ status: 0, output: 'hello\n' })
  })

  it('says what to do when the Node of the lockfile is not there', async () => {
    put('scriptless', '')
    const { status, errors } = await run('hello')
    expect(status).toBe(1)
    expect(errors).toContain(
      `${join('node_modules', 'node', 'bin', 'node')} is missing. Remove node_modules and run this again.`,
    )
  })

  it('refuses another Node than the one of the lockfile', async () => {
    await run('hello')
    put('node_modules/node/package.json', JSON.stringify({ version: '24.0.1' }))
    const { status, errors } = await run('hello')
    expect(status).toBe(1)
    expect(errors).toContain(`is v${process.versions.node}, not v24.0.1`)
  })

  it('names the tasks when it is asked for another', async () => {
    const { status, errors } = await run('nothing')
    expect(status).toBe(1)
    expect(errors).toBe('There is no task "nothing". Tasks: hello.\n')
  })
})

describe('running a task', () => {
  it('puts the Node of the lockfile first on the path, and reads the packages from their sources', async () => {
    task('look', `console.log(process.env.PATH.split(':')[0], process.execArgv.join(' '), process.cwd())`)
    const { output } = await run('look')
    expect(output).toBe(`${at('node_modules/node/bin')} --conditions=@mintmark/source ${root}\n`)
  })

  it('finds the parts of a task by their name', async () => {
    put('tools/hello/twice.ts', `console.log('hello hello')`)
    expect(await run('hello:twice')).toMatchObject({ status: 0, output: 'hello hello\n' })
  })

  it('ends with the status of the task', async () => {
    task('fail', 'process.exitCode = 7')
    expect(await run('fail')).toMatchObject({ status: 7 })
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'passes %s on and waits for the task to end',
    async (signal) => {
      task(
        'wait',
        `setInterval(() => {}, 1000); process.on('${signal}', () => { console.log('stopping'); process.exit(5) }); console.log('up')`,
      )
      const child = begin('wait')
      child.stdout?.once('data', () => child.kill(signal))
      const [status] = await once(child, 'close')
      expect({ status, output: await child.output }).toEqual({ status: 5, output: 'up\nstopping\n' })
    },
  )

  it('ends as the shell would say it when a signal ended the task', async () => {
    task('die', `process.kill(process.pid, 'SIGKILL')`)
    expect(await run('die')).toMatchObject({ status: 137 })
  })
})
