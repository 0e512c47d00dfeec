import { captureCommand } from '@mintmark/devkit/command-output'
import { type TestDatabase, withBlockedSessions } from '@mintmark/devkit/testing'
import { openDatabase, runCommandLine } from '@mintmark/server-kit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Tables } from '../database/tables.ts'
import { listDecisions } from '../http/operator/decisions.ts'
import { createFacilitatorDatabase } from '../testing-database.ts'
import { sessionCommands } from './sessions.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createFacilitatorDatabase()
})
afterAll(() => database?.drop())

/** Runs a command as from a shell. */
const run = (...args: string[]) => {
  const SECRET_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`
  return captureCommand({ DATABASE_URL: database.url, SECRET_KEYS, AUTO_MIGRATE: 'true' }, () =>
    runCommandLine({ program: 'mintmark-facilitator', version: '0' }, sessionCommands, args),
  )
}

it('ends the session that has the lock of a migration, by the name of the person who does it', async () => {
  const blocking = {
    url: database.url,
    program: 'import-script',
    statement: `select pg_advisory_xact_lock(hashtextextended('migrate facilitator', 0))`,
  }
  let sessionId = 0
  await withBlockedSessions(blocking, async ({ released }) => {
    const listBlocked = async () => JSON.parse((await run('sessions', 'blocked')).out)
    await expect.poll(listBlocked).toHaveLength(1)
    const [{ blockers }] = await listBlocked()
    const [blocker] = blockers
    sessionId = blocker.sessionId
    const end = () =>
      run('sessions', 'end', String(sessionId), '--started', blocker.startTime, '--actor', 'ada')
    expect(JSON.parse((await end()).out)).toEqual({ sessionId, program: 'import-script', hasEnded: true })
    await released
    expect(await end()).toMatchObject({ status: 2, error: expect.stringContaining('No session waits') })
  })
  const opened = openDatabase<Tables>({ url: database.url, max: 1 })
  try {
    const list = { subject: `session/${sessionId}`, before: undefined, size: 2 }
    expect(await listDecisions(opened.system, list)).toMatchObject([
      { actor: 'ada', operation: 'operatorHealth.endSession', program: 'import-script' },
    ])
  } finally {
    await opened.close()
  }
})
