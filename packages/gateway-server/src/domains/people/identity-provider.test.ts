import { generateKeyPairSync } from 'node:crypto'
import { Role, session } from '@mintmark/admin'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPerson, PASSWORD, TestBrowser } from '../../testing/console-person.ts'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'
import { type ProviderPerson, TestIdentityProvider } from '../../testing/identity-provider.ts'

let gateway: TestGateway
const provider = new TestIdentityProvider()
beforeAll(async () => {
  await provider.listen()
  gateway = await testGateway({ oidc: provider.settings })
})
afterAll(async () => {
  await gateway.close()
  await provider.close()
})

let count = 0
async function add() {
  count += 1
  const email = `person-${count}@example.com`
  const project = gateway.key.projectId
  return { email, browser: await addPerson(gateway, { email, role: Role.STAFF, project }) }
}

const REQUEST = { provider: 'oidc', callbackURL: '/console/', errorCallbackURL: '/console/sign-in' }

/** Begins at the gateway. Returns the provider's address to which it sends the browser. */
async function begin(browser: TestBrowser, path: 'sign-in/social' | 'link-social'): Promise<string> {
  const response = await browser.post(`/console/auth/${path}`, REQUEST)
  expect(response.status).toBe(200)
  const { url } = (await response.json()) as { url: string }
  expect(url).toContain(provider.url)
  return url
}

