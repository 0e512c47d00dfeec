import { operatorProjects, operators, people, Role } from '@mintmark/admin'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addPerson, PASSWORD, TestBrowser } from '../../testing/console-person.ts'
import { TEST_URL, type TestGateway, type TestKey, testGateway } from '../../testing/gateway.ts'
import { clientOf } from '../../testing/samples/calls.ts'
import {
  MAIL_PASSWORD,
  readText,
  type StubMailServer,
  startStubMailServer,
} from '../../testing/stub-mail-server.ts'

let server: StubMailServer
let gateway: TestGateway
let key: TestKey
beforeAll(async () => {
  server = await startStubMailServer()
  gateway = await testGateway({ mail: { server: server.url, from: 'no-reply@shop.example' } })
  key = await gateway.newKey({ project: 'Corner Coffee' })
})
afterAll(async () => {
  await gateway.close()
  await server.close()
})
afterEach(() => {
  server.fault = undefined
  server.mails.length = 0
})

let count = 0
const newEmail = () => {
  count += 1
  return `person-${count}@example.com`
}
const invite = ({ by = key, email = newEmail() } = {}) =>
  people.invite(clientOf(gateway, by), { email, role: Role.STAFF })
const findLink = (mail: string | undefined) => /\S+\/console\/\S+/.exec(readText(mail))?.[0] ?? ''

it('an invitation is mailed to the person, with a link to the public address that makes a member', async () => {
  const browser = await addPerson(gateway, { email: newEmail(), role: Role.OWNER, project: key.projectId })
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
  const email = newEmail()
  const response = await browser.post(
    '/admin/v1/invitations',
    { email, role: 'STAFF' },
    {
      ...headers,
      'x-mintmark-session': String(key.projectId),
    },
  )
  const { data } = (await response.json()) as { data: { url: string; isMailed: boolean } }
  expect(data.isMailed).toBe(true)
  const [mail] = server.mails
  expect(mail).toMatch(new RegExp(`^To: ${email}$`, 'm'))
  expect(mail).toMatch(/^From: no-reply@shop.example$/m)
  expect(mail).toMatch(/^Subject: Invitation to join Corner Coffee$/m)
  expect(mail).toMatch(/^Content-Type: text\/plain/m)
  expect(readText(mail)).toContain('invites you to join Corner Coffee.')
  expect(readText(mail)).toMatch(/It works once, until \d+ \w+ \d{4} at \d\d:\d\d UTC:/)
  const link = findLink(mail)
  expect(link).toBe(data.url)
  expect(new URL(link).origin).toBe(TEST_URL)
  const path = new URL(link).pathname.replace('/invitation/', '/invitations/')
  const accepted = await new TestBrowser(gateway).post(path, { name: 'Kim', password: PASSWORD })
  expect(accepted.status).toBe(200)
})

it('an invitation of the first owner of a project is mailed, and one of an operator', async () => {
  const client = clientOf(gateway, await gateway.newKey({ scopes: ['operator:read', 'operator:write'] }))
  const { projectId } = await operatorProjects.create(client, { name: 'New Tea' })
  const owner = await operatorProjects.inviteOwner(client, { projectId, email: newEmail() })
  const operator = await operators.invite(client, { email: newEmail() })
  expect(server.mails.map(findLink)).toEqual([owner.url, operator.url])
  expect(server.mails.map(readText)).toEqual([
    expect.stringContaining('You are invited to join New Tea.'),
    expect.stringContaining('You are invited to operate the server gateway.test.'),
  ])
  expect([owner.isMailed, operator.isMailed]).toEqual([true, true])
})

