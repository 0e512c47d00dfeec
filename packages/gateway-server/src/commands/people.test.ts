import { Role, session } from '@mintmark/admin'
import { captureCommand } from '@mintmark/devkit/command-output'
import { runCommandLine } from '@mintmark/server-kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPerson, PASSWORD, setOperator, TestBrowser } from '../testing/console-person.ts'
import { TEST_URL, type TestGateway, testGateway } from '../testing/gateway.ts'
import { peopleCommands } from './people.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

/** Runs a command as from a shell. */
const run = (args: readonly string[], more: Record<string, string> = { PUBLIC_URL: TEST_URL }) => {
  const environment = { DATABASE_URL: gateway.url, SECRET_KEYS: gateway.secretKeys, ...more }
  return captureCommand(environment, () =>
    runCommandLine({ program: 'mintmark-gateway', version: '0' }, peopleCommands, args),
  )
}

const CONFIGURATION = 2
const invite = ['people', 'invite', 'kim@example.com', '--project', 'shop']

describe('people invite', () => {
  it('people invite prints a link that makes the person an owner of a new project', async () => {
    const { status, out } = await run(invite)
    expect(status).toBe(0)
    const printed = JSON.parse(out)
    expect(printed).toEqual({
      email: 'kim@example.com',
      project: 'shop',
      role: 'OWNER',
      url: expect.stringMatching(/^http:\/\/gateway\.test\/console\/invitation\/[\w-]{43}$/),
      expires: expect.any(String),
    })
    expect(Date.parse(printed.expires)).toBeGreaterThan(Date.now() + 6 * 86_400_000)
    const browser = new TestBrowser(gateway)
    const path = new URL(printed.url).pathname.replace('/invitation/', '/invitations/')
    expect((await browser.post(path, { name: 'Kim', password: PASSWORD })).status).toBe(200)
    expect(await session.get(browser.client())).toMatchObject({
      email: 'kim@example.com',
      projects: [{ projectName: 'shop', role: 'OWNER' }],
    })
  })

  it('people invite invites to any role, with the URL of --public-url', async () => {
    const args = ['people', 'invite', 'Staff@Example.com', '--project', 'demo', '--role', 'STAFF']
    const { status, out } = await run([...args, '--public-url', 'https://gateway.example'], {})
    expect(status).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      email: 'staff@example.com',
      role: 'STAFF',
      url: expect.stringContaining('https://gateway.example/console/invitation/'),
    })
  })

  it.each([
    [
      'an unknown role',
      [...invite, '--role', 'BOSS'],
      '--role: expected one of OWNER, MANAGER, STAFF, AUDITOR',
    ],
    ['no address', ['people', 'invite', 'kim', '--project', 'shop'], 'email: expected an email address'],
    ['no project', ['people', 'invite', 'kim@example.com'], '--project'],
  ])('people invite refuses %s', async (_, args, message) => {
    const { status, error } = await run(args)
    expect(status).toBe(CONFIGURATION)
    expect(error).toContain(message)
  })

  it('people invite refuses to print a link without the URL of the server', async () => {
    const { status, error } = await run(['people', 'invite', 'new@example.com', '--project', 'demo'], {})
    expect(status).toBe(CONFIGURATION)
    expect(error).toContain('--public-url: expected the URL of the server, because PUBLIC_URL is not set')
  })

  it('people invite refuses a person who has a role in the project', async () => {
    const email = 'member@example.com'
    await addPerson(gateway, { email, role: Role.STAFF, project: gateway.key.projectId })
    const { status, error } = await run(['people', 'invite', email, '--project', 'demo'])
    expect(status).toBe(CONFIGURATION)
    expect(error).toContain('member@example.com already has a role in the project demo')
  })
})

const pathOfLink = (url: string) => new URL(url).pathname.replace('/invitation/', '/invitations/')

describe('people operator', () => {
  it('people operator prints a link that makes the person an operator, and ends that with --remove', async () => {
    const email = 'operator@example.com'
    const { status, out } = await run(['people', 'operator', email.toUpperCase()])
    expect(status).toBe(0)
    const printed = JSON.parse(out)
    expect(printed).toEqual({
      email,
      url: expect.stringMatching(/^http:\/\/gateway\.test\/console\/invitation\/[\w-]{43}$/),
      expires: expect.any(String),
    })
    const browser = new TestBrowser(gateway)
    const isOperator = async () => (await session.get(browser.client())).isOperator
    expect((await browser.post(pathOfLink(printed.url), { name: 'Kim', password: PASSWORD })).status).toBe(
      200,
    )
    expect(await isOperator()).toBe(true)
    expect(JSON.parse((await run(['people', 'operator', email, '--remove'])).out)).toMatchObject({
      isOperator: false,
    })
    await expect.poll(isOperator).toBe(false)
  })
})

describe('people remove', () => {
  it('people remove removes an account, also the last operator, so that an invitation creates a new one', async () => {
    const email = 'taken@example.com'
    const project = gateway.key.projectId
    const impostor = await addPerson(gateway, { email, role: Role.STAFF, project })
    await setOperator(gateway, email, true)
    const { status, out } = await run(['people', 'remove', 'Taken@example.com'])
    expect(status).toBe(0)
    expect(JSON.parse(out)).toEqual({
      personId: expect.any(String),
      name: 'taken',
      email,
      projects: [{ projectName: 'demo', role: 'STAFF' }],
    })
    expect((await impostor.signIn(email)).status).toBe(401)
    const holder = await addPerson(gateway, { email, role: Role.OWNER, project })
    expect(await session.get(holder.client())).toMatchObject({
      isOperator: false,
      projects: [{ role: 'OWNER' }],
    })
  })

  it('people remove refuses an address that nobody has', async () => {
    const { status, error } = await run(['people', 'remove', 'nobody@example.com'])
    expect(status).toBe(CONFIGURATION)
    expect(error).toContain('Nobody has the email address nobody@example.com')
  })
})
