// How people sign in, and how they protect their accounts.

import { Role } from '@mintmark/admin'
import { expect, type Page } from '@playwright/test'
import { checkPage } from './check-page.ts'
import { type ConsoleFixture, PASSWORD } from './console-fixture.ts'
import { consoleTest } from './console-test.ts'
import { createTotp } from './totp.ts'

const test = consoleTest()

test.describe('signing in to the console', () => {
  const account = (app: ConsoleFixture) => `${app.url}/console/account`

  /** Creates a person by the page of an invitation, who is signed in afterwards. */
  async function join(app: ConsoleFixture, email: string, role: Role = Role.OWNER): Promise<Page> {
    const page = await app.open()
    await page.goto(`${app.url}/console/invitation/${await app.invite(email, role)}`)
    await page.getByLabel('Your name').fill('Kim Keller')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Repeat the password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Join the project' }).click()
    await expect(page.getByRole('button', { name: 'Account of Kim Keller' })).toBeVisible()
    return page
  }

  async function enterPassword(page: Page, email: string, password = PASSWORD): Promise<void> {
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  async function signOut(page: Page): Promise<void> {
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  }

  test('leads to the sign-in and back to the page that required it', async ({ app }) => {
    const page = await join(app, 'kim@shop.example')
    await signOut(page)
    await page.goto(app.at('orders?status=2'))
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await enterPassword(page, 'kim@shop.example')
    await expect(page.getByRole('heading', { name: 'Orders' })).toBeVisible()
    expect(page.url()).toBe(app.at('orders?status=2'))
  })

  test('never leads to another site', async ({ app }) => {
    const page = await app.open()
    await page.goto(`${app.url}/console/sign-in?returnTo=${encodeURIComponent('//evil.example/')}`)
    await enterPassword(page, 'kim@shop.example')
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible()
    expect(new URL(page.url()).origin).toBe(app.url)
  })

  test('explains a wrong password without naming which of both is wrong', async ({ app }) => {
    const page = await app.open()
    await page.goto(`${app.url}/console/sign-in`)
    for (const email of ['kim@shop.example', 'nobody@shop.example']) {
      await enterPassword(page, email, 'a wrong password')
      const alert = page.getByRole('alert')
      await expect(alert).toBeVisible()
      await expect(alert).toContainText('The email address or the password is wrong')
    }
  })

  test('works with a second factor, and with each backup code once', async ({ app }) => {
    const email = 'second.factor@shop.example'
    const page = await join(app, email)
    await page.goto(account(app))
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('img', { name: /^QR code of/ })).toBeVisible()
    const key = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
    await checkPage(page)
    await page.getByRole('textbox', { name: 'Code' }).fill(createTotp(key, Date.now()))
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
    const codes = page.getByRole('dialog').locator('.code-list li')
    await expect(codes.first()).toBeVisible()
    const [backupCode = ''] = await codes.allTextContents()
    await page.getByRole('button', { name: 'I have stored them' }).click()
    await expect(page.getByText('The second factor is on')).toBeVisible()

    await signOut(page)
    await enterPassword(page, email)
    await expect(page.getByRole('heading', { name: 'Second factor' })).toBeVisible()
    await checkPage(page)
    await page.getByRole('textbox', { name: 'Code' }).fill('000000')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('The code is wrong')).toBeVisible()
    await page.getByRole('textbox', { name: 'Code' }).fill(createTotp(key, Date.now()))
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible()

    await signOut(page)
    await signInWithBackupCode(page, email, backupCode)
    await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible()
    await signOut(page)
    await signInWithBackupCode(page, email, backupCode)
    await expect(page.getByText('The backup code is wrong or was used')).toBeVisible()
  })

  async function signInWithBackupCode(page: Page, email: string, code: string): Promise<void> {
    await enterPassword(page, email)
    await page.getByRole('button', { name: 'Use a backup code' }).click()
    await page.getByLabel('Backup code').fill(code)
    await page.getByRole('button', { name: 'Continue' }).click()
  }

  test('works with a passkey alone, until it is removed', async ({ app }) => {
    const page = await join(app, 'passkey@shop.example')
    await addVirtualAuthenticator(page)
    await page.goto(account(app))
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Work laptop')
    await page.getByRole('dialog').getByRole('button', { name: 'Add a passkey' }).click()
    await expect(page.getByText('The passkey is added')).toBeVisible()
    await expect(page.getByRole('cell', { name: 'Work laptop', exact: true })).toBeVisible()

    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await expect(page.getByRole('button', { name: 'Account of Kim Keller' })).toBeVisible()

    await page.goto(account(app))
    await page.getByRole('button', { name: 'Remove Work laptop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('You have no passkeys.')).toBeVisible()
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await expect(page.getByText('This passkey is not known here')).toBeVisible()
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

  test('ends on other devices when the password changes or a device is signed out', async ({ app }) => {
    const email = 'devices@shop.example'
    const page = await join(app, email)
    const other = await app.open()
    await other.goto(`${app.url}/console/sign-in`)
    await enterPassword(other, email)
    await expect(other.getByRole('heading', { name: 'Home' })).toBeVisible()

    await page.goto(account(app))
    await page.getByRole('button', { name: /^Sign out Chrome/ }).click()
    await expect(page.getByText('The device is signed out')).toBeVisible()
    await other.reload()
    await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible()

    await enterPassword(other, email)
    await expect(other.getByRole('heading', { name: 'Home' })).toBeVisible()
    const changed = 'another horse battery staple'
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByLabel('New password', { exact: true }).fill(changed)
    await page.getByLabel('Repeat the new password').fill(changed)
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByText('Your password is changed')).toBeVisible()
    await other.reload()
    await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await enterPassword(other, email, changed)
    await expect(other.getByRole('heading', { name: 'Home' })).toBeVisible()
  })

  test('says that a person is still signed in when the sign-out fails, and repeats it', async ({ app }) => {
    const page = await join(app, 'train@shop.example')
    await page.getByRole('button', { name: /^Account of/ }).click()
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
    await page.context().setOffline(true)
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    const dialog = page.getByRole('dialog', { name: 'You are still signed in' })
    await expect(dialog.getByText('You are offline')).toBeVisible()
    await page.context().setOffline(false)
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  })

  test('ends in a tab whose scripts the server no longer has, because it was updated', async ({ app }) => {
    const page = await join(app, 'old-tab@shop.example')
    await page.getByRole('button', { name: /^Account of/ }).click()
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
    await page.route('**/console/assets/**', (route) => route.fulfill({ status: 404 }))
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect.poll(() => app.readSessionStatus(page)).toBe(401)
  })

  test('leads to the sign-in if the response to the accepted invitation was lost', async ({ app }) => {
    const email = 'lost@shop.example'
    const page = await app.open()
    await page.route('**/console/invitations/*', async (route) => {
      if (route.request().method() === 'GET') return await route.continue()
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.goto(`${app.url}/console/invitation/${await app.invite(email, Role.OWNER)}`)
    await page.getByLabel('Your name').fill('Lou')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Repeat the password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Join the project' }).click()
    await expect(page.getByText('The server cannot be reached')).toBeVisible()
    // The answer would have had the cookie of the session.
    await page.context().clearCookies()
    await page.unroute('**/console/invitations/*')
    await page.getByRole('button', { name: 'Join the project' }).click()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await enterPassword(page, email)
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible()
  })

  test('refuses an invitation that was used, and a password that is too short', async ({ app }) => {
    const token = await app.invite('short@shop.example', Role.STAFF)
    const page = await app.open()
    await page.goto(`${app.url}/console/invitation/${token}`)
    await page.getByLabel('Your name').fill('Sam')
    await page.getByLabel('Password', { exact: true }).fill('elevenchars')
    await page.getByLabel('Repeat the password').fill('elevenchars')
    await page.getByRole('button', { name: 'Join the project' }).click()
    await expect(page.getByText('Use at least 12 characters', { exact: true })).toBeVisible()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Repeat the password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Join the project' }).click()
    await expect(page.getByRole('button', { name: 'Account of Sam' })).toBeVisible()
    const again = await app.open()
    await again.goto(`${app.url}/console/invitation/${token}`)
    await expect(again.getByText('This invitation is not valid')).toBeVisible()
  })

  test('lets a person who has an account accept another invitation after signing in', async ({ app }) => {
    const email = 'existing@shop.example'
    const page = await join(app, email)
    await signOut(page)
    const other = await app.gateway.newKey({ project: 'second shop' })
    const token = await app.invite(email, Role.AUDITOR, other.projectId)
    await page.goto(`${app.url}/console/invitation/${token}`)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await enterPassword(page, email)
    await page.getByRole('button', { name: 'Join the project' }).click()
    await page.getByRole('button', { name: /^Project .* Choose another one/ }).click()
    await page.getByRole('menuitem', { name: 'second shop' }).click()
    await page.waitForURL(`${app.url}/console/p/${other.projectId}/overview`)
  })
})
