// What others see at a computer where the session of a person has ended: nothing of that person.

import { apiKeys, people, Role } from '@mintmark/admin'
import { expect } from '@playwright/test'
import { CAMERA, consoleTest } from './console-test.ts'
import { addCornerCoffee } from './corner-coffee.ts'
import {
  addPerson,
  countKeys,
  endSession,
  enterKey,
  enterPassword,
  findPerson,
  getCover,
  holdCreation,
  openAs,
  pressCreate,
  readDocument,
  readSomething,
  readVisible,
  signIn,
  signInElsewhere,
} from './covered-page.ts'
import { readFocus } from './focus.ts'

const NEW_CARD = 'cards/promo-code/new'

const test = consoleTest(
  {
    browserArguments: CAMERA,
  },
  async (app) => {
    await addCornerCoffee(app.client)
  },
)

test.describe('a page whose session has ended', () => {
  test('is neither visible nor reachable while the session has ended', async ({ app }) => {
    await apiKeys.create(app.client, { name: 'Key of nina' })
    const page = await openAs(app, 'nina', Role.OWNER, 'keys')
    await expect(page.getByText('Key of nina').first()).toBeVisible()
    await page.getByRole('button', { name: 'Account of nina' }).click()
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
    await endSession(app, page, 'nina')
    await readSomething(page)
    await expect(getCover(page)).toBeVisible()
    const stops = new Set<string>()
    for (const key of ['Escape', 'Escape', 'g', 'o', '?', ...Array<string>(12).fill('Tab')]) {
      await page.keyboard.press(key)
      stops.add(await readFocus(page))
    }
    expect([...stops].filter((stop) => /nina|Keys|Home|Create/.test(stop))).toEqual([])
    // A press on a text moves the focus to the document, whose keys are shortcuts.
    await getCover(page).getByRole('heading', { name: 'Sign in' }).click()
    for (const key of ['g', 'o', 'Escape', '?', '/']) await page.keyboard.press(key)
    expect(page.url()).toBe(app.at('keys'))
    expect(await readVisible(page)).not.toMatch(/nina|API keys|Key of|Sign out/)
    await expect(page).toHaveTitle('Sign in · Mintmark')
    await signIn(page, 'nina')
    await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('has nothing of the first person when another one signs in, also with the same role', async ({
    app,
  }) => {
    await addPerson(app, 'alex', Role.OWNER)
    const page = await openAs(app, 'lena', Role.OWNER, 'keys')
    await enterKey(page, 'Secret plan of lena')
    await endSession(app, page, 'lena')
    await pressCreate(page)
    await expect(getCover(page)).toBeVisible()
    await signIn(page, 'alex')
    await expect(page.getByRole('button', { name: 'Account of alex' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible()
    expect(await readDocument(page)).not.toContain('Secret plan of lena')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(await countKeys(app, 'Secret plan of lena')).toBe(0)
  })

  test('has nothing of what was entered with another role of the same person', async ({ app }) => {
    const page = await openAs(app, 'theo', Role.MANAGER, NEW_CARD)
    await page.getByLabel('Name', { exact: true }).fill('Entered as a manager')
    const { personId } = await findPerson(app, 'theo')
    await endSession(app, page, 'theo')
    await readSomething(page)
    await expect(getCover(page)).toBeVisible()
    await people.update(app.client, { personId, role: Role.OWNER })
    await signIn(page, 'theo')
    await expect(page.getByRole('link', { name: 'API keys' })).toBeVisible()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('')
  })

  test('stays covered for a person whom an administrator has removed from the project', async ({ app }) => {
    const page = await openAs(app, 'gone', Role.MANAGER, NEW_CARD)
    await page.getByLabel('Name', { exact: true }).fill('Entered before')
    const { personId } = await findPerson(app, 'gone')
    await people.remove(app.client, { personId })
    await endSession(app, page, 'gone')
    await readSomething(page)
    await expect(getCover(page)).toBeVisible()
    await enterPassword(page, 'gone', 'a wrong password')
    await expect(getCover(page).getByText('The email address or the password is wrong')).toBeVisible()
    expect(await readVisible(page)).not.toContain('Entered before')
    await signIn(page, 'gone')
    await expect(page.getByText('This project is not one of yours')).toBeVisible()
    expect(await readDocument(page)).not.toContain('Entered before')
  })

  test('has nothing of the first person when another one has signed in in another tab', async ({ app }) => {
    await addPerson(app, 'mira', Role.OWNER)
    const page = await openAs(app, 'jan', Role.OWNER, 'keys')
    await enterKey(page, 'Entered by jan')
    await endSession(app, page, 'jan')
    await signInElsewhere(app, page, 'mira')
    await readSomething(page)
    await expect(page.getByRole('button', { name: 'Account of mira' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible()
    expect(await readDocument(page)).not.toContain('Entered by jan')
  })

  test('uses no camera while the session has ended', async ({ app }) => {
    const page = await openAs(app, 'staff', Role.STAFF, 'scanner')
    await page.getByRole('button', { name: 'Start the camera' }).click()
    await expect(page.getByText('Hold the QR code of the card into the frame')).toBeVisible()
    const isOn = () =>
      page.evaluate(() => {
        const stream = document.querySelector('video')?.srcObject
        return stream instanceof MediaStream && stream.active
      })
    expect(await isOn()).toBe(true)
    await endSession(app, page, 'staff')
    await readSomething(page)
    await expect(getCover(page)).toBeVisible()
    expect(await isOn()).toBe(false)
    await signIn(page, 'staff')
    await expect(page.getByRole('button', { name: 'Start the camera' })).toBeVisible()
  })

  test('shows the result of a change that was sent before the end only after the sign-in', async ({
    app,
  }) => {
    const page = await openAs(app, 'hugo', Role.OWNER, 'keys')
    const release = await holdCreation(page)
    await enterKey(page, 'Slow key')
    await pressCreate(page)
    await expect.poll(() => countKeys(app, 'Slow key')).toBe(1)
    await endSession(app, page, 'hugo')
    await readSomething(page)
    await expect(getCover(page)).toBeVisible()
    const responded = page.waitForResponse((response) => response.request().method() === 'POST')
    release()
    await responded
    await expect(page.locator('dialog', { hasText: 'Secret of Slow key' })).toBeAttached()
    expect(await readVisible(page)).not.toContain('Slow key')
    await signIn(page, 'hugo')
    await expect(page.getByRole('dialog', { name: 'Secret of Slow key' })).toBeVisible()
  })

  test('is gone after a sign-out, with what was entered', async ({ app }) => {
    const page = await openAs(app, 'vera', Role.MANAGER, NEW_CARD)
    await page.getByLabel('Name', { exact: true }).fill('Entered by vera')
    await page.getByRole('button', { name: 'Account of vera' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    await page.waitForURL(`${app.url}/console/sign-in*`)
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await expect(getCover(page)).toHaveCount(0)
    expect(await readDocument(page)).not.toContain('Entered by vera')
  })

  test('says what to do when the sign-in cannot be loaded, because the server was updated', async ({
    app,
  }) => {
    const page = await openAs(app, 'nora', Role.MANAGER, NEW_CARD)
    await page.getByLabel('Name', { exact: true }).fill('Entered by nora')
    await endSession(app, page, 'nora')
    await page.route('**/console/assets/**', (route) => route.fulfill({ status: 404 }))
    await readSomething(page)
    await expect(getCover(page).getByText('The sign-in could not be loaded')).toBeVisible()
    expect(await readVisible(page)).not.toContain('Entered by nora')
    await page.unroute('**/console/assets/**')
    await getCover(page).getByRole('button', { name: 'Load the page again' }).click()
    await page.waitForURL(`${app.url}/console/sign-in*`)
  })
})