/** Follows the link by which the provider sends the browser back. */
async function follow(browser: TestBrowser, query: URLSearchParams): Promise<string> {
  const response = await browser.fetch(`/console/auth/callback/oidc?${query}`, {
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  expect(response.status).toBe(302)
  return response.headers.get('location') ?? ''
}

async function link(browser: TestBrowser, person: ProviderPerson): Promise<string> {
  return await follow(browser, provider.authorize(await begin(browser, 'link-social'), person))
}

async function signIn(browser: TestBrowser, person: ProviderPerson): Promise<string> {
  return await follow(browser, provider.authorize(await begin(browser, 'sign-in/social'), person))
}

const statusOfSession = (browser: TestBrowser) =>
  session.get(browser.client()).then(
    () => 200,
    ({ status }: { status: number }) => status,
  )

async function countRows(table: 'people' | 'people_sessions'): Promise<number> {
  const { rows } = await sql`select id from ${sql.table(`gateway.${table}`)}`.execute(gateway.owner.system)
  return rows.length
}

it('a person of an identity provider who was invited, and links the account while signed in, signs in with it', async () => {
  const { email, browser } = await add()
  const person = { sub: 'linked', email }
  expect(await link(browser, person)).toBe('/console/')
  const another = new TestBrowser(gateway)
  expect(await signIn(another, person)).toBe('/console/')
  expect(await session.get(another.client())).toMatchObject({ email })
})

it('a person of an identity provider who was not invited does not get in, and no person is created', async () => {
  const people = await countRows('people')
  const browser = new TestBrowser(gateway)
  const address = await signIn(browser, { sub: 'stranger', email: 'stranger@example.com' })
  expect(address).toContain('/console/sign-in?error=')
  expect(await statusOfSession(browser)).toBe(401)
  expect(await countRows('people')).toBe(people)
})

it.each([false, true])(
  'a person of an identity provider who has the email address of an account, but did not link it, does not get in: verified %s',
  async (isVerified) => {
    // Whoever created the invitation could have accepted it.
    const { email } = await add()
    await sql`update gateway.people set email_verified = ${isVerified} where email = ${email}`.execute(
      gateway.owner.system,
    )
    const sessions = await countRows('people_sessions')
    const browser = new TestBrowser(gateway)
    expect(await signIn(browser, { sub: `victim-${isVerified}`, email })).toContain(
      'error=account_not_linked',
    )
    expect(await statusOfSession(browser)).toBe(401)
    expect(await countRows('people_sessions')).toBe(sessions)
  },
)

it('a person of an identity provider whose email address the provider has not verified, or is another, is not linked', async () => {
  const { email, browser } = await add()
  const unverified = { sub: 'unverified', email, isVerified: false }
  expect(await link(browser, unverified)).toContain('error=')
  const other = { sub: 'other', email: 'other@example.com' }
  expect(await link(browser, other)).toContain('error=')
  for (const person of [unverified, other]) {
    const another = new TestBrowser(gateway)
    expect(await signIn(another, person)).toContain('error=')
    expect(await statusOfSession(another)).toBe(401)
  }
})

it('a person of an identity provider is not linked to a second person', async () => {
  const first = await add()
  const person = { sub: 'shared', email: first.email }
  expect(await link(first.browser, person)).toBe('/console/')
  const second = await add()
  expect(await link(second.browser, { ...person, email: second.email })).toContain('error=')
})

it('a person of an identity provider who was removed from the project sees no project', async () => {
  const { email, browser } = await add()
  const { personId } = await session.get(browser.client())
  await link(browser, { sub: 'removed', email })
  await sql`delete from gateway.members where person_id = ${personId}`.execute(gateway.owner.system)
  const another = new TestBrowser(gateway)
  await signIn(another, { sub: 'removed', email })
  expect((await session.get(another.client())).projects).toEqual([])
})

it('a person of an identity provider leaves no token in the database', async () => {
  const { email, browser } = await add()
  await link(browser, { sub: 'tokens', email })
  await signIn(new TestBrowser(gateway), { sub: 'tokens', email })
  const { rows } = await sql`
      select access_token, refresh_token, id_token from gateway.people_accounts where provider_id = 'oidc'`.execute(
    gateway.owner.system,
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) expect(row).toEqual({ access_token: null, refresh_token: null, id_token: null })
})

it('a response of the provider is accepted only by the browser that began, and once', async () => {
  const { email, browser } = await add()
  const person = { sub: 'replayed', email }
  await link(browser, person)
  const victim = new TestBrowser(gateway)
  const query = provider.authorize(await begin(victim, 'sign-in/social'), person)
  const thief = new TestBrowser(gateway)
  expect(await follow(thief, query)).toContain('error=')
  expect(await statusOfSession(thief)).toBe(401)
  expect(await follow(victim, query)).toBe('/console/')
  expect(await follow(victim.steal(), query)).toContain('error=')
})

it('a response of the provider without a state that the gateway made is refused', async () => {
  const browser = new TestBrowser(gateway)
  const query = new URLSearchParams({ code: 'code', state: 'chosen-by-an-attacker' })
  expect(await follow(browser, query)).toContain('error=')
  expect(await statusOfSession(browser)).toBe(401)
})

it('a response of the provider with a token that another key has signed is refused', async () => {
  const { email, browser } = await add()
  const person = { sub: 'forged', email }
  await link(browser, person)
  const right = provider.signingKey
  provider.signingKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const another = new TestBrowser(gateway)
  const address = await signIn(another, person).finally(() => {
    provider.signingKey = right
  })
  expect(address).toContain('error=')
  expect(await statusOfSession(another)).toBe(401)
})

describe('the sign-in with a provider', () => {
  it.each(['callbackURL', 'errorCallbackURL', 'newUserCallbackURL'])(
    'the sign-in with a provider refuses %s of another website',
    async (name) => {
      const { browser } = await add()
      const body = { ...REQUEST, [name]: 'https://evil.example/' }
      for (const path of ['sign-in/social', 'link-social'])
        expect((await browser.post(`/console/auth/${path}`, body)).status).toBe(403)
    },
  )

  it('the sign-in with a provider links nothing for somebody who is not signed in', async () => {
    expect((await new TestBrowser(gateway).post('/console/auth/link-social', REQUEST)).status).toBe(401)
  })

  it('the sign-in with a provider fails while the provider does not respond, disturbs nobody else, and works when it responds again', async () => {
    const { email } = await add()
    provider.isBroken = true
    const app = await gateway.another()
    const browser = new TestBrowser({ app })
    const broken = await browser.post('/console/auth/sign-in/social', REQUEST)
    expect(broken.status).toBe(503)
    expect(await broken.json()).toMatchObject({
      message: expect.stringMatching(/^Example ID does not respond/),
    })
    expect((await browser.signIn(email, PASSWORD)).status).toBe(200)
    provider.isBroken = false
    expect((await browser.post('/console/auth/sign-in/social', REQUEST)).status).toBe(200)
  })
})
