import { people, Role, session } from '@mintmark/admin'
import { createSealer, createSecretKey, type Listening, listen } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPerson, invite, PASSWORD, TestBrowser } from '../../testing/console-person.ts'
import { TEST_URL, type TestGateway, testGateway } from '../../testing/gateway.ts'
import { computeTotp } from '../../testing/totp.ts'
import { resealAuthSecret } from './auth-secret.ts'
import { deleteExpired } from './members-store.ts'

let gateway: TestGateway
/** A gateway that sends heartbeats quickly. */
let listening: Listening
beforeAll(async () => {
  gateway = await testGateway()
  listening = await listen(await gateway.another({ eventStreams: { heartbeatMs: 20 } }), { port: 0 })
})
afterAll(async () => {
  await gateway.close()
  await listening.close()
})

let count = 0
async function add(role: Role) {
  count += 1
  const email = `${role.toLowerCase()}-${count}@example.com`
  const project = gateway.key.projectId
  const browser = await addPerson(gateway, { email, role, project })
  const { personId } = await session.get(browser.client())
  return { email, browser, personId, client: browser.client(project) }
}

const statusOfSession = (browser: TestBrowser) =>
  session.get(browser.client()).then(
    () => 200,
    ({ status }: { status: number }) => status,
  )

const readSession = (browser: TestBrowser) =>
  browser.fetch('/admin/v1/session', { headers: { 'x-mintmark-session': 'none' } })

/** Makes a person's session look as if it was last used this many hours ago. */
async function letHoursPass(personId: string, hours: number): Promise<void> {
  await sql`
    update gateway.people_sessions set expires_at = expires_at - make_interval(hours => ${hours}),
      updated_at = updated_at - make_interval(hours => ${hours})
    where person_id = ${personId}`.execute(gateway.owner.system)
  // Gateways remember a session for a second.
  gateway.clock.ahead += 1000
}

/** Reads how many hours a session has left, and how many it has not been used, both rounded. */
async function readHours(personId: string) {
  const { rows } = await sql<{ left: number; unused: number }>`
    select round(extract(epoch from expires_at - clock_timestamp()) / 3600)::int as left,
      round(extract(epoch from clock_timestamp() - updated_at) / 3600)::int as unused
    from gateway.people_sessions where person_id = ${personId}`.execute(gateway.owner.system)
  return rows[0]
}

/** Opens the stream of events of the project with a session. Returns how it ends. */
async function openStream(browser: TestBrowser): Promise<{ ended: Promise<string> }> {
  const response = await fetch(`${listening.url}/api/v1/events/stream`, {
    headers: {
      cookie: browser.cookieHeader,
      'x-mintmark-session': String(gateway.key.projectId),
      'sec-fetch-site': 'same-origin',
    },
  })
  expect(response.status).toBe(200)
  return { ended: response.text() }
}

it('a session ends everywhere a second after people.signOut', async () => {
  const { client: owner } = await add(Role.OWNER)
  const { browser, email, personId } = await add(Role.STAFF)
  const another = new TestBrowser(gateway)
  await another.signIn(email)
  expect(await statusOfSession(another)).toBe(200)
  await people.signOut(owner, { personId })
  gateway.clock.ahead += 1000
  expect(await statusOfSession(browser)).toBe(401)
  expect(await statusOfSession(another)).toBe(401)
})

it('a session ends at its time, whether or not its row was deleted', async () => {
  const { browser, personId } = await add(Role.STAFF)
  await sql`
      update gateway.people_sessions set expires_at = clock_timestamp() - interval '1 second'
      where person_id = ${personId}`.execute(gateway.owner.system)
  await expect.poll(() => statusOfSession(browser)).toBe(401)
  await deleteExpired(gateway.owner.system)
  const { rows } = await sql`
      select id from gateway.people_sessions where person_id = ${personId}`.execute(gateway.owner.system)
  expect(rows).toEqual([])
})

it('a session lasts 12 hours', async () => {
  const { personId } = await add(Role.STAFF)
  const { rows } = await sql<{ hours: number }>`
      select extract(epoch from expires_at - created_at)::float8 / 3600 as hours
      from gateway.people_sessions where person_id = ${personId}`.execute(gateway.owner.system)
  expect(rows.map(({ hours }) => Math.round(hours))).toEqual([12])
})

it('a session lasts 12 hours from its last use, in the database and in the browser', async () => {
  const { browser, personId } = await add(Role.STAFF)
  await letHoursPass(personId, 11)
  const response = await readSession(browser)
  expect(await readHours(personId)).toEqual({ left: 12, unused: 0 })
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^mintmark\.session_token=.+Max-Age=43200.+HttpOnly.+SameSite=Strict/),
  ])
  expect(await statusOfSession(browser)).toBe(200)
})

it('a session is not extended by reads, which a page that nobody looks at makes too', async () => {
  const { client, personId } = await add(Role.AUDITOR)
  await letHoursPass(personId, 11)
  await people.list(client)
  expect(await readHours(personId)).toEqual({ left: 1, unused: 11 })
})

it('a session is extended by changes', async () => {
  const { client, personId } = await add(Role.OWNER)
  await letHoursPass(personId, 11)
  await people.update(client, { personId, wallet: '' })
  expect(await readHours(personId)).toEqual({ left: 12, unused: 0 })
})

it('a session ends with a new password, except that of the browser that sets it', async () => {
  const { browser, email } = await add(Role.STAFF)
  const another = new TestBrowser(gateway)
  await another.signIn(email)
  const passwords = { currentPassword: PASSWORD, newPassword: 'a new long password' }
  const body = { ...passwords, revokeOtherSessions: true }
  expect((await browser.post('/console/auth/change-password', body)).status).toBe(200)
  await expect.poll(() => statusOfSession(another)).toBe(401)
  expect(await statusOfSession(browser)).toBe(200)
  expect((await new TestBrowser(gateway).signIn(email)).status).toBe(401)
})

