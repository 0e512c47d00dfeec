// Ending a session of the database for which others wait: which sessions, by whom, and what the audit log has
// of it.
import { randomBytes } from 'node:crypto'
import { Role, type ServerHealth, serverAudit, serverHealth } from '@mintmark/admin'
import { withBlockedSessions, withCrashingEnd } from '@mintmark/devkit/testing'
import type { GatewayClient } from '@mintmark/operation'
import {
  LISTED_SESSIONS,
  listBlockedSessions,
  openDatabase,
  type SessionIdentity,
} from '@mintmark/server-kit'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Tables } from '../database/tables.ts'
import { addPerson, setOperator } from '../testing/console-person.ts'
import { recordAudit } from '../testing/event-streams.ts'
import { type TestGateway, testGateway } from '../testing/gateway.ts'
import { clientOf } from '../testing/samples/calls.ts'
import { endSession } from './end-session.ts'

let gateway: TestGateway
let client: GatewayClient
beforeAll(async () => {
  gateway = await testGateway()
  const scopes = ['operator:read', 'operator:write']
  client = clientOf(gateway, await gateway.newKey({ project: 'operations', scopes }))
})
afterAll(() => gateway?.close())

const newLock = () => `select pg_advisory_xact_lock(${randomBytes(4).readInt32BE()})`

const readHealthOf = (reader: GatewayClient) => async () => (await serverHealth.get(reader)).blockedSessions

/** Waits until a session that blocks others is listed, and names it. */
async function findBlocking(
  list: () => Promise<ServerHealth['blockedSessions']> = readHealthOf(client),
): Promise<SessionIdentity> {
  let found: SessionIdentity | undefined
  await expect
    .poll(async () => {
      const blocked = await list()
      const isBlocked = (id: number) => blocked.some(({ sessionId }) => sessionId === id)
      // A session that waits blocks those that came later, such as a job of the server.
      const blocker = blocked.flatMap(({ blockers }) => blockers).find((each) => !isBlocked(each.sessionId))
      found = blocker && { sessionId: blocker.sessionId, startTime: blocker.startTime ?? '' }
      return found?.sessionId
    })
    .toEqual(expect.any(Number))
  if (found === undefined) throw new Error('No session blocks others')
  return found
}

