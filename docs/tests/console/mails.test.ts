// What the console says of mails.
import { Role } from '@mintmark/admin'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  readText,
  type StubMailServer,
  startStubMailServer,
} from '../../../packages/gateway-server/src/testing/stub-mail-server.ts'
import { hasBrowser } from './browser.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'

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
    [undefined, 'Sent to one@shop.example. You can also copy the link.', 'one@shop.example'],
    ['refuses the mail', 'The mail to two@shop.example could not be sent.', 'two@shop.example'],
  ] as const)('an invitation while the mail server %s says: %s', async (fault, text, email) => {
    server.fault = fault
    const { page } = await fixture.openAs(Role.OWNER)
    await page.goto(fixture.at('people'))
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('dialog').getByLabel('Email address').fill(email)
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog', { name: `Invitation of ${email}` })
    await dialog.getByText(text).waitFor()
    const link = dialog.getByText(`${fixture.url}/console/invitation/`)
    if (fault === undefined) expect(await link.textContent()).toContain(findLink())
    else await link.waitFor()
  })
})