it('counts a call of a person once more for every 2 KiB of its body, also if no header states its length', async () => {
  const { browser } = await add(Role.OWNER)
  const app = await gateway.another({ rateLimit: { perSecond: 0.001, burst: 10 } })
  const limited = browser.steal({ app })
  const extension = { nftAddress: `0x${'1'.repeat(40)}`, extension: { text: 'x'.repeat(8 * 2048) } }
  const headers = { 'x-mintmark-session': String(gateway.key.projectId) }
  // Requests in this process have no content-length, like those with a body in chunks.
  expect((await limited.post('/api/v1/contract/extension', extension, headers)).status).toBe(404)
  expect((await limited.post('/api/v1/contract/extension', extension, headers)).status).toBe(429)
})

describe('an open stream of events', () => {
  it.each([
    ['is signed out', (owner, personId) => people.signOut(owner, { personId })],
    ['is removed from the project', (owner, personId) => people.remove(owner, { personId })],
    ['gets a role without events', (owner, personId) => people.update(owner, { personId, role: Role.STAFF })],
  ] satisfies [
    string,
    (owner: Awaited<ReturnType<typeof add>>['client'], personId: string) => Promise<unknown>,
  ][])('an open stream of events ends when its person %s', async (_, change) => {
    const { client: owner } = await add(Role.OWNER)
    const { browser, personId } = await add(Role.AUDITOR)
    const { ended } = await openStream(browser)
    await change(owner, personId)
    expect(await ended).not.toContain('data:')
  })
})

describe('new SECRET_KEYS', () => {
  it('new SECRET_KEYS keep sessions and second factors after they were resealed', async () => {
    const { browser, email } = await add(Role.STAFF)
    const enabled = await browser.post('/console/auth/two-factor/enable', { password: PASSWORD })
    const { totpURI } = (await enabled.json()) as { totpURI: string }
    await browser.post('/console/auth/two-factor/verify-totp', { code: computeTotp(totpURI) })
    const newKey = createSecretKey('new')
    const both = createSealer(`${newKey},${gateway.secretKeys}`)
    expect(await resealAuthSecret(gateway.owner.system, both)).toBe(1)
    expect(await resealAuthSecret(gateway.owner.system, both)).toBe(0)
    await expect(gateway.another()).rejects.toThrow()
    const app = await gateway.another({ secretKeys: newKey })
    expect(await statusOfSession(browser.steal({ app }))).toBe(200)
    const again = new TestBrowser({ app })
    expect(await (await again.signIn(email)).json()).toMatchObject({ twoFactorRedirect: true })
    const verified = await again.post('/console/auth/two-factor/verify-totp', { code: computeTotp(totpURI) })
    expect(verified.status).toBe(200)
    expect(await statusOfSession(again)).toBe(200)
    await resealAuthSecret(gateway.owner.system, createSealer(`${gateway.secretKeys},${newKey}`))
  })
})

it('an invitation of an address in another case is for the same person, who signs in with either', async () => {
  const { email } = await add(Role.STAFF)
  const other = await gateway.newKey({ project: 'case' })
  const invitation = { project: other.projectId, email: email.toUpperCase(), role: Role.STAFF }
  const token = await invite(gateway, invitation)
  const found = await new TestBrowser(gateway).fetch(`/console/invitations/${token}`)
  expect(await found.json()).toMatchObject({ email, isNewPerson: false })
  expect((await new TestBrowser(gateway).signIn(email.toUpperCase())).status).toBe(200)
})

it('an invitation makes one person where two projects invite a new address and both are accepted concurrently', async () => {
  const email = 'racer@example.com'
  const tokens = await Promise.all(
    ['one', 'two'].map(async (project) => {
      const { projectId } = await gateway.newKey({ project })
      return await invite(gateway, { project: projectId, email, role: Role.STAFF })
    }),
  )
  const accept = (token: string) =>
    new TestBrowser(gateway).post(`/console/invitations/${token}`, { name: 'Racer', password: PASSWORD })
  const statuses = (await Promise.all(tokens.map(accept))).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, 409])
  const { rows } = await sql`select id from gateway.people where email = ${email}`.execute(
    gateway.owner.system,
  )
  expect(rows).toHaveLength(1)
  // The other invitation is still open for the person.
  const browser = new TestBrowser(gateway)
  await browser.signIn(email)
  const open = tokens[statuses.indexOf(409)]
  expect((await browser.post(`/console/invitations/${open}`, {})).status).toBe(200)
  expect((await session.get(browser.client())).projects).toHaveLength(2)
})

it('an invitation replaces an earlier one of the address, also when many are created concurrently', async () => {
  const { client: owner } = await add(Role.OWNER)
  const created = await Promise.all(
    Array.from({ length: 5 }, () => people.invite(owner, { email: 'many@example.com', role: Role.STAFF })),
  )
  const open = (await people.listInvitations(owner)).filter(({ email }) => email === 'many@example.com')
  expect(open).toHaveLength(1)
  const status = async (url: string | undefined) => {
    const path = new URL(url ?? '', TEST_URL).pathname.replace('/invitation/', '/invitations/')
    return (await new TestBrowser(gateway).fetch(path)).status
  }
  const statuses = await Promise.all(created.map(({ url }) => status(url)))
  expect(statuses.toSorted()).toEqual([200, 404, 404, 404, 404])
})
