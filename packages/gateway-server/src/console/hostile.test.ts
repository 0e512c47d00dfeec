import { Role, session } from '@mintmark/admin'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPerson, invite, PASSWORD, TestBrowser } from '../testing/console-person.ts'
import { TEST_URL, type TestGateway, testGateway } from '../testing/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

const SESSION_COOKIE = 'mintmark.session_token'
const EVIL = 'https://evil.example'

let count = 0
async function add(at = gateway) {
  count += 1
  const email = `person-${count}@example.com`
  const browser = await addPerson(at, { email, role: Role.OWNER, project: at.key.projectId })
  return { email, browser }
}

async function newInvitation(): Promise<string> {
  count += 1
  const email = `invited-${count}@example.com`
  return await invite(gateway, { project: gateway.key.projectId, email, role: Role.STAFF })
}

const statusOfSession = (browser: TestBrowser) =>
  session.get(browser.client()).then(
    () => 200,
    ({ status }: { status: number }) => status,
  )

const countSessions = async () =>
  (await sql`select id from gateway.people_sessions`.execute(gateway.owner.system)).rows.length

it('a session cookie that was chosen before the sign-in does not become a session', async () => {
  const { browser: attacker, email } = await add()
  const chosen = attacker.cookies.get(SESSION_COOKIE) ?? ''
  const victim = new TestBrowser(gateway)
  victim.cookies.set(SESSION_COOKIE, chosen)
  expect((await victim.signIn(email)).status).toBe(200)
  expect(victim.cookies.get(SESSION_COOKIE)).not.toBe(chosen)
})

it('a session cookie does nothing for its thief after the person has signed out', async () => {
  const { browser } = await add()
  const thief = browser.steal()
  expect(await statusOfSession(thief)).toBe(200)
  expect((await browser.post('/console/auth/sign-out', {})).status).toBe(200)
  gateway.clock.ahead += 1000
  expect(await statusOfSession(thief)).toBe(401)
})

it('a session cookie of another gateway, which has another secret, is no session here', async () => {
  const other = await testGateway()
  try {
    const { browser } = await add(other)
    const { rows } = await sql<{ token: string; expires_at: Date }>`
        select token, expires_at from gateway.people_sessions`.execute(other.owner.system)
    const { rows: people } = await sql<{ id: string }>`select id from gateway.people limit 1`.execute(
      gateway.owner.system,
    )
    // Even if both databases have a session of the same token.
    await sql`
        insert into gateway.people_sessions (id, person_id, token, expires_at)
        values ('copied', ${people[0]?.id}, ${rows[0]?.token}, ${rows[0]?.expires_at})`.execute(
      gateway.owner.system,
    )
    expect(await statusOfSession(browser.steal(gateway))).toBe(401)
  } finally {
    await other.close()
  }
})

it('a session cookie with a changed signature or token is no session', async () => {
  const { browser } = await add()
  const value = decodeURIComponent(browser.cookies.get(SESSION_COOKIE) ?? '')
  const [token = '', signature = ''] = value.split('.')
  const flipped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
  for (const changed of [
    `${token}.${flipped}`,
    `${token}.`,
    token,
    `${token}x.${signature}`,
    `${token}.${signature}.${signature}`,
    `.${signature}`,
  ]) {
    const forger = new TestBrowser(gateway)
    forger.cookies.set(SESSION_COOKIE, encodeURIComponent(changed))
    expect(await statusOfSession(forger), changed).toBe(401)
  }
  expect(await statusOfSession(browser)).toBe(200)
})

