// What the console says of mails, and how a person who has forgotten the password sets a new one.

import { Role } from '@mintmark/admin'
import { expect } from '@playwright/test'
import {
  readText,
  type StubMailServer,
  startStubMailServer,
} from '../../gateway-server/src/testing/stub-mail-server.ts'
import { checkPage } from './check-page.ts'
import { PASSWORD } from './console-fixture.ts'
import { consoleTest, perFile } from './console-test.ts'

const NEW_PASSWORD = 'another horse battery staple'

const test = consoleTest().extend<object, { server: StubMailServer }>({
  server: perFile(startStubMailServer, (server) => server.close()),
  consoleOptions: [
    ({ server }, use) => use({ settings: { mail: { server: server.url, from: 'no-reply@shop.example' } } }),
    { scope: 'worker' },
  ],
})

test.describe('mails and the console', () => {
  test.afterEach(({ server }) => {
    server.fault = undefined
    server.mails.length = 0
  })

  const findLink = (server: StubMailServer) =>
    /\S+\/console\/\S+/.exec(readText(server.mails.at(-1)))?.[0] ?? ''

  for (const [fault, text, email] of [
    ['works', 'Sent to one@shop.example. You can also copy the link.', 'one@shop.example'],
    ['refuses the mail', 'The mail to two@shop.example could not be sent.', 'two@shop.example'],
  ] as const) {
    test(`an invitation while the mail server ${fault} says: ${text}`, async ({ server, app }) => {
      server.fault = fault === 'works' ? undefined : fault
      const page = await app.openAs(Role.OWNER, { path: 'people' })
      await page.getByRole('button', { name: 'Invite' }).click()
      await page.getByRole('dialog').getByLabel('Email address').fill(email)
      await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
      const dialog = page.getByRole('dialog', { name: `Invitation of ${email}` })
      await expect(dialog.getByText(text)).toBeVisible()
      const link = dialog.getByText(`${app.url}/console/invitation/`)
      if (fault === 'works') await expect(link).toContainText(findLink(server))
      else await expect(link).toBeVisible()
    })
  }

  test('an owner lets a webhook mail its events to a person of the project, and to nobody else', async ({
    app,
  }) => {
    const page = await app.openAs(Role.OWNER)
    await app.createPerson(await app.open(), {
      email: 'kim@shop.example',
      name: 'Kim',
      role: Role.STAFF,
    })
    await page.goto(app.at('webhooks'))
    await page.getByRole('button', { name: 'Create webhook' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create a webhook' })
    const address = form.getByLabel('Address', { exact: true })
    await address.fill('mailto:stranger@shop.example')
    await form.getByRole('button', { name: 'Create webhook' }).click()
    await expect(form.getByText('No person of the project has this address').first()).toBeVisible()
    await address.fill('mailto:kim@shop.example')
    await form.getByRole('button', { name: 'Create webhook' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'mailto:kim@shop.example' })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('A barista who forgot the password sets a new one by mail', { tag: '@staff' }, async ({
    server,
    app,
  }) => {
    const email = 'forgotten@shop.example'
    await app.createPerson(await app.open(), { email, name: 'Fay Forgotten', role: Role.STAFF })
    const page = await app.open({ width: 390 })
    await page.goto(`${app.url}/console/sign-in`)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await expect(page.getByRole('heading', { name: 'New password' })).toBeVisible()
    await page.getByLabel('Email address').fill(email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await expect(
      page.getByText(`If ${email} has an account, a mail with a link is on its way.`),
    ).toBeVisible()
    await expect.poll(() => server.mails.length).toBe(1)
    const link = findLink(server)
    await page.goto(link)
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('Repeat the new password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByText('The passwords differ')).toBeVisible()
    await checkPage(page)
    await page.getByLabel('Repeat the new password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByText('Your password is changed')).toBeVisible()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${app.url}/console/p/**`)

    const later = await app.open()
    await later.goto(link)
    await later.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
    await later.getByLabel('Repeat the new password').fill(NEW_PASSWORD)
    await later.getByRole('button', { name: 'Change password' }).click()
    await expect(later.getByText('This link does not work any more')).toBeVisible()
  })
})
