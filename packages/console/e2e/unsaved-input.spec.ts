// What a person has typed is not lost without a question, whichever way leads away from the form.

import { Role } from '@mintmark/admin'
import { promoCodeCards } from '@mintmark/cards'
import { expect, type Page } from '@playwright/test'
import { visit, waitForPage } from './check-page.ts'
import { checkViews } from './check-views.ts'
import type { ConsoleFixture } from './console-fixture.ts'
import { consoleTest } from './console-test.ts'
import { addCornerCoffee } from './corner-coffee.ts'
import { endSession, getCover, openAs, readSomething, signIn } from './covered-page.ts'

const TYPED = 'Free flat white'

const getQuestion = (page: Page) => page.getByRole('dialog', { name: 'Discard what you typed?' })
const getName = (page: Page) => page.getByLabel('Name', { exact: true })

async function answer(page: Page, button: 'Discard' | 'Keep editing'): Promise<void> {
  await getQuestion(page).getByRole('button', { name: button }).click()
  await expect(getQuestion(page)).toHaveCount(0)
}

async function goBack(page: Page): Promise<void> {
  await page.evaluate(() => history.back())
}

async function pressShortcut(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('g')
  await page.keyboard.press('w')
}

async function choose(page: Page, button: RegExp, entry: string): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

/** Each way that leads away from the form of a card, and where to. */
const WAYS: readonly (readonly [way: string, leave: (page: Page) => Promise<void>, target: RegExp])[] = [
  ['a link', (page) => page.getByRole('link', { name: 'Orders' }).click(), /\/orders$/],
  [
    'the button that cancels',
    (page) => page.getByRole('button', { name: 'Cancel', exact: true }).click(),
    /\/promo-code$/,
  ],
  ['Back', goBack, /\/promo-code$/],
  ['a shortcut', pressShortcut, /\/wallets$/],
  ['another project', (page) => choose(page, /Choose another one$/, 'second shop'), /\/overview$/],
  ['the account', (page) => choose(page, /^Account of/, 'Account settings'), /\/account$/],
  ['the sign-out', (page) => choose(page, /^Account of/, 'Sign out'), /\/sign-in/],
]

const test = consoleTest({}, async (app) => {
  await addCornerCoffee(app.client)
})

