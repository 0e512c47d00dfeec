import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { scratchFolder } from '../scratch-folder.ts'
import { runLocked } from './process-lock.ts'

const module = new URL('./process-lock.ts', import.meta.url).href

/** Writes to a log when the work begins and ends, and takes a moment in between. */
const program = (root: string) => `
  import { appendFileSync } from 'node:fs'
  import { runLocked } from ${JSON.stringify(module)}
  const log = (text) => appendFileSync(${JSON.stringify(join(root, 'log'))}, text)
  runLocked(${JSON.stringify(join(root, 'lock'))}, () => {
    log('(')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    log(')')
  })`

it('lets one process at a time do the work', async () => {
  using scratch = scratchFolder({ log: '' })
  const { root } = scratch
  const statuses = Array.from({ length: 4 }, () => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program(root)], {
      stdio: 'inherit',
    })
    return new Promise((resolve) => child.once('exit', resolve))
  })
  expect(await Promise.all(statuses)).toEqual([0, 0, 0, 0])
  expect(readFileSync(join(root, 'log'), 'utf8')).toBe('()()()()')
  expect(existsSync(join(root, 'lock'))).toBe(false)
})

it('removes the lock of a process that died, and its own when the work fails', () => {
  using scratch = scratchFolder({})
  const lock = join(scratch.root, 'below', 'lock')
  runLocked(lock, () => expect(readFileSync(lock, 'utf8')).toBe(String(process.pid)))
  const { pid } = spawnSync(process.execPath, ['--version'])
  writeFileSync(lock, String(pid))
  expect(runLocked(lock, () => 'done')).toBe('done')
  const fail = () => {
    throw new Error('The work failed')
  }
  expect(() => runLocked(lock, fail)).toThrow('The work failed')
  expect(existsSync(lock)).toBe(false)
})