describe('a form of another website', () => {
  const fields = { email: 'person-1@example.com', password: PASSWORD }
  const bodies = [
    ['application/x-www-form-urlencoded', new URLSearchParams(fields).toString()],
    ['text/plain', JSON.stringify(fields)],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/json', JSON.stringify(fields)],
  ] as const
  const origins = [EVIL, 'null', 'http://gateway.test.evil.example', 'http://evil.gateway.test', undefined]

  /** Sends a request without the help of `TestBrowser`, which adds the origin of the gateway. */
  async function send(path: string, type: string, body: string, origin: string | undefined, cookie = '') {
    const headers = new Headers({ 'content-type': type, 'sec-fetch-site': 'cross-site' })
    if (origin !== undefined) headers.set('origin', origin)
    if (cookie !== '') headers.set('cookie', cookie)
    return await gateway.app.request(`${TEST_URL}${path}`, { method: 'POST', headers, body })
  }

  it.each(bodies)('a form of another website signs nobody in or out with %s', async (type, body) => {
    const { browser } = await add()
    const before = await countSessions()
    for (const origin of origins) {
      for (const cookie of ['', browser.cookieHeader]) {
        for (const path of ['sign-in/email', 'sign-out', 'two-factor/disable', 'change-password']) {
          const response = await send(`/console/auth/${path}`, type, body, origin, cookie)
          expect(response.status, `${path} from ${origin}`).toBe(403)
          expect(response.headers.getSetCookie()).toEqual([])
        }
      }
    }
    expect(await countSessions()).toBe(before)
    expect(await statusOfSession(browser)).toBe(200)
  })

  it.each(bodies)('a form of another website accepts no invitation with %s', async (type) => {
    const token = await newInvitation()
    const { browser } = await add()
    const body = JSON.stringify({ name: 'Mallory', password: PASSWORD })
    for (const origin of origins) {
      for (const cookie of ['', browser.cookieHeader]) {
        const { status } = await send(`/console/invitations/${token}`, type, body, origin, cookie)
        expect(status).toBe(403)
      }
    }
    expect((await new TestBrowser(gateway).fetch(`/console/invitations/${token}`)).status).toBe(200)
  })

  it('a form of another website is refused even where it claims the origin of the gateway, because it is no JSON', async () => {
    const { email } = await add()
    const [form] = bodies
    const type = form[0]
    const body = new URLSearchParams({ email, password: PASSWORD }).toString()
    expect((await send('/console/auth/sign-in/email', type, body, TEST_URL)).status).toBe(415)
    const token = await newInvitation()
    expect((await send(`/console/invitations/${token}`, type, body, TEST_URL)).status).toBe(415)
  })
})

it.each([EVIL, '//evil.example', '/\\evil.example', 'javascript:alert(1)', `${TEST_URL}@evil.example/`])(
  'a redirect to %s is refused',
  async (callbackURL) => {
    const { email } = await add()
    const body = { email, password: PASSWORD, callbackURL }
    const response = await new TestBrowser(gateway).post('/console/auth/sign-in/email', body)
    expect(response.status).toBe(403)
    expect(response.headers.get('location')).toBeNull()
  },
)

it('a redirect within the console is allowed', async () => {
  const { email } = await add()
  const body = { email, password: PASSWORD, callbackURL: '/console/' }
  expect((await new TestBrowser(gateway).post('/console/auth/sign-in/email', body)).status).toBe(200)
})

it.each(['reset-password/token', 'verify-email', 'delete-user/callback', 'callback/oidc'])(
  'a redirect by the endpoint %s is not served',
  async (path) => {
    const address = `/console/auth/${path}?callbackURL=${encodeURIComponent(EVIL)}&token=token`
    const response = await new TestBrowser(gateway).fetch(address)
    expect(response.status).toBe(404)
    expect(response.headers.get('location')).toBeNull()
  },
)

describe('a request with headers of a proxy that is not there', () => {
  const forged = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '1.2.3.4',
    'x-mintmark-client-address': '1.2.3.4',
    forwarded: 'host=evil.example;proto=https;for=1.2.3.4',
  }

  it('a request with headers of a proxy that is not there changes neither the origin that is accepted nor the cookies', async () => {
    const { email } = await add()
    const body = { email, password: PASSWORD }
    const foreign = { ...forged, origin: 'https://evil.example' }
    const refused = await new TestBrowser(gateway).post('/console/auth/sign-in/email', body, foreign)
    expect(refused.status).toBe(403)
    const accepted = await new TestBrowser(gateway).post('/console/auth/sign-in/email', body, forged)
    expect(accepted.status).toBe(200)
    expect(JSON.stringify([...accepted.headers])).not.toContain('evil.example')
  })

  it('a request with headers of a proxy that is not there does not escape the limit of its address', async () => {
    const browser = new TestBrowser(gateway)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 11; attempt += 1) {
      const address = `1.2.3.${attempt}`
      const headers = { 'x-forwarded-for': address, 'x-mintmark-client-address': address }
      const body = { email: `nobody-${attempt}@example.com`, password: PASSWORD }
      statuses.push((await browser.post('/console/auth/sign-in/email', body, headers)).status)
    }
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401))
    expect(statuses[10]).toBe(429)
  })
})