test.describe('what a person has typed', () => {
  /** Opens the form of a card from the list, as a person of two projects. */
  async function openCardForm(app: ConsoleFixture, name: string): Promise<Page> {
    const page = await openAs(app, name, Role.OWNER, 'cards/promo-code')
    const { projectId } = await app.gateway.newKey({ project: 'second shop' })
    const token = await app.invite(`${name}@shop.example`, Role.OWNER, projectId)
    const url = `${app.url}/console/invitations/${token}`
    const response = await page.request.post(url, { headers: { origin: app.url }, data: {} })
    expect(response.status()).toBe(200)
    // Gateways remember for a second what a person may do.
    const menu = page.getByRole('button', { name: /Choose another one$/ })
    await expect
      .poll(() =>
        page
          .reload()
          .then(() => waitForPage(page))
          .then(() => menu.count()),
      )
      .toBe(1)
    await page.getByRole('link', { name: 'Create card' }).first().click()
    await expect(getName(page)).toBeVisible()
    return page
  }

  for (const [way, leave, target] of WAYS) {
    test(`stays until the person discards it: ${way}`, async ({ app }) => {
      const page = await openCardForm(app, way.replaceAll(/\W/g, '').toLowerCase())
      const address = page.url()
      await getName(page).fill(TYPED)
      await leave(page)
      await answer(page, 'Keep editing')
      await expect(getName(page)).toHaveValue(TYPED)
      await expect(page).toHaveURL(address)
      await leave(page)
      await answer(page, 'Discard')
      await page.waitForURL(target)
      await expect(getName(page)).toHaveCount(0)
    })
  }

  test('stays when Back is pressed again while the question is open', async ({ app }) => {
    const page = await openCardForm(app, 'twice')
    const address = page.url()
    await getName(page).fill(TYPED)
    for (const press of [1, 2]) {
      await goBack(page)
      await expect(getQuestion(page)).toBeVisible()
      await expect.poll(() => page.url(), { message: `after press ${press}` }).toBe(address)
    }
    await expect(getQuestion(page)).toHaveCount(1)
    await answer(page, 'Keep editing')
    await expect(getName(page)).toHaveValue(TYPED)
  })

  test('stays when Forward is pressed', async ({ app }) => {
    const page = await openCardForm(app, 'forward')
    await page.getByRole('link', { name: 'Orders' }).click()
    await expect(page.getByRole('heading', { name: 'Orders' })).toBeVisible()
    await goBack(page)
    await getName(page).fill(TYPED)
    await page.evaluate(() => history.forward())
    await answer(page, 'Keep editing')
    await expect(getName(page)).toHaveValue(TYPED)
    await page.evaluate(() => history.forward())
    await answer(page, 'Discard')
    await expect(page.getByRole('heading', { name: 'Orders' })).toBeVisible()
  })

  test('makes the browser ask before the tab is closed, and only then', async ({ app }) => {
    const page = await openCardForm(app, 'closes')
    const dialogTypes: string[] = []
    page.on('dialog', async (dialog) => {
      dialogTypes.push(dialog.type())
      await dialog.dismiss()
    })
    await getName(page).fill(TYPED)
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => dialogTypes).toEqual(['beforeunload'])
    await getName(page).fill('')
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => page.isClosed()).toBe(true)
    expect(dialogTypes).toHaveLength(1)
  })

  test('causes no question once it is saved or undone', async ({ app }) => {
    const page = await openCardForm(app, 'saves')
    await getName(page).fill(TYPED)
    await getName(page).fill('')
    await page.getByRole('link', { name: 'Orders' }).click()
    await expect(page.getByRole('heading', { name: 'Orders' })).toBeVisible()
    await goBack(page)
    await getName(page).fill(TYPED)
    await page.locator('[name=totalIssued]').fill('10')
    await page.locator('[name=startTime]').fill('2026-01-01T00:00')
    await page.locator('[name=endTime]').fill('2099-12-31T00:00')
    await page.getByRole('button', { name: 'Create promo code card' }).click()
    await expect(page.getByRole('heading', { name: TYPED })).toBeVisible()
    await expect(getQuestion(page)).toHaveCount(0)
    const { list } = await promoCodeCards.search(app.client, { keyword: TYPED })
    expect(list).toHaveLength(1)
  })

  test('stays in a dialog until the person discards it, however often Escape is pressed', async ({ app }) => {
    const page = await openAs(app, 'dialog', Role.OWNER, 'overview')
    await page.getByRole('link', { name: 'API keys' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create key' })
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await page.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByLabel('Name').fill('Till')
    for (const press of [1, 2, 3]) {
      await page.keyboard.press('Escape')
      await expect(getQuestion(page)).toBeVisible()
      if (press === 1) await checkViews(page, 'unsaved-input question')
      await page.keyboard.press('Escape')
      await expect(getQuestion(page)).toHaveCount(0)
      await expect(dialog.getByLabel('Name')).toHaveValue('Till')
    }
    for (const button of ['Close', 'Cancel']) {
      await dialog.getByRole('button', { name: button }).click()
      await answer(page, 'Keep editing')
    }
    await goBack(page)
    await answer(page, 'Keep editing')
    await expect(dialog.getByLabel('Name')).toHaveValue('Till')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await answer(page, 'Discard')
    await expect(dialog).toHaveCount(0)
  })

  test('stays when a person presses beside a dialog', async ({ app }) => {
    const page = await openAs(app, 'beside', Role.OWNER, 'account')
    await page.goto(`${app.url}/console/account`)
    await page.getByRole('button', { name: 'Turn on' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password').fill('something')
    await page.mouse.click(5, 5)
    await answer(page, 'Keep editing')
    await expect(dialog.getByLabel('Password')).toHaveValue('something')
  })

  test('stays below the sign-in when Back and Forward are pressed after the session has ended', async ({
    app,
  }) => {
    const page = await openCardForm(app, 'covered')
    await page.getByRole('link', { name: 'Orders' }).click()
    await expect(page.getByRole('heading', { name: 'Orders' })).toBeVisible()
    await goBack(page)
    await getName(page).fill(TYPED)
    const address = page.url()
    await endSession(app, page, 'covered')
    await readSomething(page)
    await expect(getCover(page)).toBeVisible()
    for (const step of [-1, 1]) {
      await page.evaluate((delta) => history.go(delta), step)
      await expect.poll(() => page.url(), { message: `after ${step}` }).toBe(address)
    }
    await expect(getQuestion(page)).toHaveCount(0)
    await signIn(page, 'covered')
    await expect(getName(page)).toHaveValue(TYPED)
    await page.getByRole('link', { name: 'Orders' }).click()
    await answer(page, 'Discard')
    await page.waitForURL(/\/orders$/)
  })

  test('stays on the page of an invitation', async ({ app }) => {
    const page = await app.open()
    const token = await app.invite('new@shop.example', Role.STAFF)
    await visit(page, `${app.url}/console/invitation/${token}`)
    await page.getByLabel('Your name').fill('Nina')
    const dialogTypes: string[] = []
    page.on('dialog', async (dialog) => {
      dialogTypes.push(dialog.type())
      await dialog.dismiss()
    })
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => dialogTypes).toEqual(['beforeunload'])
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
    await page.getByLabel('Repeat the password').fill('correct horse battery staple')
    await page.getByRole('button', { name: 'Join the project' }).click()
    await expect(page.getByRole('button', { name: 'Account of Nina' })).toBeVisible()
    expect(dialogTypes).toHaveLength(1)
  })
})
