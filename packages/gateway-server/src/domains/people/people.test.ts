import { apiKeys, people, Role, session } from '@mintmark/admin'
import { eventCards, promoCodeCards } from '@mintmark/cards'
import { orders } from '@mintmark/orders'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPerson, invite, PASSWORD, TestBrowser } from '../../testing/console-person.ts'
import { TEST_URL, type TestGateway, testGateway } from '../../testing/gateway.ts'
import { rawCallOf } from '../../testing/samples/calls.ts'
import { removeAccount } from './accounts-store.ts'
import { addMember } from './members-store.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

const project = () => gateway.key.projectId
let count = 0
const add = async (role: Role, more: { project?: number; wallet?: string } = {}) => {
  count += 1
  const email = `${role.toLowerCase()}-${count}@example.com`
  const browser = await addPerson(gateway, { email, role, project: project(), ...more })
  return { email, browser, client: browser.client(more.project ?? project()) }
}

it('an invitation makes a new person, who is signed in and has the role', async () => {
  const { browser, email } = await add(Role.MANAGER, { wallet: '0xab' })
  expect(await session.get(browser.client())).toEqual({
    personId: expect.any(String),
    name: email.split('@')[0],
    email,
    isOperator: false,
    hasSecondFactor: false,
    hasFacilitator: false,
    projects: [{ projectId: project(), projectName: 'demo', role: 'MANAGER', wallet: '0xab' }],
  })
})

it('an invitation is accepted once', async () => {
  const invitation = { project: project(), email: 'once@example.com', role: Role.STAFF }
  const token = await invite(gateway, invitation)
  const path = `/console/invitations/${token}`
  const accept = () => new TestBrowser(gateway).post(path, { name: 'Once', password: PASSWORD })
  const statuses = (await Promise.all([accept(), accept(), accept()])).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect((await new TestBrowser(gateway).fetch(path)).status).toBe(404)
})

it('an invitation of a person who exists is accepted after signing in, and by nobody else', async () => {
  const other = await gateway.newKey({ project: 'second shop' })
  const { email, browser } = await add(Role.STAFF)
  const token = await invite(gateway, {
    project: other.projectId,
    email,
    role: Role.OWNER,
  })
  const path = `/console/invitations/${token}`
  const stranger = new TestBrowser(gateway)
  expect(await (await stranger.fetch(path)).json()).toEqual({
    email,
    projectName: 'second shop',
    role: 'OWNER',
    isNewPerson: false,
  })
  expect((await stranger.post(path, { name: 'Thief', password: PASSWORD })).status).toBe(409)
  const { browser: another } = await add(Role.OWNER)
  expect((await another.post(path, {})).status).toBe(403)
  expect((await browser.post(path, {})).status).toBe(200)
  const { projects } = await session.get(browser.client())
  expect(projects.map(({ projectName, role }) => [projectName, role])).toEqual([
    ['demo', 'STAFF'],
    ['second shop', 'OWNER'],
  ])
})

it('an invitation is refused from a page of another origin', async () => {
  const invitation = { project: project(), email: 'cross@example.com', role: Role.STAFF }
  const token = await invite(gateway, invitation)
  const body = { name: 'Cross', password: PASSWORD }
  const headers = { origin: 'https://evil.example' }
  const response = await new TestBrowser(gateway).post(`/console/invitations/${token}`, body, headers)
  expect(response.status).toBe(403)
})

it('an invitation needs a password of at least 12 characters', async () => {
  const invitation = { project: project(), email: 'short@example.com', role: Role.STAFF }
  const token = await invite(gateway, invitation)
  const path = `/console/invitations/${token}`
  const response = await new TestBrowser(gateway).post(path, { name: 'Short', password: '12345678901' })
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({ message: 'Enter a name, and a password of 12 to 256 characters' })
})

