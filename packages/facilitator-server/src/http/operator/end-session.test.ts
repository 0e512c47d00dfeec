// Ending a session of the database for which others wait: which sessions, by whom, and what the decisions of
// operators have of it.
import { randomBytes } from 'node:crypto'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { withBlockedSessions, withCrashingEnd } from '@mintmark/devkit/testing'
import { type OperatorHealth, operatorDecisions, operatorHealth } from '@mintmark/facilitator/operator'
import { openDatabase, type SessionIdentity } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Tables } from '../../database/tables.ts'
import { type TestFacilitator, testFacilitator } from '../../testing.ts'
import { endSession } from './end-session.ts'
import { by, OPERATOR_TOKEN, operatorClient } from './testing-operator.ts'

const stops = new AsyncDisposableStack()
let facilitator: TestFacilitator
/** Connections of a superuser, who owns the schema in tests. */
let owner: ReturnType<typeof openDatabase<Tables>>['system']
beforeAll(async () => {
  facilitator = await testFacilitator({
    chain: await testChain(),
    signerKeys: [devAccount(9).privateKey],
    env: { OPERATOR_TOKEN },
  })
  stops.defer(() => facilitator.close())
  const database = openDatabase<Tables>({ url: facilitator.databaseUrl, max: 2 })
  stops.defer(() => database.close())
  owner = database.system
})
afterAll(() => stops.disposeAsync())

const alice = by('alice')
/** The beginning of a session of a superuser, as others name it. */
const UNREADABLE = '1970-01-01T00:00:00.000Z'
const operator = () => operatorClient(facilitator.url)
const newLock = () => `select pg_advisory_xact_lock(${randomBytes(4).readInt32BE()})`
const readBlocked = async () => (await operatorHealth.get(operator())).blockedSessions

/** Waits until a session that blocks others is listed, and names it. */
async function findBlocking(
  list: () => Promise<OperatorHealth['blockedSessions']> = readBlocked,
): Promise<SessionIdentity> {
  let found: SessionIdentity | undefined
  await expect
    .poll(async () => {
      const blocked = await list()
      const isBlocked = (id: number) => blocked.some(({ sessionId }) => sessionId === id)
      // A session that waits blocks those that came later, such as a job of the server.
      const blocker = blocked.flatMap(({ blockers }) => blockers).find((each) => !isBlocked(each.sessionId))
      found = blocker && { sessionId: blocker.sessionId, startTime: blocker.startTime ?? UNREADABLE }
      return found?.sessionId
    })
    .toEqual(expect.any(Number))
  if (found === undefined) throw new Error('No session blocks others')
  return found
}

async function countSessions({ sessionId }: SessionIdentity): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity where pid = ${sessionId}`.execute(owner)
  return rows[0]?.count ?? 0
}

const listDecisions = async ({ sessionId }: SessionIdentity) =>
  (await operatorDecisions.list(operator(), { subject: `session/${sessionId}` })).decisions

const refused = (message: string) => ({
  status: 409,
  reason: 'decision_refused',
  message: expect.stringContaining(message),
})

it('operatorHealth.endSession ends a session for which others wait, and records who did so among the decisions', async () => {
  await withBlockedSessions(
    { url: facilitator.databaseUrl, count: 2, statement: newLock() },
    async ({ holder, released }) => {
      const identity = await findBlocking()
      const { sessionId } = identity
      expect(await readBlocked()).toMatchObject(
        Array(2).fill({ program: 'shop', statement: '', blockers: expect.any(Array) }),
      )
      expect(await operatorHealth.endSession(operator(), identity, alice)).toEqual({
        sessionId,
        program: 'shop',
        hasEnded: true,
      })
      await released
      expect(await countSessions(identity)).toBe(0)
      await expect(holder.query('select 1')).rejects.toThrow()
      expect(await listDecisions(identity)).toMatchObject([
        { actor: 'alice', operation: 'operatorHealth.endSession', program: 'shop', reason: '' },
      ])
    },
  )
  expect(await readBlocked()).toEqual([])
})

it('operatorHealth.endSession refuses calls without the token, without an actor, and with an input that names no session', async () => {
  await withBlockedSessions({ url: facilitator.databaseUrl, statement: newLock() }, async () => {
    const identity = await findBlocking()
    const send = (body: object, headers: Record<string, string> = {}) =>
      fetch(`${facilitator.url}/operator/v1/health/endSession`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${OPERATOR_TOKEN}`,
          'x-mintmark-actor': 'alice',
          ...headers,
        },
        body: JSON.stringify(body),
      })
    const { token } = await facilitator.account()
    expect((await send(identity, { authorization: `Bearer ${token}` })).status).toBe(401)
    expect((await send(identity, { 'x-mintmark-actor': '' })).status).toBe(400)
    const { sessionId, startTime } = identity
    for (const body of [
      { startTime },
      { sessionId },
      { sessionId: 0, startTime },
      { sessionId: `${sessionId} or true`, startTime },
      { sessionId, startTime: 'yesterday' },
      { sessionId, startTime: `${startTime}' or true --` },
    ])
      expect((await send(body)).status).toBe(400)
    for (const unknown of [2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1]) {
      const response = await send({ sessionId: unknown, startTime })
      expect([response.status, await response.json()]).toMatchObject([409, { error: 'decision_refused' }])
    }
    expect(await countSessions(identity)).toBe(1)
  })
})

it('operatorHealth.endSession refuses an Idempotency-Key of another change, and ends a session once for a repeated call', async () => {
  const once = by('alice', { idempotencyKey: `end-${randomBytes(8).toString('hex')}` })
  const end = (identity: SessionIdentity) => operatorHealth.endSession(operator(), identity, once)
  await withBlockedSessions({ url: facilitator.databaseUrl, statement: newLock() }, async () => {
    const identity = await findBlocking()
    expect(await end(identity)).toMatchObject({ hasEnded: true })
    await expect(end(identity)).rejects.toMatchObject(refused('No session waits'))
    expect(await listDecisions(identity)).toHaveLength(1)
  })
  await withBlockedSessions({ url: facilitator.databaseUrl, statement: newLock() }, async () => {
    const identity = await findBlocking()
    await expect(end(identity)).rejects.toThrow('was used for another change')
    expect(await countSessions(identity)).toBe(1)
    expect(await listDecisions(identity)).toEqual([])
  })
})

it('operatorHealth.endSession ends a session that has locked the decisions, and records it afterwards', async () => {
  const statement = 'lock table facilitator.operator_decisions in access exclusive mode'
  await withBlockedSessions({ url: facilitator.databaseUrl, statement }, async () => {
    const identity = await findBlocking()
    expect(await operatorHealth.endSession(operator(), identity, alice)).toMatchObject({ hasEnded: true })
    expect(await listDecisions(identity)).toHaveLength(1)
  })
})

it('operatorHealth.endSession has recorded the decision when the process ends before the session does', async () => {
  await withBlockedSessions({ url: facilitator.databaseUrl, statement: newLock() }, async () => {
    const identity = await findBlocking()
    await withCrashingEnd<Tables>(facilitator.databaseUrl, (db) =>
      expect(endSession(db, identity, { actor: 'alice' })).rejects.toThrow('crash'),
    )
    expect(await listDecisions(identity)).toMatchObject([{ actor: 'alice' }])
    expect(await countSessions(identity)).toBe(1)
  })
})
