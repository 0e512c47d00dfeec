// What a person has entered when the session ends: it is there when the same person signs in again.

import { apiKeys, Role } from '@mintmark/admin'
import { promoCodeCards } from '@mintmark/cards'
import { expect } from '@playwright/test'
import type { View } from './browser.ts'
import { checkViews } from './check-views.ts'
import { PASSWORD } from './console-fixture.ts'
import { consoleTest } from './console-test.ts'
import { addCornerCoffee, COFFEE_ADDRESS } from './corner-coffee.ts'
import {
  countKeys,
  endSession,
  enterKey,
  enterPassword,
  getCover,
  holdCreation,
  openAs,
  pressCreate,
  readSomething,
  signIn,
  signInElsewhere,
} from './covered-page.ts'
import { readFocus } from './focus.ts'
import { createTotp } from './totp.ts'

const PHONE: View = { width: 390 }
const NEW_CARD = 'cards/promo-code/new'

const test = consoleTest({}, async (app) => {
  await addCornerCoffee(app.client)
})

test.describe('a page whose session ends', () => {
  test('keeps the dialog of a person who signs in again, and repeats no change by itself', async ({
    app,
  }) => {
    const page = await openAs(app, 'kim', Role.OWNER, 'keys')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/admin/v1/apiKeys')) sent.push(request.url())
    })
    await enterKey(page, 'Till at the door')
    await endSession(app, page, 'kim')
    await pressCreate(page)
    await expect(getCover(page)).toBeVisible()
    await expect.poll(() => readFocus(page)).toBe('input: email')
    await checkViews(page, 'session-end')
    await signIn(page, 'kim')
    const dialog = page.getByRole('dialog', { name: 'Create key' })
    await expect(dialog.getByLabel('Name')).toHaveValue('Till at the door')
    await expect(dialog.getByText('This was not done, because your session had ended')).toBeVisible()
    await checkViews(page, 'session-continued')
    expect(await page.title()).toMatch(/^API keys/)
    expect(sent).toHaveLength(1)
    expect(await countKeys(app, 'Till at the door')).toBe(0)
    await pressCreate(page)
    await expect(page.getByRole('dialog', { name: 'Secret of Till at the door' })).toBeVisible()
    expect(await countKeys(app, 'Till at the door')).toBe(1)
  })

  test('keeps the fields, the place and the focus of a form on a phone', async ({ app }) => {
    const page = await openAs(app, 'paul', Role.MANAGER, NEW_CARD, PHONE)
    await page.getByLabel('Name', { exact: true }).fill('Free flat white')
    await page.getByLabel('Stores').fill('Harbour')
    await page.getByLabel('Stores').scrollIntoViewIfNeeded()
    const place = await page.evaluate(() => scrollY)
    expect(place).toBeGreaterThan(0)
    await endSession(app, page, 'paul')
    await readSomething(page)
    await expect(getCover(page)).toBeVisible()
    await signIn(page, 'paul')
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Free flat white')
    await expect(page.getByLabel('Stores')).toHaveValue('Harbour')
    expect(await page.evaluate(() => scrollY)).toBe(place)
    expect(await page.evaluate(() => (document.activeElement as HTMLTextAreaElement).value)).toBe('Harbour')
  })

  test('keeps what was entered by a person with a second factor', async ({ app }) => {
    const page = await openAs(app, 'sofia', Role.MANAGER, '../../account')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    const key = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
    await page.getByRole('textbox', { name: 'Code' }).fill(createTotp(key, Date.now()))
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('button', { name: 'I have stored them' }).click()
    await page.goto(app.at(NEW_CARD))
    await page.getByLabel('Name', { exact: true }).fill('With two factors')
    await endSession(app, page, 'sofia')
    await readSomething(page)
    await expect(getCover(page)).toBeVisible()
    await enterPassword(page, 'sofia')
    await expect(page.getByRole('heading', { name: 'Second factor' })).toBeVisible()
    await checkViews(page, 'session-end-second-factor')
    await page.getByRole('textbox', { name: 'Code' }).fill(createTotp(key, Date.now()))
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(getCover(page)).toHaveCount(0)
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('With two factors')
  })

  test('keeps the file of an import, which continues when the person starts it again', async ({ app }) => {
    const page = await openAs(app, 'imke', Role.MANAGER, 'cards/promo-code/import')
    const content = `name,nftAddress,Valid from,Valid until,Uses\nLoyal,${COFFEE_ADDRESS},2026-01-01,2099-12-31,2`
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'cards.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
    await expect(page.getByText('1 row can be imported')).toBeVisible()
    await endSession(app, page, 'imke')
    await page.getByRole('button', { name: 'Import 1 card' }).click()
    await expect(getCover(page)).toBeVisible()
    await signIn(page, 'imke')
    const list = async () => (await promoCodeCards.search(app.client, { keyword: 'Loyal' })).list.length
    expect(await list()).toBe(0)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('1 card is created')).toBeVisible()
    expect(await list()).toBe(1)
  })

  test('reads what it shows again after the sign-in', async ({ app }) => {
    const page = await openAs(app, 'rosa', Role.OWNER, 'keys')
    await endSession(app, page, 'rosa')
    await readSomething(page)
    await expect(getCover(page)).toBeVisible()
    await apiKeys.create(app.client, { name: 'Added meanwhile' })
    await signIn(page, 'rosa')
    await expect(page.getByText('Added meanwhile')).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })

  test('follows events again after the sign-in', async ({ app }) => {
    const page = await openAs(app, 'finn', Role.OWNER, 'keys')
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    await endSession(app, page, 'finn')
    // Only the events find that the session has ended. They stop for good.
    await page.route('**/admin/v1/**', (route) => route.abort())
    await readSomething(page)
    await expect(page.getByText('Not live', { exact: true })).toBeVisible()
    await page.unroute('**/admin/v1/**')
    await readSomething(page)
    await expect(getCover(page)).toBeVisible()
    await signIn(page, 'finn')
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
  })

  test('reads the account again after the sign-in, which has no events', async ({ app }) => {
    const page = await openAs(app, 'maja', Role.STAFF, '../../account')
    await endSession(app, page, 'maja')
    await readSomething(page)
    await expect(getCover(page)).toBeVisible()
    const failed = page.getByRole('alert', { includeHidden: true })
    await expect(failed.first()).toBeAttached()
    await signIn(page, 'maja')
    await expect(failed.first()).toHaveCount(0)
    await expect(page.getByText('You have no passkeys.')).toBeVisible()
  })

  test('is uncovered when the person has signed in in another tab', async ({ app }) => {
    const page = await openAs(app, 'tabea', Role.MANAGER, NEW_CARD)
    await page.getByLabel('Name', { exact: true }).fill('In two tabs')
    await endSession(app, page, 'tabea')
    await readSomething(page)
    await expect(getCover(page)).toBeVisible()
    await signInElsewhere(app, page, 'tabea')
    // Without a window, a browser does not report that a tab is shown.
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
    await expect(getCover(page)).toHaveCount(0)
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('In two tabs')
  })

  test('keeps what was entered when the next session ends too', async ({ app }) => {
    const page = await openAs(app, 'zoe', Role.MANAGER, NEW_CARD)
    await page.getByLabel('Name', { exact: true }).fill('Twice')
    for (const round of [1, 2]) {
      await endSession(app, page, 'zoe')
      await readSomething(page)
      await expect(getCover(page)).toBeVisible()
      // Reads that fail while the sign-in is shown change nothing.
      await readSomething(page)
      await signIn(page, 'zoe')
      const name = page.getByLabel('Name', { exact: true })
      expect(await name.inputValue(), `after the end ${round}`).toBe('Twice')
    }
  })

  test('stays open when a call of the ended session is refused after the next sign-in', async ({ app }) => {
    const page = await openAs(app, 'otto', Role.OWNER, 'keys')
    const release = await holdCreation(page)
    await enterKey(page, 'Late key')
    await endSession(app, page, 'otto')
    await pressCreate(page)
    await readSomething(page)
    await expect(getCover(page)).toBeVisible()
    await signIn(page, 'otto')
    const checked = page.waitForResponse((response) => response.url().endsWith('/admin/v1/session'))
    release()
    await checked
    await expect(page.getByText('This was not done, because your session had ended')).toBeVisible()
    await expect(getCover(page)).toHaveCount(0)
    await expect(page.getByRole('dialog').getByLabel('Name')).toHaveValue('Late key')
  })
})