async function countSessions({ sessionId }: SessionIdentity): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity where pid = ${sessionId}`.execute(
    gateway.owner.system,
  )
  return rows[0]?.count ?? 0
}

async function listEnds(): Promise<readonly { session_id: number; ended_at: Date | null }[]> {
  return await gateway.owner.system
    .selectFrom('gateway.session_ends')
    .select(['session_id', 'ended_at'])
    .orderBy('id', 'desc')
    .execute()
}

const refused = (message: string) => ({
  reason: 'DECISION_REFUSED',
  message: expect.stringContaining(message),
})

it('serverHealth.endSession ends a session for which others wait, whose statements then continue', async () => {
  await withBlockedSessions(
    { url: gateway.url, count: 2, statement: newLock() },
    async ({ holder, released }) => {
      const identity = await findBlocking()
      const { sessionId } = identity
      expect(await serverHealth.endSession(client, identity)).toEqual({
        sessionId,
        program: 'shop',
        hasEnded: true,
      })
      await released
      expect(await countSessions(identity)).toBe(0)
      await expect(holder.query('select 1')).rejects.toThrow()
    },
  )
  expect((await serverHealth.get(client)).blockedSessions).toEqual([])
})

it('serverHealth.endSession records in the audit log of the server which person ended which session', async () => {
  const { projectId: project } = gateway.key
  const email = 'operator@example.com'
  const browser = await addPerson(gateway, { email, role: Role.STAFF, project })
  await setOperator(gateway, email, true)
  const operator = browser.client()
  let sessionId = 0
  await withBlockedSessions({ url: gateway.url, statement: newLock() }, async () => {
    const identity = await findBlocking(readHealthOf(operator))
    sessionId = identity.sessionId
    await serverHealth.endSession(operator, identity)
  })
  await recordAudit(gateway)
  const { list } = await serverAudit.list(operator, { recordType: 'session_ends' })
  const entries = list.filter(({ recordId }) => recordId === list[0]?.recordId)
  expect(entries).toMatchObject([
    {
      action: 'UPDATED',
      actor: expect.stringMatching(/^person:/),
      changes: { ended_at: { after: expect.any(String) } },
    },
    {
      action: 'CREATED',
      actor: entries[0]?.actor,
      changes: {
        session_id: { after: sessionId },
        program: { after: 'shop' },
        database_role: { after: expect.any(String) },
        blocked_sessions: { after: 1 },
      },
    },
  ])
})

it('serverHealth.endSession refuses a session for which nobody waits any more, and lets it live', async () => {
  await withBlockedSessions({ url: gateway.url, statement: newLock() }, async ({ holder, released }) => {
    const identity = await findBlocking()
    await holder.query('rollback')
    await released
    const end = serverHealth.endSession(client, identity)
    await expect(end).rejects.toMatchObject(refused(`No session waits for the session ${identity.sessionId}`))
    expect((await holder.query('select 1 as alive')).rows).toEqual([{ alive: 1 }])
  })
})

it('serverHealth.endSession refuses a session that began at another time, because process ids are used again', async () => {
  await withBlockedSessions({ url: gateway.url, statement: newLock() }, async () => {
    const { sessionId, startTime } = await findBlocking()
    const earlier = new Date(Date.parse(startTime) - 1).toISOString()
    const end = serverHealth.endSession(client, { sessionId, startTime: earlier })
    await expect(end).rejects.toMatchObject(refused('No session waits'))
    expect(await countSessions({ sessionId, startTime })).toBe(1)
  })
})

it('serverHealth.endSession refuses the id of a session that no database can have', async () => {
  for (const sessionId of [2 ** 31, Number.MAX_SAFE_INTEGER]) {
    const end = serverHealth.endSession(client, { sessionId, startTime: new Date().toISOString() })
    await expect(end).rejects.toMatchObject(refused('No session waits'))
  }
})

it('serverHealth.endSession refuses a session of another database that has locked a row of the whole server', async () => {
  const { system } = gateway.owner
  const role = `shared_${randomBytes(4).toString('hex')}`
  await sql.raw(`create role ${role}`).execute(system)
  const other = await testGateway()
  const waiting = openDatabase<Tables>({ url: gateway.url, max: 1 })
  const holder = new pg.Client({ connectionString: other.url })
  try {
    await holder.connect()
    await holder.query(`begin; alter role ${role} connection limit 1`)
    const waits = sql.raw(`alter role ${role} connection limit 2`).execute(waiting.system)
    const identity = await findBlocking()
    const { blockedSessions } = await serverHealth.get(client)
    expect(blockedSessions.flatMap(({ blockers }) => blockers)).toMatchObject([{ isEndable: false }])
    const end = serverHealth.endSession(client, identity)
    await expect(end).rejects.toMatchObject(refused('belongs to another database'))
    await holder.query('rollback')
    await waits
  } finally {
    await holder.end()
    await waiting.close()
    await other.close()
    await sql.raw(`drop role ${role}`).execute(system)
  }
})

it('serverHealth.endSession is refused to keys that only read, and to people who are no operators', async () => {
  const { projectId: project } = gateway.key
  const owner = await addPerson(gateway, { email: 'owner@example.com', role: Role.OWNER, project })
  const reader = await gateway.newKey({ project: 'operations', scopes: ['operator:read', '*'] })
  await withBlockedSessions({ url: gateway.url, statement: newLock() }, async () => {
    const identity = await findBlocking()
    for (const caller of [clientOf(gateway, reader), owner.client(), owner.client(project)])
      await expect(serverHealth.endSession(caller, identity)).rejects.toMatchObject({ status: 403 })
    expect(await countSessions(identity)).toBe(1)
  })
})

it('serverHealth.endSession ends a session that has locked the tables of the audit log, and records it afterwards', async () => {
  const statement = 'lock table gateway.row_changes in access exclusive mode'
  await withBlockedSessions({ url: gateway.url, statement }, async () => {
    // The health reads a table that is locked. The command reads only this list.
    const identity = await findBlocking(() => listBlockedSessions(gateway.owner.system, LISTED_SESSIONS))
    expect(await serverHealth.endSession(client, identity)).toMatchObject({ hasEnded: true })
    expect((await listEnds())[0]).toEqual({ session_id: identity.sessionId, ended_at: expect.any(Date) })
  })
})

it('serverHealth.endSession has recorded the request when the process ends before the session does', async () => {
  await withBlockedSessions({ url: gateway.url, statement: newLock() }, async () => {
    const identity = await findBlocking()
    await withCrashingEnd<Tables>(gateway.url, (db) =>
      expect(endSession(db, identity)).rejects.toThrow('crash'),
    )
    expect((await listEnds())[0]).toEqual({ session_id: identity.sessionId, ended_at: null })
    expect(await countSessions(identity)).toBe(1)
    expect(await serverHealth.endSession(client, identity)).toMatchObject({ hasEnded: true })
  })
})

it('serverHealth.endSession lists sessions that its database role may not end, and refuses them with the rights that it needs', async () => {
  const role = `visitor_${randomBytes(4).toString('hex')}`
  const { system } = gateway.owner
  await sql.raw(`create role ${role}`).execute(system)
  const visiting = openDatabase<Tables>({ url: gateway.url, max: 1, role })
  try {
    await withBlockedSessions({ url: gateway.url, statement: newLock() }, async () => {
      const identity = await findBlocking()
      const end = () => endSession(visiting.system, identity)
      await expect(end()).rejects.toThrow(`${role}, the database role of this server, may not end it`)
      // The sessions of the test belong to a superuser.
      await sql.raw(`grant pg_signal_backend, pg_read_all_stats to ${role}`).execute(system)
      await expect(end()).rejects.toThrow('sessions of superusers can be ended by superusers only')
      expect(await countSessions(identity)).toBe(1)
    })
  } finally {
    await visiting.close()
    await sql.raw(`drop role ${role}`).execute(system)
  }
})

it('serverHealth.endSession may end sessions of other roles with pg_signal_backend', async () => {
  const suffix = randomBytes(4).toString('hex')
  const [role, shop] = [`signaling_${suffix}`, `shop_${suffix}`]
  const { system } = gateway.owner
  await sql.raw(`create role ${role} in role pg_signal_backend, pg_read_all_stats`).execute(system)
  await sql.raw(`create role ${shop} login password 'visible'`).execute(system)
  await sql.raw(`grant usage on schema gateway to ${role}`).execute(system)
  await sql.raw(`grant insert, select, update on gateway.session_ends to ${role}`).execute(system)
  const url = new URL(gateway.url)
  url.username = shop
  url.password = 'visible'
  const signaling = openDatabase<Tables>({ url: gateway.url, max: 1, role })
  try {
    await withBlockedSessions({ url: url.href, statement: newLock() }, async () => {
      const identity = await findBlocking()
      expect(await endSession(signaling.system, identity)).toMatchObject({ hasEnded: true })
    })
  } finally {
    await signaling.close()
    for (const each of [role, shop]) await sql.raw(`drop owned by ${each}; drop role ${each}`).execute(system)
  }
})
