import { once } from 'node:events'
import { expect, it } from 'vitest'
import { repositoryRoot } from '../workspace.ts'
import { startGroup } from './process-group.ts'

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

it('a build beside npm start ends with the compiler that it waits for', async () => {
  const compiler = 'console.log(process.pid); setInterval(() => {}, 1000)'
  const build = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(compiler)}], { stdio: 'inherit' })`
  const group = startGroup(['-e', build], repositoryRoot)
  const failed = expect(group.done).rejects.toThrow('ended with SIGTERM')
  const [printed] = await once(group.child.stdout ?? group.child, 'data')
  const pid = Number(String(printed))
  expect(isAlive(pid)).toBe(true)
  group.end()
  await failed
  await expect.poll(() => isAlive(pid)).toBe(false)
  group.end()
})

it('a build beside npm start fails with what it printed', async () => {
  const group = startGroup(['-e', "console.log('error TS1'); process.exit(2)"], repositoryRoot)
  await expect(group.done).rejects.toThrow(/ended with 2:\nerror TS1/)
})
