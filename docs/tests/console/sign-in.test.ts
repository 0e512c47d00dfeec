// How people sign in, and how they protect their accounts.
import { Role } from '@mintmark/admin'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, type Tab } from './browser.ts'
import { checkPage } from './check-page.ts'
import { type ConsoleFixture, PASSWORD, startConsole } from './console-fixture.ts'
import { createTotp } from './totp.ts'

describe.skipIf(!hasBrowser)('signing in to the console', () => {
  let fixture: ConsoleFixture
  beforeAll(async () => {
    fixture = await startConsole()
  })
  afterAll(() => fixture.close())

  const account = () => `${fixture.url}/console/account`

  /** Creates a person by the page of an invitation, who is signed in afterwards. */
  async function join(email: string, role: Role = Role.OWNER): Promise<Tab> {
    const tab = await fixture.open()
    const { page } = tab
    await page.goto(`${fixture.url}/console/invitation/${await fixture.invite(email, role)}`)
    await page.getByLabel('Your name').fill('Kim Keller')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Repeat the password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Join the project' }).click()
    await page.getByRole('button', { name: 'Account of Kim Keller' }).waitFor()
    return tab
  }

  async function enterPassword(page: Page, email: string, password = PASSWORD): Promise<void> {
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  async function signOut(page: Page): Promise<void> {
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  }

  it('leads to the sign-in and back to the page that required it', async () => {
    const { page } = await join('kim@shop.example')
    await signOut(page)
    await page.goto(fixture.at('orders?status=2'))
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await enterPassword(page, 'kim@shop.example')
    await page.getByRole('heading', { name: 'Orders' }).waitFor()
    expect(page.url()).toBe(fixture.at('orders?status=2'))
  })

  it('never leads to another site', async () => {
    const { page } = await fixture.open()
    await page.goto(`${fixture.url}/console/sign-in?returnTo=${encodeURIComponent('//evil.example/')}`)
    await enterPassword(page, 'kim@shop.example')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    expect(new URL(page.url()).origin).toBe(fixture.url)
  })

  it('explains a wrong password without naming which of both is wrong', async () => {
    const { page } = await fixture.open()
    await page.goto(`${fixture.url}/console/sign-in`)
    for (const email of ['kim@shop.example', 'nobody@shop.example']) {
      await enterPassword(page, email, 'a wrong password')
      const alert = page.getByRole('alert')
      await alert.waitFor()
      expect(await alert.textContent()).toContain('The email address or the password is wrong')
    }
  })

  it('works with a second factor, and with each backup code once', async () => {
    const email = 'second.factor@shop.example'
    const tab = await join(email)
    const { page } = tab
    await page.goto(account())
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('img', { name: /^QR code of/ }).waitFor()
    const key = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
    await checkPage(tab)
    await page.getByRole('textbox', { name: 'Code' }).fill(createTotp(key, Date.now()))
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
    const codes = page.getByRole('dialog').locator('.code-list li')
    await codes.first().waitFor()
    const [backupCode = ''] = await codes.allTextContents()
    await page.getByRole('button', { name: 'I have stored them' }).click()
    await page.getByText('The second factor is on').waitFor()

    await signOut(page)
    await enterPassword(page, email)
    await page.getByRole('heading', { name: 'Second factor' }).waitFor()
    await checkPage(tab)
    await page.getByRole('textbox', { name: 'Code' }).fill('000000')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('The code is wrong').waitFor()
    await page.getByRole('textbox', { name: 'Code' }).fill(createTotp(key, Date.now()))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: /^Account of/ }).waitFor()

    await signOut(page)
    await signInWithBackupCode(page, email, backupCode)
    await page.getByRole('button', { name: /^Account of/ }).waitFor()
    await signOut(page)
    await signInWithBackupCode(page, email, backupCode)
    await page.getByText('The backup code is wrong or was used').waitFor()
  })

  async function signInWithBackupCode(page: Page, email: string, code: string): Promise<void> {
    await enterPassword(page, email)
    await page.getByRole('button', { name: 'Use a backup code' }).click()
    await page.getByLabel('Backup code').fill(code)
    await page.getByRole('button', { name: 'Continue' }).click()
  }

  it('works with a passkey alone, until it is removed', async () => {
    const { page } = await join('passkey@shop.example')
    await addVirtualAuthenticator(page)
    await page.goto(account())
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Work laptop')
    await page.getByRole('dialog').getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('The passkey is added').waitFor()
    await page.getByRole('cell', { name: 'Work laptop', exact: true }).waitFor()

    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('button', { name: 'Account of Kim Keller' }).waitFor()

    await page.goto(account())
    await page.getByRole('button', { name: 'Remove Work laptop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('You have no passkeys.').waitFor()
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('This passkey is not known here').waitFor()
  })

  /**
   * Adds an authenticator to the browser that confirms every request, as a laptop with a fingerprint sensor
   * does.
   */
  async function addVirtualAuthenticator(page: Page): Promise<void> {
    const protocol = await page.context().newCDPSession(page)
    await protocol.send('WebAuthn.enable')
    await protocol.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
  }

  it('ends on other devices when the password changes or a device is signed out', async () => {
    const email = 'devices@shop.example'
    const { page } = await join(email)
    const other = await fixture.open()
    await other.page.goto(`${fixture.url}/console/sign-in`)
    await enterPassword(other.page, email)
    await other.page.getByRole('heading', { name: 'Home' }).waitFor()

    await page.goto(account())
    await page.getByRole('button', { name: /^Sign out Chrome/ }).click()
    await page.getByText('The device is signed out').waitFor()
    await other.page.reload()
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor()

    await enterPassword(other.page, email)
    await other.page.getByRole('heading', { name: 'Home' }).waitFor()
    const changed = 'another horse battery staple'
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByLabel('New password', { exact: true }).fill(changed)
    await page.getByLabel('Repeat the new password').fill(changed)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Your password is changed').waitFor()
    await other.page.reload()
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await enterPassword(other.page, email, changed)
    await other.page.getByRole('heading', { name: 'Home' }).waitFor()
  })

  it('says that a person is still signed in when the sign-out fails, and repeats it', async () => {
    const { page } = await join('train@shop.example')
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    const dialog = page.getByRole('dialog', { name: 'You are still signed in' })
    await dialog.getByText('You are offline').waitFor()
    await page.context().setOffline(false)
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('ends in a tab whose scripts the server no longer has, because it was updated', async () => {
    const { page } = await join('old-tab@shop.example')
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    await page.route('**/console/assets/**', (route) => route.fulfill({ status: 404 }))
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    const read = async () => {
      const headers = { 'x-mintmark-session': 'none' }
      return (await page.request.get(`${fixture.url}/admin/v1/session`, { headers })).status()
    }
    await expect.poll(read).toBe(401)
  })

  it('leads to the sign-in if the response to the accepted invitation was lost', async () => {
    const email = 'lost@shop.example'
    const { page } = await fixture.open()
    await page.route('**/console/invitations/*', async (route) => {
      if (route.request().method() === 'GET') return await route.continue()
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.goto(`${fixture.url}/console/invitation/${await fixture.invite(email, Role.OWNER)}`)
    await page.getByLabel('Your name').fill('Lou')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Repeat the password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Join the project' }).click()
    await page.getByText('The server cannot be reached').waitFor()
    // The answer would have had the cookie of the session.
    await page.context().clearCookies()
    await page.unroute('**/console/invitations/*')
    await page.getByRole('button', { name: 'Join the project' }).click()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await enterPassword(page, email)
    await page.getByRole('heading', { name: 'Home' }).waitFor()
  })

  it('refuses an invitation that was used, and a password that is too short', async () => {
    const token = await fixture.invite('short@shop.example', Role.STAFF)
    const { page } = await fixture.open()
    await page.goto(`${fixture.url}/console/invitation/${token}`)
    await page.getByLabel('Your name').fill('Sam')
    await page.getByLabel('Password', { exact: true }).fill('elevenchars')
    await page.getByLabel('Repeat the password').fill('elevenchars')
    await page.getByRole('button', { name: 'Join the project' }).click()
    await page.getByText('Use at least 12 characters', { exact: true }).waitFor()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Repeat the password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Join the project' }).click()
    await page.getByRole('button', { name: 'Account of Sam' }).waitFor()
    const again = await fixture.open()
    await again.page.goto(`${fixture.url}/console/invitation/${token}`)
    await again.page.getByText('This invitation is not valid').waitFor()
  })

  it('lets a person who has an account accept another invitation after signing in', async () => {
    const email = 'existing@shop.example'
    const { page } = await join(email)
    await signOut(page)
    const other = await fixture.gateway.newKey({ project: 'second shop' })
    const token = await fixture.invite(email, Role.AUDITOR, other.projectId)
    await page.goto(`${fixture.url}/console/invitation/${token}`)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await enterPassword(page, email)
    await page.getByRole('button', { name: 'Join the project' }).click()
    await page.getByRole('button', { name: /^Project .* Choose another one/ }).click()
    await page.getByRole('menuitem', { name: 'second shop' }).click()
    await page.waitForURL(`${fixture.url}/console/p/${other.projectId}/overview`)
  })
})
