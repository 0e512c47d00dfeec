import { expect, it } from 'vitest'
import { startJobs } from './jobs.ts'
import { createLog } from './log.ts'

const HOUR_MS = 3_600_000
const silent = { log: createLog('jobs', 'silent'), removeSecrets: (error: unknown) => error }

it('runAll runs every job without waiting for its pause', async () => {
  const runs = { first: 0, second: 0 }
  const jobs = startJobs(
    [
      { name: 'first', everyMs: HOUR_MS, run: async () => (runs.first += 1) },
      { name: 'second', everyMs: HOUR_MS, run: async () => (runs.second += 1) },
    ],
    silent,
  )
  await jobs.runAll()
  await jobs.runAll()
  await jobs.stop()
  expect(runs.first).toBeGreaterThanOrEqual(2)
  expect(runs.second).toBe(runs.first)
})

it('runAll waits for a run that began after the call, not for the one in progress', async () => {
  let value = 'old'
  const seen: string[] = []
  let release = () => {}
  const blocked = new Promise<void>((resolve) => {
    release = resolve
  })
  const run = async () => {
    seen.push(value)
    await blocked
  }
  const jobs = startJobs([{ name: 'reads', everyMs: HOUR_MS, run }], silent)
  value = 'new'
  const done = jobs.runAll()
  release()
  await done
  await jobs.stop()
  expect(seen).toEqual(['old', 'new'])
})

it('runAll describes the failure of a job without its secrets', async () => {
  const lines: string[] = []
  const log = createLog('jobs', 'info', { write: (line) => void lines.push(line) })
  const run = async () => {
    throw new Error('http://node/secret-key failed')
  }
  const removeSecrets = () => new Error('the node failed')
  const jobs = startJobs([{ name: 'reads', everyMs: HOUR_MS, run }], { log, removeSecrets })
  await jobs.runAll()
  expect(jobs.list()).toMatchObject([{ name: 'reads', problem: 'the node failed' }])
  await jobs.stop()
  expect(lines.join('')).toContain('the node failed')
  expect(lines.join('')).not.toContain('secret-key')
})

it('runAll resolves when a job fails, and when the jobs are stopped', async () => {
  const run = async () => {
    throw new Error('broken')
  }
  const jobs = startJobs([{ name: 'fails', everyMs: HOUR_MS, run }], silent)
  await jobs.runAll()
  const last = jobs.runAll()
  await jobs.stop()
  await last
  await jobs.runAll()
})
