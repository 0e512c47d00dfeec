// What a person has typed is not lost without a question, whichever way leads away from the form.
import { Role } from '@mintmark/admin'
import { promoCodeCards } from '@mintmark/cards'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, type Tab } from './browser.ts'
import { waitForPage } from './check-page.ts'
import { checkViews } from './check-views.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'
import { addCornerCoffee } from './corner-coffee.ts'
import { endSession, getCover, openAs, readSomething, signIn } from './covered-page.ts'

const TYPED = 'Free flat white'

const getQuestion = (page: Page) => page.getByRole('dialog', { name: 'Discard what you typed?' })
const getName = (page: Page) => page.getByLabel('Name', { exact: true })

async function answer(page: Page, button: 'Discard' | 'Keep editing'): Promise<void> {
  await getQuestion(page).getByRole('button', { name: button }).click()
  await getQuestion(page).waitFor({ state: 'detached' })
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

describe.skipIf(!hasBrowser)('what a person has typed', () => {
  let fixture: ConsoleFixture
  beforeAll(async () => {
    fixture = await startConsole()
    await addCornerCoffee(fixture.client)
  })
  afterAll(() => fixture.close())

  /** Opens the form of a card from the list, as a person of two projects. */
  async function openCardForm(name: string): Promise<Tab> {
    const tab = await openAs(fixture, name, Role.OWNER, 'cards/promo-code')
    const { page } = tab
    const { projectId } = await fixture.gateway.newKey({ project: 'second shop' })
    const token = await fixture.invite(`${name}@shop.example`, Role.OWNER, projectId)
    const url = `${fixture.url}/console/invitations/${token}`
    const response = await page.request.post(url, { headers: { origin: fixture.url }, data: {} })
    expect(response.status()).toBe(200)
    // Gateways remember for a second what a person may do.
    const menu = page.getByRole('button', { name: /Choose another one$/ })
    await expect
      .poll(() =>
        page
          .reload()
          .then(() => waitForPage(tab))
          .then(() => menu.count()),
      )
      .toBe(1)
    await page.getByRole('link', { name: 'Create card' }).first().click()
    await getName(page).waitFor()
    return tab
  }

  it.each(WAYS)('stays until the person discards it: %s', async (way, leave, target) => {
    const { page } = await openCardForm(way.replaceAll(/\W/g, '').toLowerCase())
    const address = page.url()
    await getName(page).fill(TYPED)
    await leave(page)
    await answer(page, 'Keep editing')
    expect(await getName(page).inputValue()).toBe(TYPED)
    await expect.poll(() => page.url()).toBe(address)
    await leave(page)
    await answer(page, 'Discard')
    await page.waitForURL(target)
    await getName(page).waitFor({ state: 'detached' })
  })

  it('stays when Back is pressed again while the question is open', async () => {
    const { page } = await openCardForm('twice')
    const address = page.url()
    await getName(page).fill(TYPED)
    for (const press of [1, 2]) {
      await goBack(page)
      await getQuestion(page).waitFor()
      await expect.poll(() => page.url(), { message: `after press ${press}` }).toBe(address)
    }
    expect(await getQuestion(page).count()).toBe(1)
    await answer(page, 'Keep editing')
    expect(await getName(page).inputValue()).toBe(TYPED)
  })

  it('stays when Forward is pressed', async () => {
    const { page } = await openCardForm('forward')
    await page.getByRole('link', { name: 'Orders' }).click()
    await page.getByRole('heading', { name: 'Orders' }).waitFor()
    await goBack(page)
    await getName(page).fill(TYPED)
    await page.evaluate(() => history.forward())
    await answer(page, 'Keep editing')
    expect(await getName(page).inputValue()).toBe(TYPED)
    await page.evaluate(() => history.forward())
    await answer(page, 'Discard')
    await page.getByRole('heading', { name: 'Orders' }).waitFor()
  })

  it('makes the browser ask before the tab is closed, and only then', async () => {
    const { page } = await openCardForm('closes')
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

  it('causes no question once it is saved or undone', async () => {
    const { page } = await openCardForm('saves')
    await getName(page).fill(TYPED)
    await getName(page).fill('')
    await page.getByRole('link', { name: 'Orders' }).click()
    await page.getByRole('heading', { name: 'Orders' }).waitFor()
    await goBack(page)
    await getName(page).fill(TYPED)
    await page.locator('[name=totalIssued]').fill('10')
    await page.locator('[name=startTime]').fill('2026-01-01T00:00')
    await page.locator('[name=endTime]').fill('2099-12-31T00:00')
    await page.getByRole('button', { name: 'Create promo code card' }).click()
    await page.getByRole('heading', { name: TYPED }).waitFor()
    expect(await getQuestion(page).count()).toBe(0)
    const { list } = await promoCodeCards.search(fixture.client, { keyword: TYPED })
    expect(list).toHaveLength(1)
  })

  it('stays in a dialog until the person discards it, however often Escape is pressed', async () => {
    const tab = await openAs(fixture, 'dialog', Role.OWNER, 'overview')
    const { page } = tab
    await page.getByRole('link', { name: 'API keys' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create key' })
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByLabel('Name').fill('Till')
    for (const press of [1, 2, 3]) {
      await page.keyboard.press('Escape')
      await getQuestion(page).waitFor()
      if (press === 1) await checkViews(tab, 'unsaved-input question')
      await page.keyboard.press('Escape')
      await getQuestion(page).waitFor({ state: 'detached' })
      expect(await dialog.getByLabel('Name').inputValue()).toBe('Till')
    }
    for (const button of ['Close', 'Cancel']) {
      await dialog.getByRole('button', { name: button }).click()
      await answer(page, 'Keep editing')
    }
    await goBack(page)
    await answer(page, 'Keep editing')
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Till')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await answer(page, 'Discard')
    await dialog.waitFor({ state: 'detached' })
  })

  it('stays when a person presses beside a dialog', async () => {
    const { page } = await openAs(fixture, 'beside', Role.OWNER, 'account')
    await page.goto(`${fixture.url}/console/account`)
    await page.getByRole('button', { name: 'Turn on' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password').fill('something')
    await page.mouse.click(5, 5)
    await answer(page, 'Keep editing')
    expect(await dialog.getByLabel('Password').inputValue()).toBe('something')
  })

  it('stays below the sign-in when Back and Forward are pressed after the session has ended', async () => {
    const { page } = await openCardForm('covered')
    await page.getByRole('link', { name: 'Orders' }).click()
    await page.getByRole('heading', { name: 'Orders' }).waitFor()
    await goBack(page)
    await getName(page).fill(TYPED)
    const address = page.url()
    await endSession(fixture, page, 'covered')
    await readSomething(page)
    await getCover(page).waitFor()
    for (const step of [-1, 1]) {
      await page.evaluate((delta) => history.go(delta), step)
      await expect.poll(() => page.url(), { message: `after ${step}` }).toBe(address)
    }
    expect(await getQuestion(page).count()).toBe(0)
    await signIn(page, 'covered')
    expect(await getName(page).inputValue()).toBe(TYPED)
    await page.getByRole('link', { name: 'Orders' }).click()
    await answer(page, 'Discard')
    await page.waitForURL(/\/orders$/)
  })

  it('stays on the page of an invitation', async () => {
    const { page } = await fixture.open()
    const token = await fixture.invite('new@shop.example', Role.STAFF)
    await page.goto(`${fixture.url}/console/invitation/${token}`)
    await waitForPage({ page, problems: [] })
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
    await page.getByRole('button', { name: 'Account of Nina' }).waitFor()
    expect(dialogTypes).toHaveLength(1)
  })
})
