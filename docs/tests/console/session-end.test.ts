// What a person has entered when the session ends: it is there when the same person signs in again.
import { apiKeys, Role } from '@mintmark/admin'
import { promoCodeCards } from '@mintmark/cards'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, type View } from './browser.ts'
import { checkViews } from './check-views.ts'
import { type ConsoleFixture, PASSWORD, startConsole } from './console-fixture.ts'
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

describe.skipIf(!hasBrowser)('a page whose session ends', () => {
  let fixture: ConsoleFixture
  beforeAll(async () => {
    fixture = await startConsole()
    await addCornerCoffee(fixture.client)
  })
  afterAll(() => fixture.close())

  it('keeps the dialog of a person who signs in again, and repeats no change by itself', async () => {
    const tab = await openAs(fixture, 'kim', Role.OWNER, 'keys')
    const { page } = tab
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/admin/v1/apiKeys')) sent.push(request.url())
    })
    await enterKey(page, 'Till at the door')
    await endSession(fixture, page, 'kim')
    await pressCreate(page)
    await getCover(page).waitFor()
    await expect.poll(() => readFocus(page)).toBe('input: email')
    await checkViews(tab, 'session-end')
    await signIn(page, 'kim')
    const dialog = page.getByRole('dialog', { name: 'Create key' })
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Till at the door')
    await dialog.getByText('This was not done, because your session had ended').waitFor()
    await checkViews(tab, 'session-continued')
    expect(await page.title()).toMatch(/^API keys/)
    expect(sent).toHaveLength(1)
    expect(await countKeys(fixture, 'Till at the door')).toBe(0)
    await pressCreate(page)
    await page.getByRole('dialog', { name: 'Secret of Till at the door' }).waitFor()
    expect(await countKeys(fixture, 'Till at the door')).toBe(1)
  })

  it('keeps the fields, the place and the focus of a form on a phone', async () => {
    const { page } = await openAs(fixture, 'paul', Role.MANAGER, NEW_CARD, PHONE)
    await page.getByLabel('Name', { exact: true }).fill('Free flat white')
    await page.getByLabel('Stores').fill('Harbour')
    await page.getByLabel('Stores').scrollIntoViewIfNeeded()
    const place = await page.evaluate(() => scrollY)
    expect(place).toBeGreaterThan(0)
    await endSession(fixture, page, 'paul')
    await readSomething(page)
    await getCover(page).waitFor()
    await signIn(page, 'paul')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Free flat white')
    expect(await page.getByLabel('Stores').inputValue()).toBe('Harbour')
    expect(await page.evaluate(() => scrollY)).toBe(place)
    expect(await page.evaluate(() => (document.activeElement as HTMLTextAreaElement).value)).toBe('Harbour')
  })

  it('keeps what was entered by a person with a second factor', async () => {
    const tab = await openAs(fixture, 'sofia', Role.MANAGER, '../../account')
    const { page } = tab
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    const key = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
    await page.getByRole('textbox', { name: 'Code' }).fill(createTotp(key, Date.now()))
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('button', { name: 'I have stored them' }).click()
    await page.goto(fixture.at(NEW_CARD))
    await page.getByLabel('Name', { exact: true }).fill('With two factors')
    await endSession(fixture, page, 'sofia')
    await readSomething(page)
    await getCover(page).waitFor()
    await enterPassword(page, 'sofia')
    await page.getByRole('heading', { name: 'Second factor' }).waitFor()
    await checkViews(tab, 'session-end-second-factor')
    await page.getByRole('textbox', { name: 'Code' }).fill(createTotp(key, Date.now()))
    await page.getByRole('button', { name: 'Continue' }).click()
    await getCover(page).waitFor({ state: 'detached' })
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('With two factors')
  })

  it('keeps the file of an import, which continues when the person starts it again', async () => {
    const { page } = await openAs(fixture, 'imke', Role.MANAGER, 'cards/promo-code/import')
    const content = `name,nftAddress,Valid from,Valid until,Uses\nLoyal,${COFFEE_ADDRESS},2026-01-01,2099-12-31,2`
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'cards.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
    await page.getByText('1 row can be imported').waitFor()
    await endSession(fixture, page, 'imke')
    await page.getByRole('button', { name: 'Import 1 card' }).click()
    await getCover(page).waitFor()
    await signIn(page, 'imke')
    const list = async () => (await promoCodeCards.search(fixture.client, { keyword: 'Loyal' })).list.length
    expect(await list()).toBe(0)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('1 card is created').waitFor()
    expect(await list()).toBe(1)
  })

  it('reads what it shows again after the sign-in', async () => {
    const { page } = await openAs(fixture, 'rosa', Role.OWNER, 'keys')
    await endSession(fixture, page, 'rosa')
    await readSomething(page)
    await getCover(page).waitFor()
    await apiKeys.create(fixture.client, { name: 'Added meanwhile' })
    await signIn(page, 'rosa')
    await page.getByText('Added meanwhile').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('follows events again after the sign-in', async () => {
    const { page } = await openAs(fixture, 'finn', Role.OWNER, 'keys')
    await page.getByText('Live', { exact: true }).waitFor()
    await endSession(fixture, page, 'finn')
    // Only the events find that the session has ended. They stop for good.
    await page.route('**/admin/v1/**', (route) => route.abort())
    await readSomething(page)
    await page.getByText('Not live', { exact: true }).waitFor()
    await page.unroute('**/admin/v1/**')
    await readSomething(page)
    await getCover(page).waitFor()
    await signIn(page, 'finn')
    await page.getByText('Live', { exact: true }).waitFor()
  })

  it('reads the account again after the sign-in, which has no events', async () => {
    const { page } = await openAs(fixture, 'maja', Role.STAFF, '../../account')
    await endSession(fixture, page, 'maja')
    await readSomething(page)
    await getCover(page).waitFor()
    const failed = page.getByRole('alert', { includeHidden: true })
    await failed.first().waitFor({ state: 'attached' })
    await signIn(page, 'maja')
    await failed.first().waitFor({ state: 'detached' })
    await page.getByText('You have no passkeys.').waitFor()
  })

  it('a page whose session ends is uncovered when the person has signed in in another tab', async () => {
    const { page } = await openAs(fixture, 'tabea', Role.MANAGER, NEW_CARD)
    await page.getByLabel('Name', { exact: true }).fill('In two tabs')
    await endSession(fixture, page, 'tabea')
    await readSomething(page)
    await getCover(page).waitFor()
    await signInElsewhere(fixture, page, 'tabea')
    // Without a window, a browser does not report that a tab is shown.
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
    await getCover(page).waitFor({ state: 'detached' })
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('In two tabs')
  })

  it('keeps what was entered when the next session ends too', async () => {
    const { page } = await openAs(fixture, 'zoe', Role.MANAGER, NEW_CARD)
    await page.getByLabel('Name', { exact: true }).fill('Twice')
    for (const round of [1, 2]) {
      await endSession(fixture, page, 'zoe')
      await readSomething(page)
      await getCover(page).waitFor()
      // Reads that fail while the sign-in is shown change nothing.
      await readSomething(page)
      await signIn(page, 'zoe')
      const name = page.getByLabel('Name', { exact: true })
      expect(await name.inputValue(), `after the end ${round}`).toBe('Twice')
    }
  })

  it('stays open when a call of the ended session is refused after the next sign-in', async () => {
    const { page } = await openAs(fixture, 'otto', Role.OWNER, 'keys')
    const release = await holdCreation(page)
    await enterKey(page, 'Late key')
    await endSession(fixture, page, 'otto')
    await pressCreate(page)
    await readSomething(page)
    await getCover(page).waitFor()
    await signIn(page, 'otto')
    const checked = page.waitForResponse((response) => response.url().endsWith('/admin/v1/session'))
    release()
    await checked
    await page.getByText('This was not done, because your session had ended').waitFor()
    expect(await getCover(page).count()).toBe(0)
    expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('Late key')
  })
})