describe('signing in', () => {
  it('signing in sets a cookie that no script can read and no other site sends', async () => {
    const { email } = await add(Role.STAFF)
    const response = await new TestBrowser(gateway).signIn(email)
    expect(response.status).toBe(200)
    const cookie = response.headers.getSetCookie().find((text) => text.startsWith('mintmark.session_token='))
    expect(cookie).toMatch(/HttpOnly/)
    expect(cookie).toMatch(/SameSite=Strict/i)
  })

  it('signing in begins a new session, whatever cookies the browser had before', async () => {
    const { email } = await add(Role.STAFF)
    const browser = new TestBrowser(gateway)
    browser.cookies.set('mintmark.session_token', 'chosen-by-an-attacker.signature')
    await browser.signIn(email)
    expect(browser.cookies.get('mintmark.session_token')).not.toContain('chosen-by-an-attacker')
  })

  it('signing in ends with signing out', async () => {
    const { email } = await add(Role.STAFF)
    const browser = new TestBrowser(gateway)
    await browser.signIn(email)
    const before = browser.cookieHeader
    expect((await browser.post('/console/auth/sign-out', {})).status).toBe(200)
    const thief = new TestBrowser(gateway)
    for (const pair of before.split('; '))
      thief.cookies.set(pair.split('=')[0] ?? '', pair.split('=')[1] ?? '')
    await expect(session.get(thief.client())).rejects.toMatchObject({ status: 401 })
  })

  it('signing in refuses further attempts with the password of an address after ten wrong ones', async () => {
    const { email } = await add(Role.STAFF)
    const browser = new TestBrowser(gateway)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 11; attempt += 1) {
      statuses.push((await browser.signIn(email, `wrong password ${attempt}`)).status)
    }
    expect(statuses.slice(0, 10).every((status) => status === 401 || status === 429)).toBe(true)
    expect(statuses.at(-1)).toBe(429)
    expect((await browser.signIn(email)).status).toBe(429)
  })

  it('signing in works when a table that was missing at the start exists, without a restart', async () => {
    const { email } = await add(Role.STAFF)
    await sql`alter table gateway.people_accounts rename to hidden`.execute(gateway.owner.system)
    const early = { app: await gateway.another() }
    expect((await new TestBrowser(early).signIn(email)).status).toBe(500)
    await sql`alter table gateway.hidden rename to people_accounts`.execute(gateway.owner.system)
    expect((await new TestBrowser(early).signIn(email)).status).toBe(200)
  })

  it('signing in creates no account: nobody joins without an invitation', async () => {
    const body = { name: 'Eve', email: 'eve@example.com', password: PASSWORD }
    const response = await new TestBrowser(gateway).post('/console/auth/sign-up/email', body)
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect((await new TestBrowser(gateway).signIn('eve@example.com')).status).toBe(401)
  })
})

it('a call with a session without a cookie or with a wrong one is unauthorized', async () => {
  await expect(session.get(new TestBrowser(gateway).client())).rejects.toMatchObject({ status: 401 })
  const browser = new TestBrowser(gateway)
  browser.cookies.set('mintmark.session_token', 'x.y')
  await expect(session.get(browser.client())).rejects.toMatchObject({ status: 401 })
})

it('a call with a session for a project in which the person has no role is forbidden, whether it exists or not', async () => {
  const other = await gateway.newKey({ project: 'not mine' })
  const { browser } = await add(Role.OWNER)
  for (const id of [other.projectId, 999_999_999])
    await expect(orders.list(browser.client(id))).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('You have no role in this project'),
    })
})

