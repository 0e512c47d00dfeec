// What the console says of mails, and how a person who has forgotten the password sets a new one.
import { Role } from '@mintmark/admin'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  readText,
  type StubMailServer,
  startStubMailServer,
} from '../../../packages/gateway-server/src/testing/stub-mail-server.ts'
import { hasBrowser } from './browser.ts'
import { checkPage } from './check-page.ts'
import { type ConsoleFixture, PASSWORD, startConsole } from './console-fixture.ts'

const NEW_PASSWORD = 'another horse battery staple'

describe.skipIf(!hasBrowser)('mails and the console', () => {
  let server: StubMailServer
  let fixture: ConsoleFixture
  beforeAll(async () => {
    server = await startStubMailServer()
    fixture = await startConsole({
      settings: { mail: { server: server.url, from: 'no-reply@shop.example' } },
    })
  })
  afterAll(async () => {
    await fixture?.close()
    await server?.close()
  })
  afterEach(() => {
    server.fault = undefined
    server.mails.length = 0
  })

  const findLink = () => /\S+\/console\/\S+/.exec(readText(server.mails.at(-1)))?.[0] ?? ''

  it.each([
    ['works', 'Sent to one@shop.example. You can also copy the link.', 'one@shop.example'],
    ['refuses the mail', 'The mail to two@shop.example could not be sent.', 'two@shop.example'],
  ] as const)('an invitation while the mail server %s says: %s', async (fault, text, email) => {
    server.fault = fault === 'works' ? undefined : fault
    const { page } = await fixture.openAs(Role.OWNER)
    await page.goto(fixture.at('people'))
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('dialog').getByLabel('Email address').fill(email)
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog', { name: `Invitation of ${email}` })
    await dialog.getByText(text).waitFor()
    const link = dialog.getByText(`${fixture.url}/console/invitation/`)
    if (fault === 'works') expect(await link.textContent()).toContain(findLink())
    else await link.waitFor()
  })

  it('an owner lets a webhook mail its events to a person of the project, and to nobody else', async () => {
    const { page } = await fixture.openAs(Role.OWNER)
    await fixture.createPerson(await fixture.open(), {
      email: 'kim@shop.example',
      name: 'Kim',
      role: Role.STAFF,
    })
    await page.goto(fixture.at('webhooks'))
    await page.getByRole('button', { name: 'Create webhook' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create a webhook' })
    const address = form.getByLabel('Address', { exact: true })
    await address.fill('mailto:stranger@shop.example')
    await form.getByRole('button', { name: 'Create webhook' }).click()
    await form.getByText('No person of the project has this address').first().waitFor()
    await address.fill('mailto:kim@shop.example')
    await form.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByRole('heading', { level: 1, name: 'mailto:kim@shop.example' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('a person who has forgotten the password sets a new one by the mailed link, and signs in', async () => {
    const email = 'forgotten@shop.example'
    await fixture.createPerson(await fixture.open(), { email, name: 'Fay Forgotten', role: Role.STAFF })
    const tab = await fixture.open({ width: 390 })
    const { page } = tab
    await page.goto(`${fixture.url}/console/sign-in`)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByRole('heading', { name: 'New password' }).waitFor()
    await page.getByLabel('Email address').fill(email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText(`If ${email} has an account, a mail with a link is on its way.`).waitFor()
    await expect.poll(() => server.mails.length).toBe(1)
    const link = findLink()
    await page.goto(link)
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('Repeat the new password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('The passwords differ').waitFor()
    await checkPage(tab)
    await page.getByLabel('Repeat the new password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Your password is changed').waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${fixture.url}/console/p/**`)

    const { page: later } = await fixture.open()
    await later.goto(link)
    await later.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
    await later.getByLabel('Repeat the new password').fill(NEW_PASSWORD)
    await later.getByRole('button', { name: 'Change password' }).click()
    await later.getByText('This link does not work any more').waitFor()
  })
})
