import { captureCommand } from '@mintmark/devkit/command-output'
import { withBlockedSessions } from '@mintmark/devkit/testing'
import { runCommandLine } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../testing/gateway.ts'
import { sessionCommands } from './sessions.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway?.close())

/** Runs a command as from a shell. */
const run = (...args: string[]) => {
  const environment = { DATABASE_URL: gateway.url, SECRET_KEYS: gateway.secretKeys, AUTO_MIGRATE: 'true' }
  return captureCommand(environment, () =>
    runCommandLine({ program: 'mintmark-gateway', version: '0' }, sessionCommands, args),
  )
}

it('ends the session that blocks others, by the name of the person who does it', async () => {
  // The lock of a migration, which must not stop the commands.
  const statement = `select pg_advisory_xact_lock(hashtextextended('migrate gateway', 0))`
  await withBlockedSessions(
    { url: gateway.url, program: 'import-script', statement },
    async ({ released }) => {
      const listBlocked = async () => JSON.parse((await run('sessions', 'blocked')).out)
      await expect.poll(listBlocked).toHaveLength(1)
      const [{ blockers }] = await listBlocked()
      const [{ sessionId, startTime, program }] = blockers
      expect(program).toBe('import-script')
      const end = () => run('sessions', 'end', String(sessionId), '--started', startTime, '--actor', 'ada')
      expect(JSON.parse((await end()).out)).toEqual({ sessionId, program, hasEnded: true })
      await released
      const again = await end()
      expect(again).toMatchObject({ status: 2, error: expect.stringContaining('No session waits') })
    },
  )
  const { rows } = await sql<{ actor: string }>`
    select distinct actor from gateway.row_changes where relation = 'session_ends'`.execute(
    gateway.owner.system,
  )
  expect(rows).toEqual([{ actor: 'command:sessions end (ada)' }])
})