it('an endpoint of the sign-in that creates accounts, sends mails, or changes an email address is not served', async () => {
  const { browser } = await add()
  for (const path of [
    'sign-up/email',
    'change-email',
    'delete-user',
    'request-password-reset',
    'reset-password',
    'send-verification-email',
    'verify-password',
    'update-session',
    'get-access-token',
    'refresh-token',
    'two-factor/send-otp',
    'two-factor/verify-otp',
    // Without an identity provider.
    'sign-in/social',
    'link-social',
  ])
    expect((await browser.post(`/console/auth/${path}`, {})).status, path).toBe(404)
})

it('an endpoint of the sign-in is not found by another spelling of its path', async () => {
  for (const path of [
    '/sign-up/email',
    '//sign-up/email',
    '/SIGN-UP/EMAIL',
    '/%73ign-up/email',
    '/sign-up/email/',
  ])
    expect((await new TestBrowser(gateway).post(`/console/auth${path}`, {})).status, path).toBe(404)
})

it('an endpoint of the sign-in refuses a body of more than 64 KiB', async () => {
  const { email } = await add()
  const body = { email, password: 'x'.repeat(65 * 1024) }
  expect((await new TestBrowser(gateway).post('/console/auth/sign-in/email', body)).status).toBe(413)
  const token = await newInvitation()
  const invited = { name: 'x'.repeat(65 * 1024), password: PASSWORD }
  expect((await new TestBrowser(gateway).post(`/console/invitations/${token}`, invited)).status).toBe(413)
})

it('an endpoint of the sign-in accepts a name of 200 characters, no longer one and no picture', async () => {
  const { browser } = await add()
  const update = async (body: object) => (await browser.post('/console/auth/update-user', body)).status
  expect(await update({ name: 'x'.repeat(200) })).toBe(200)
  expect(await update({ name: 'x'.repeat(201) })).toBe(400)
  expect(await update({ name: ' ' })).toBe(400)
  expect(await update({ image: `${EVIL}/pixel.png` })).toBe(400)
  expect(await update({ isOperator: true, name: 'Kim' })).toBe(200)
  expect(await session.get(browser.client())).toMatchObject({ name: 'Kim', isOperator: false })
})

it('an endpoint of the sign-in responds with headers that forbid to store its response', async () => {
  const { email } = await add()
  const response = await new TestBrowser(gateway).signIn(email)
  expect(response.headers.get('cache-control')).toBe('no-store')
})

describe('the token of an invitation', () => {
  it('the token of an invitation cannot be guessed: an address may fail 20 times in a burst', async () => {
    const guesser = new TestBrowser(gateway)
    const statuses: number[] = []
    // Two more failures are accepted each second, so that a slow machine makes more of them.
    while (statuses.at(-1) !== 429) {
      const path = `/console/invitations/${`${statuses.length}`.padStart(43, 'A')}`
      const response = statuses.length % 2 ? await guesser.fetch(path) : await guesser.post(path, {})
      statuses.push(response.status)
    }
    expect(statuses.length).toBeGreaterThan(20)
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set([404]))
    const token = await newInvitation()
    expect((await new TestBrowser(gateway).fetch(`/console/invitations/${token}`)).status).toBe(200)
  })

  const ACCOUNT = { name: 'New', password: PASSWORD }

  it('the token of an invitation lets only one of several concurrent acceptances hash a password', async () => {
    const path = `/console/invitations/${await newInvitation()}`
    const accept = async () => (await new TestBrowser(gateway).post(path, ACCOUNT)).status
    const statuses = await Promise.all(Array.from({ length: 10 }, accept))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    // On a slow machine, some of the others arrive when the invitation was accepted.
    expect(statuses).toContain(429)
    expect(await accept()).toBe(404)
  })

  it('the token of an invitation is not accepted by a client that has tried too often, whichever invitations it has', async () => {
    const path = `/console/invitations/${await newInvitation()}`
    const client = new TestBrowser(gateway)
    const statuses: number[] = []
    while (statuses.at(-1) !== 429 && statuses.length < 200) {
      const response = await client.post(path, { ...ACCOUNT, password: 'short' })
      statuses.push(response.status)
    }
    expect(statuses.length).toBeGreaterThan(20)
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set([400]))
    expect(statuses.at(-1)).toBe(429)
    expect((await new TestBrowser(gateway).post(path, ACCOUNT)).status).toBe(200)
  })

  it('the token of an invitation is not in the database', async () => {
    const token = await newInvitation()
    const { rows } = await sql<{ text: string }>`
      select row_to_json(i)::text as text from gateway.invitations i`.execute(gateway.owner.system)
    expect(rows.map(({ text }) => text).join()).not.toContain(token)
  })
})
