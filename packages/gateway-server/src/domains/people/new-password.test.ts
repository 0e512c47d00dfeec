import { Role, session } from '@mintmark/admin'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { addPerson, PASSWORD, TestBrowser } from '../../testing/console-person.ts'
import { TEST_URL, type TestGateway, testGateway } from '../../testing/gateway.ts'
import { readText, type StubMailServer, startStubMailServer } from '../../testing/stub-mail-server.ts'
import { computeTotp } from '../../testing/totp.ts'

let server: StubMailServer
let gateway: TestGateway
beforeAll(async () => {
  server = await startStubMailServer()
  gateway = await testGateway({ mail: { server: server.url, from: 'no-reply@shop.example' } })
})
afterAll(async () => {
  await gateway.close()
  await server.close()
})
afterEach(() => {
  server.fault = undefined
  server.mails.length = 0
})

const AUTH = '/console/auth'
const NEW_PASSWORD = 'another horse battery staple'

let count = 0
async function add() {
  count += 1
  const email = `person-${count}@example.com`
  const browser = await addPerson(gateway, { email, role: Role.OWNER, project: gateway.key.projectId })
  return { email, browser, personId: (await session.get(browser.client())).personId }
}

const request = (email: string, browser = new TestBrowser(gateway), headers = {}) =>
  browser.post(`${AUTH}/request-password-reset`, { email }, headers)

/** Requests a link, and returns its token. */
async function requestToken(email: string): Promise<string> {
  const before = server.mails.length
  expect((await request(email)).status).toBe(200)
  await expect.poll(() => server.mails.length).toBe(before + 1)
  return /\/console\/new-password\/(\S+)/.exec(readText(server.mails.at(-1)))?.[1] ?? ''
}

const setPassword = (token: string, newPassword = NEW_PASSWORD) =>
  new TestBrowser(gateway).post(`${AUTH}/reset-password`, { token, newPassword })

const statusOfSession = (browser: TestBrowser) =>
  session.get(browser.client()).then(
    () => 200,
    ({ status }: { status: number }) => status,
  )

it('a person who has forgotten the password sets a new one by a mailed link, once', async () => {
  const { email, browser } = await add()
  const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
  expect((await request(email, new TestBrowser(gateway), forged)).status).toBe(200)
  await expect.poll(() => server.mails.length).toBe(1)
  const [mail] = server.mails
  expect(mail).toMatch(new RegExp(`^To: ${email}$`, 'm'))
  const link = /\S+\/console\/\S+/.exec(readText(mail))?.[0] ?? ''
  expect(new URL(link).origin).toBe(TEST_URL)
  const token = link.split('/').at(-1) ?? ''
  expect((await setPassword(token, 'too short')).status).toBe(400)
  expect((await setPassword(token)).status).toBe(200)
  expect((await new TestBrowser(gateway).signIn(email)).status).toBe(401)
  expect((await new TestBrowser(gateway).signIn(email, NEW_PASSWORD)).status).toBe(200)
  await expect.poll(() => statusOfSession(browser)).toBe(401)
  const again = await setPassword(token, PASSWORD)
  expect([again.status, await again.json()]).toMatchObject([400, { code: 'INVALID_TOKEN' }])
})

it('a new password ends passkeys and other links, by which whoever used the address before could return', async () => {
  const { email, personId } = await add()
  const { personId: other } = await add()
  const addPasskey = (owner: string) =>
    gateway.owner.pool.query(
      `insert into gateway.people_passkeys (id, person_id, public_key, credential_id, counter, device_type, backed_up)
       values ($1, $1, 'key', $1, 0, 'singleDevice', false)`,
      [owner],
    )
  await addPasskey(personId)
  await addPasskey(other)
  const [unused, token] = [await requestToken(email), await requestToken(email)]
  expect((await setPassword(token)).status).toBe(200)
  const { rows } = await gateway.owner.pool.query('select person_id from gateway.people_passkeys')
  expect(rows).toEqual([{ person_id: other }])
  expect((await setPassword(unused)).status).toBe(400)
})

it('a new password does not replace the second factor', async () => {
  const { email, browser } = await add()
  const enabled = await browser.post(`${AUTH}/two-factor/enable`, { password: PASSWORD })
  const { totpURI } = (await enabled.json()) as { totpURI: string }
  await browser.post(`${AUTH}/two-factor/verify-totp`, { code: computeTotp(totpURI) })
  expect((await setPassword(await requestToken(email))).status).toBe(200)
  const response = await new TestBrowser(gateway).signIn(email, NEW_PASSWORD)
  expect(await response.json()).toMatchObject({ twoFactorRedirect: true })
})

it('a link for a new password works for an hour, and neither the database nor the log has its token', async () => {
  const { email, personId } = await add()
  const token = await requestToken(email)
  const { rows } = await gateway.owner.pool.query(
    `select identifier, value, extract(epoch from expires_at - clock_timestamp())::int as seconds
     from gateway.people_challenges where value = $1`,
    [personId],
  )
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(gateway.logged.join()).not.toContain(token)
  expect(rows[0].seconds).toBeGreaterThan(3500)
  expect(rows[0].seconds).toBeLessThanOrEqual(3600)
  await gateway.owner.pool.query(
    'update gateway.people_challenges set expires_at = clock_timestamp() where value = $1',
    [personId],
  )
  expect((await setPassword(token)).status).toBe(400)
})

it('a request for a new password has the same response for an address without an account, which gets no mail', async () => {
  const { email } = await add()
  const read = async (address: string) => {
    const response = await request(address)
    return [response.status, await response.text(), [...response.headers]]
  }
  expect(await read('nobody@example.com')).toEqual(await read(email))
  expect(await read('no address')).toEqual(await read(email))
  await expect.poll(() => server.mails.length).toBe(2)
  expect(server.mails.join()).not.toContain('nobody')
})

it('a request for a new password does not wait for the mail server', async () => {
  const { email } = await add()
  server.fault = 'hangs'
  expect((await request(email)).status).toBe(200)
  const sent = gateway.logged.filter((line) => line.includes('a mail was not sent'))
  expect(sent).toEqual([])
  await expect.poll(() => gateway.logged.join(), { timeout: 10_000 }).toContain('a mail was not sent')
})

it('requests for a new password are limited: three mails for an address, ten requests of a remote address', async () => {
  const { email } = await add()
  const browser = new TestBrowser(gateway)
  const statuses: number[] = []
  for (let each = 0; each < 11; each += 1) statuses.push((await request(email, browser)).status)
  expect(statuses).toEqual([...Array(10).fill(200), 429])
  const countLimited = () => gateway.logged.filter((line) => line.includes('"LIMITED"')).length
  await expect.poll(countLimited).toBe(7)
  const countMails = () => server.mails.filter((mail) => mail.includes(`To: ${email}`)).length
  await expect.poll(countMails).toBe(3)
})

it('a request for a new password is refused from a page of another origin', async () => {
  const { email } = await add()
  const response = await request(email, new TestBrowser(gateway), { origin: 'https://evil.example' })
  expect(response.status).toBe(403)
})

it.each([true, false])(
  'the sign-in page offers a new password only if the server sends mails: %s',
  async (sendsMails) => {
    const app = sendsMails ? gateway.app : await gateway.another({ mail: undefined })
    const response = await new TestBrowser({ app }).fetch(`${AUTH}/sends-mails`)
    expect(await response.json()).toEqual({ sendsMails })
  },
)
