import { Role, session } from '@mintmark/admin'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addPerson, PASSWORD, TestBrowser } from '../../testing/console-person.ts'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'
import { computeTotp, computeWrongTotp, decodeBase32 } from '../../testing/totp.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

const AUTH = '/console/auth'
const SESSION_COOKIE = 'mintmark.session_token'

interface Protected {
  readonly email: string
  readonly personId: string
  readonly browser: TestBrowser
  /** The address that the QR code for the authenticator app contains. */
  readonly uri: string
  readonly backupCodes: readonly string[]
}

let count = 0
async function add() {
  count += 1
  const email = `person-${count}@example.com`
  const project = gateway.key.projectId
  const browser = await addPerson(gateway, { email, role: Role.STAFF, project })
  return { email, browser, personId: (await session.get(browser.client())).personId }
}

/** Adds a person who signs in with codes. */
async function addProtected(): Promise<Protected> {
  const { email, browser, personId } = await add()
  const enabled = await browser.post(`${AUTH}/two-factor/enable`, { password: PASSWORD })
  const { totpURI: uri, backupCodes } = (await enabled.json()) as { totpURI: string; backupCodes: string[] }
  const verified = await browser.post(`${AUTH}/two-factor/verify-totp`, { code: computeTotp(uri) })
  expect(verified.status).toBe(200)
  return { email, personId, browser, uri, backupCodes }
}

/** Signs in with the password only. */
async function beginSignIn(email: string): Promise<TestBrowser> {
  const browser = new TestBrowser(gateway)
  const response = await browser.signIn(email)
  expect(await response.json()).toMatchObject({ twoFactorRedirect: true })
  return browser
}

const statusOfSession = (browser: TestBrowser) =>
  session.get(browser.client()).then(
    () => 200,
    ({ status }: { status: number }) => status,
  )