describe('a mail server that fails', () => {
  it.each(['hangs', 'refuses the login', 'refuses the mail'] as const)(
    'a mail server that %s leaves the link to the person who invites, within 6 seconds, and no secret in the log',
    async (fault) => {
      server.fault = fault
      const startedMs = performance.now()
      const { url = '', isMailed } = await invite()
      expect(performance.now() - startedMs).toBeLessThan(6000)
      expect(isMailed).toBe(false)
      expect((await new TestBrowser(gateway).fetch(new URL(url).pathname.replace('n/', 'ns/'))).status).toBe(
        200,
      )
      const lines = gateway.logged.filter((line) => line.includes('"part":"mail"'))
      expect(lines).not.toEqual([])
      for (const secret of [url.split('/').at(-1), MAIL_PASSWORD])
        expect(gateway.logged.join()).not.toContain(secret)
    },
  )

  it('a mail server that is away leaves the link to the person who invites', async () => {
    const away = await startStubMailServer()
    await away.close()
    const app = await gateway.another({ mail: { server: away.url, from: 'no-reply@shop.example' } })
    const client = clientOf({ ...gateway, app }, key)
    const { url, isMailed } = await people.invite(client, { email: newEmail(), role: Role.STAFF })
    expect(url).toContain('/console/invitation/')
    expect(isMailed).toBe(false)
  })
})

it.each([
  ['line breaks', 'Corner\r\nBcc: all@evil.example\r\n\r\nCoffee', 'Corner Bcc all evil example Coffee'],
  ['HTML', '<a href="https://evil.example">Coffee</a>', 'a href https evil example Coffee a'],
  ['a web address', 'win.evil.example/now', 'win evil example now'],
  ['600 characters', 'long '.repeat(120), 'long '.repeat(12).trim()],
  ['nothing readable', '\u202e🚀', 'a project'],
])('a project whose name has %s is named in a mail by its words only', async (_, name, shown) => {
  const named = await gateway.newKey({ project: `named ${count}` })
  await gateway.owner.pool.query('update gateway.projects set name = $1 where id = $2', [
    name,
    named.projectId,
  ])
  const email = newEmail()
  await invite({ by: named, email })
  const [mail = ''] = server.mails
  const headers = mail.slice(0, mail.indexOf('\n\n')).replaceAll(/\n[ \t]+/g, ' ')
  expect(headers).toContain(`Subject: Invitation to join ${shown}`)
  expect(headers).not.toMatch(/^bcc:/im)
  expect(headers.match(/^to: .*/gim)).toEqual([`To: ${email}`])
  expect(readText(mail)).toContain(`You are invited to join ${shown}.`)
})

describe('mails are limited', () => {
  it('mails are limited to three for an address, whoever invites it, and a further invitation has its link', async () => {
    const email = newEmail()
    const others = await Promise.all([1, 2, 3].map((each) => gateway.newKey({ project: `bomb ${each}` })))
    const sent: (boolean | undefined)[] = []
    for (const by of [...others, key, key]) {
      const { isMailed, url } = await invite({ by, email })
      expect(url).toContain('/console/invitation/')
      sent.push(isMailed)
    }
    expect(sent).toEqual([true, true, true, false, false])
    expect(server.mails).toHaveLength(3)
  })

  it('mails are limited to 50 for a project, with whichever of its keys it invites', async () => {
    const keys = [await gateway.newKey({ project: 'many' }), await gateway.newKey({ project: 'many' })]
    const sent = new Map<boolean | undefined, number>()
    for (let each = 0; each < 52; each += 1) {
      const { isMailed } = await invite({ by: keys[each % 2] })
      sent.set(isMailed, (sent.get(isMailed) ?? 0) + 1)
    }
    expect(sent.get(true)).toBe(50)
    expect(sent.get(false)).toBe(2)
  })
})

it('a server without a mail server says nothing of mails', async () => {
  const silent = await testGateway()
  const invitation = await people.invite(clientOf(silent, silent.key), {
    email: newEmail(),
    role: Role.STAFF,
  })
  expect(invitation.url).toContain('/console/invitation/')
  expect(invitation).not.toHaveProperty('isMailed')
  await silent.close()
})
