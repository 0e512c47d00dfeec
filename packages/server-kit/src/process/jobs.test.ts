import { describe, expect, it } from 'vitest'
import { startJobs } from './jobs.ts'
import { createLog } from './log.ts'

const HOUR_MS = 3_600_000
const silent = createLog('jobs', 'silent')

describe('runAll', () => {
  it('runs every job without waiting for its pause', async () => {
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

  it('waits for a run that began after the call, not for the one in progress', async () => {
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

  it('resolves when a job fails, and when the jobs are stopped', async () => {
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
})