async function countSessions(personId: string): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from gateway.people_sessions where person_id = ${personId}`.execute(gateway.owner.system)
  return rows.length
}

it('signing in with a second factor needs its code after the password', async () => {
  const { email, personId, uri } = await addProtected()
  const before = await countSessions(personId)
  const browser = await beginSignIn(email)
  expect(browser.cookies.has(SESSION_COOKIE)).toBe(false)
  expect(await countSessions(personId)).toBe(before)
  expect(await statusOfSession(browser)).toBe(401)
  const { status } = await browser.post(`${AUTH}/two-factor/verify-totp`, { code: computeTotp(uri) })
  expect(status).toBe(200)
  expect(await session.get(browser.client())).toMatchObject({ email, hasSecondFactor: true })
})

it('a second factor is not active until its first code was entered, so that nobody locks themselves out', async () => {
  const { email, browser } = await add()
  await browser.post(`${AUTH}/two-factor/enable`, { password: PASSWORD })
  const other = new TestBrowser(gateway)
  expect((await other.signIn(email)).status).toBe(200)
  expect(await session.get(other.client())).toMatchObject({ hasSecondFactor: false })
})

it('a second factor is enabled and disabled only with the password', async () => {
  const { browser } = await add()
  const enable = (password: string) => browser.post(`${AUTH}/two-factor/enable`, { password })
  expect((await enable('another password')).status).toBe(400)
  const { browser: withFactor } = await addProtected()
  const disable = await withFactor.post(`${AUTH}/two-factor/disable`, { password: 'another password' })
  expect(disable.status).toBe(400)
  expect(await session.get(withFactor.client())).toMatchObject({ hasSecondFactor: true })
})

it('a second factor accepts a backup code once', async () => {
  const { email, backupCodes } = await addProtected()
  const [code = ''] = backupCodes
  const first = await beginSignIn(email)
  expect((await first.post(`${AUTH}/two-factor/verify-backup-code`, { code })).status).toBe(200)
  expect(await statusOfSession(first)).toBe(200)
  const second = await beginSignIn(email)
  expect((await second.post(`${AUTH}/two-factor/verify-backup-code`, { code })).status).toBe(401)
  expect(await statusOfSession(second)).toBe(401)
})

it('a second factor cannot be circumvented by another endpoint while its code is missing', async () => {
  const { email, personId } = await addProtected()
  const browser = await beginSignIn(email)
  const before = await countSessions(personId)
  for (const [path, body] of [
    ['two-factor/disable', { password: PASSWORD }],
    ['two-factor/enable', { password: PASSWORD }],
    ['two-factor/get-totp-uri', { password: PASSWORD }],
    ['two-factor/generate-backup-codes', { password: PASSWORD }],
    ['change-password', { currentPassword: PASSWORD, newPassword: `${PASSWORD} 2` }],
    ['update-user', { name: 'Mallory' }],
    ['revoke-sessions', {}],
  ] as const)
    expect((await browser.post(`${AUTH}/${path}`, body)).status, path).toBe(401)
  for (const path of ['list-sessions', 'passkey/generate-register-options', 'list-accounts'])
    expect((await browser.fetch(`${AUTH}/${path}`)).status, path).toBe(401)
  expect(await (await browser.fetch(`${AUTH}/get-session`)).json()).toBeNull()
  expect(await countSessions(personId)).toBe(before)
})

it('a second factor accepts no code of another person', async () => {
  const { email } = await addProtected()
  const { uri, backupCodes } = await addProtected()
  const browser = await beginSignIn(email)
  const totp = await browser.post(`${AUTH}/two-factor/verify-totp`, { code: computeTotp(uri) })
  const backup = await browser.post(`${AUTH}/two-factor/verify-backup-code`, { code: backupCodes[0] })
  expect([totp.status, backup.status]).toEqual([401, 401])
  expect(await statusOfSession(browser)).toBe(401)
})

it('a second factor refuses the right code after five wrong ones, from any address', async () => {
  const { email, uri } = await addProtected()
  const browser = await beginSignIn(email)
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const { status } = await browser.steal().post(`${AUTH}/two-factor/verify-totp`, {
      code: computeWrongTotp(uri),
    })
    expect(status).toBe(401)
  }
  const right = await browser.steal().post(`${AUTH}/two-factor/verify-totp`, { code: computeTotp(uri) })
  expect(right.status).toBe(400)
  expect(await right.json()).toMatchObject({ code: 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE' })
})

it('a second factor is locked after ten wrong codes in several sign-ins', async () => {
  const { email, uri } = await addProtected()
  for (let signIn = 0; signIn < 2; signIn += 1) {
    const browser = await beginSignIn(email)
    for (let attempt = 0; attempt < 5; attempt += 1)
      await browser.steal().post(`${AUTH}/two-factor/verify-totp`, { code: computeWrongTotp(uri) })
  }
  const browser = await beginSignIn(email)
  const right = await browser.post(`${AUTH}/two-factor/verify-totp`, { code: computeTotp(uri) })
  expect(right.status).toBe(429)
  expect(await statusOfSession(browser)).toBe(401)
})

it('a second factor accepts ten codes a minute from an address', async () => {
  const { browser } = await add()
  const statuses: number[] = []
  for (let attempt = 0; attempt < 11; attempt += 1) {
    const response = await browser.post(`${AUTH}/two-factor/verify-totp`, { code: '000000' })
    statuses.push(response.status)
  }
  expect(statuses.indexOf(429)).toBe(10)
})

it('the database has no password, code, secret or token in clear text that somebody could sign in with', async () => {
  const { browser, uri, backupCodes } = await addProtected()
  const { rows } = await sql<{ text: string }>`
      select row_to_json(p)::text as text from gateway.people_accounts p
      union all select row_to_json(p)::text from gateway.people_second_factors p
      union all select row_to_json(p)::text from gateway.people_secret p`.execute(gateway.owner.system)
  const stored = rows.map(({ text }) => text).join('\n')
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  const decoded = decodeBase32(secret).toString()
  for (const clear of [PASSWORD, secret, decoded, ...backupCodes]) expect(stored).not.toContain(clear)
  // The database has the first half of the cookie. The second half is its signature.
  const [token = '', signature = ''] = decodeURIComponent(browser.cookies.get(SESSION_COOKIE) ?? '').split(
    '.',
  )
  expect(signature).not.toBe('')
  const forger = new TestBrowser(gateway)
  forger.cookies.set(SESSION_COOKIE, token)
  expect(await statusOfSession(forger)).toBe(401)
})