it('a call with a session from a page of another origin or site is forbidden', async () => {
  const { browser } = await add(Role.OWNER)
  const call = (headers: Record<string, string>, method = 'GET') =>
    browser.fetch('/admin/v1/people', {
      method,
      headers: { 'x-mintmark-session': String(project()), ...headers },
    })
  expect((await call({})).status).toBe(200)
  expect((await call({ origin: 'https://evil.example' })).status).toBe(403)
  expect((await call({ 'sec-fetch-site': 'same-site' })).status).toBe(403)
  expect((await call({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
})

it('a call with a session without the header of the session is unauthorized, although the cookie is valid', async () => {
  const { browser } = await add(Role.OWNER)
  expect((await browser.fetch('/admin/v1/people')).status).toBe(401)
})

it('a call with a session sees the rows of its project only', async () => {
  const other = await gateway.newKey({ project: 'other rows' })
  const { client } = await add(Role.OWNER)
  const { client: otherClient } = await add(Role.OWNER, { project: other.projectId })
  const mine = await people.list(client)
  const others = await people.list(otherClient)
  expect(mine.length).toBeGreaterThan(1)
  expect(others).toHaveLength(1)
})

it('a call with a session has the new role as soon as it was changed', async () => {
  const { client: owner } = await add(Role.OWNER)
  const { client, email } = await add(Role.AUDITOR)
  const person = (await people.list(owner)).find((each) => each.email === email)
  await people.update(owner, { personId: person?.personId ?? '', role: Role.STAFF })
  await expect.poll(() => orders.list(client).catch(({ status }) => status)).toBe(403)
})

it.each(['people.remove', 'people.update', 'operators.removePerson'])(
  'an owner who is removed, or gets another role cannot come back by a link that the owner created before %s',
  async (way) => {
    const { projectId } = await gateway.newKey({ project: `returning after ${way}` })
    const { client: remaining } = await add(Role.OWNER, { project: projectId })
    const { client: former, email } = await add(Role.OWNER, { project: projectId })
    const { url } = await people.invite(former, { email: `second-${email}`, role: Role.OWNER })
    const personId = (await people.list(remaining)).find((each) => each.email === email)?.personId ?? ''
    // The person stays an owner of another project.
    await addMember(gateway.owner.system, {
      project_id: project(),
      person_id: personId,
      role: Role.OWNER,
      wallet: '',
    })
    if (way === 'people.remove') await people.remove(remaining, { personId })
    else if (way === 'people.update') await people.update(remaining, { personId, role: Role.STAFF })
    else await removeAccount(gateway.owner.system, email)
    expect(await people.listInvitations(remaining)).toEqual([])
    const path = new URL(url ?? '').pathname.replace('/invitation/', '/invitations/')
    const accepted = await new TestBrowser(gateway).post(path, { name: 'Back', password: PASSWORD })
    expect(accepted.status).toBe(404)
  },
)

it('an owner who is removed, or gets another role leaves the links that others have created', async () => {
  const { projectId } = await gateway.newKey({ project: 'links of others' })
  const { client: owner, email: ownEmail } = await add(Role.OWNER, { project: projectId })
  const { email } = await add(Role.OWNER, { project: projectId })
  await people.invite(owner, { email: 'new@example.com', role: Role.STAFF })
  const list = await people.list(owner)
  const idOf = (address: string) => list.find((each) => each.email === address)?.personId ?? ''
  await people.update(owner, { personId: idOf(ownEmail), wallet: `0x${'ab'.repeat(20)}` })
  await people.update(owner, { personId: idOf(email), role: Role.STAFF })
  await people.remove(owner, { personId: idOf(email) })
  expect(await people.listInvitations(owner)).toHaveLength(1)
})

describe('a link that a key has created', () => {
  it.each([
    ['cannot be opened or accepted after the key was revoked', true, 404],
    ['can be accepted while the key is valid', false, 200],
  ])('a link that a key has created %s', async (_, isRevoked, status) => {
    const key = await gateway.newKey({ project: `keys ${status}`, scopes: ['people:read', 'people:write'] })
    const { client: owner } = await add(Role.OWNER, { project: key.projectId })
    const response = await key.call(
      rawCallOf(people.invite, { email: `${status}@example.com`, role: Role.OWNER }),
    )
    const { url } = response.json.data as { url: string }
    if (isRevoked) await apiKeys.revoke(owner, { apiKey: key.apiKey })
    expect(await people.listInvitations(owner)).toHaveLength(isRevoked ? 0 : 1)
    const path = new URL(url).pathname.replace('/invitation/', '/invitations/')
    expect((await gateway.app.request(new URL(path, TEST_URL))).status).toBe(status)
    const accepted = await new TestBrowser(gateway).post(path, { name: 'Guest', password: PASSWORD })
    expect(accepted.status).toBe(status)
  })
})

it('the last owner of a project can be neither removed nor given another role, also when two owners try concurrently', async () => {
  const { projectId } = await gateway.newKey({ project: 'owners' })
  const { client: one, email: emailOfOne } = await add(Role.OWNER, { project: projectId })
  const { client: two, email: emailOfTwo } = await add(Role.OWNER, { project: projectId })
  const list = await people.list(one)
  const idOf = (email: string) => list.find((each) => each.email === email)?.personId ?? ''
  const results = await Promise.allSettled([
    people.remove(one, { personId: idOf(emailOfTwo) }),
    people.update(two, { personId: idOf(emailOfOne), role: Role.STAFF }),
  ])
  expect(results.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(1)
  const owners = await gateway.owner.system
    .selectFrom('gateway.members')
    .select('id')
    .where('project_id', '=', projectId)
    .where('role', '=', 'OWNER')
    .execute()
  expect(owners).toHaveLength(1)
})

describe('staff', () => {
  it('staff verify cards and read them, and do nothing else', async () => {
    const { client } = await add(Role.STAFF)
    await expect(promoCodeCards.list(client)).resolves.toBeDefined()
    await expect(eventCards.remove(client, { id: 1 })).rejects.toMatchObject({ status: 403 })
    await expect(orders.list(client)).rejects.toMatchObject({ status: 403 })
    await expect(people.list(client)).rejects.toMatchObject({ status: 403 })
  })
})
