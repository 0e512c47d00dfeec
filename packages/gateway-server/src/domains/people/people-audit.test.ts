import { audit, Role, session } from '@mintmark/admin'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventSources } from '../../main/composition.ts'
import { addPerson, PASSWORD } from '../../testing/console-person.ts'
import { TEST_URL, type TestGateway, testGateway } from '../../testing/gateway.ts'
import { addAuditEntries } from '../audit/add-entries.ts'
import { verifyAudit } from '../audit/verify-audit.ts'
import { sequenceAllChanges } from '../events/sequencer.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

async function sequence(): Promise<void> {
  const log = { error: (fields: unknown) => expect(fields).toBeUndefined() }
  await sequenceAllChanges({
    db: gateway.owner.system,
    sources: eventSources,
    addAuditEntries,
    publicUrl: TEST_URL,
    log,
  })
}

interface ServerEntry {
  readonly actor: string
  readonly record_type: string
  readonly action: string
  readonly changes: Record<string, { before?: unknown; after?: unknown }>
}

/** The audit log of the server, which has what belongs to no project. */
async function listServerEntries(): Promise<ServerEntry[]> {
  const { rows } = await sql<ServerEntry>`
    select actor, record_type, action, changes from gateway.audit_entries where project_id = 0 order by id`.execute(
    gateway.owner.system,
  )
  return rows
}

const join = (email: string, role: Role) =>
  addPerson(gateway, { email, role, project: gateway.key.projectId })

it('the audit log has who joined a project, by the person, and the person in the log of the server without the password', async () => {
  const browser = await join('kim@example.com', Role.OWNER)
  const { personId } = await session.get(browser.client())
  const actor = `person:${personId}`
  await sequence()
  const { list } = await audit.list(browser.client(gateway.key.projectId), { recordType: 'members' })
  expect(list).toMatchObject([{ actor, action: 'CREATED', changes: { role: { after: 'OWNER' } } }])
  const entries = await listServerEntries()
  expect(entries).toMatchObject([
    { actor, record_type: 'people', action: 'CREATED', changes: { email: { after: 'kim@example.com' } } },
    {
      actor,
      record_type: 'people_accounts',
      action: 'CREATED',
      changes: { password: { after: '[redacted]' } },
    },
  ])
  expect(await verifyAudit(gateway.owner.system, 0)).toMatchObject({ problem: undefined })
})

it('the audit log has a changed password by the person who changed it, without the passwords', async () => {
  const browser = await join('alex@example.com', Role.STAFF)
  const { personId } = await session.get(browser.client())
  await sequence()
  const { length } = await listServerEntries()
  const body = { currentPassword: PASSWORD, newPassword: 'another correct horse' }
  expect((await browser.post('/console/auth/change-password', body)).status).toBe(200)
  await sequence()
  expect((await listServerEntries()).slice(length)).toMatchObject([
    {
      actor: `person:${personId}`,
      record_type: 'people_accounts',
      action: 'UPDATED',
      changes: { password: { before: '[redacted]', after: '[redacted]' } },
    },
  ])
})

it('the audit log has no entry for signing in and out', async () => {
  const browser = await join('robin@example.com', Role.STAFF)
  await sequence()
  const { length } = await listServerEntries()
  await browser.signIn('robin@example.com')
  await browser.post('/console/auth/sign-out', {})
  await sequence()
  expect((await listServerEntries()).slice(length)).toEqual([])
})

it('the audit log contains no hash of a password, and neither do the stored changes', async () => {
  const { rows } = await sql<{ password: string }>`
      select password from gateway.people_accounts`.execute(gateway.owner.system)
  const { rows: stored } = await sql<{ text: string }>`
      select coalesce(string_agg(changes::text, ' '), '') as text from gateway.audit_entries`.execute(
    gateway.owner.system,
  )
  await join('jo@example.com', Role.STAFF)
  const { rows: waiting } = await sql<{ text: string }>`
      select string_agg(after::text, ' ') as text from gateway.row_changes where relation = 'people_accounts'`.execute(
    gateway.owner.system,
  )
  expect(waiting[0]?.text).toContain('password')
  expect(rows.length).toBeGreaterThan(2)
  const { rows: all } = await sql<{ password: string }>`
      select password from gateway.people_accounts`.execute(gateway.owner.system)
  for (const { password } of all) {
    expect(stored[0]?.text).not.toContain(password)
    expect(waiting[0]?.text).not.toContain(password)
  }
})
