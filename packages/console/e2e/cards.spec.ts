// What a manager does with cards: from the first card to the scans of it.

import { readFile } from 'node:fs/promises'
import { Role } from '@mintmark/admin'
import {
  commemorativeCards,
  eventCards,
  findCardCode,
  membershipCards,
  type PromoCodeCard,
  promoCodeCards,
} from '@mintmark/cards'
import { expect, type Locator, type Page } from '@playwright/test'
import { sequenceEvents } from '../../gateway-server/src/testing/event-streams.ts'
import { storePicture } from './browser.ts'
import { checkViews } from './check-views.ts'
import type { ConsoleFixture } from './console-fixture.ts'
import { consoleTest } from './console-test.ts'
import { addCornerCoffee, COFFEE_ADDRESS } from './corner-coffee.ts'

const PERIOD = { startTime: '2026-01-01T00:00:00Z', endTime: '2099-12-31T00:00:00Z' }

/** A PNG. */
const TWO_PIXELS = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAMAAADD/I+4AAAAA1BMVEX/AAAZ4gk3AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAC0lEQVQI12NgYAAAAAMAASDVlMcAAAAASUVORK5CYII=',
  'base64',
)

/** Counts the pictures of two pixels that a browser has loaded. */
const countShown = async (place: Locator) =>
  await place
    .locator('img')
    .evaluateAll((all) => all.filter((image) => (image as HTMLImageElement).naturalWidth === 2).length)

async function dropFile(page: Page, label: string, content: Buffer): Promise<void> {
  const dataTransfer = await page.evaluateHandle((base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    const transfer = new DataTransfer()
    transfer.items.add(new File([bytes], 'dropped.png', { type: 'image/png' }))
    return transfer
  }, content.toString('base64'))
  await page.getByLabel(label).dispatchEvent('drop', { dataTransfer })
}

const test = consoleTest({}, async (app) => {
  await addCornerCoffee(app.client)
})

test.describe('a manager of cards', () => {
  /** Opens a page as a manager. */
  const open = (app: ConsoleFixture, path: string) => app.openAs(Role.MANAGER, { path })

  const createCard = (app: ConsoleFixture, name: string, totalIssued = 1): Promise<PromoCodeCard> =>
    promoCodeCards.create(app.client, { ...PERIOD, name, totalIssued, nftAddress: COFFEE_ADDRESS })

  test('creates a promo code card with a preview, and gets its QR code', async ({ app }) => {
    const page = await open(app, 'cards/promo-code')
    await page.getByRole('main').getByRole('link', { name: 'Create card' }).first().click()
    await expect(page.getByRole('heading', { level: 1, name: 'Create promo code card' })).toBeVisible()
    const preview = page.getByRole('complementary', { name: 'Preview' })
    await expect(preview.getByText('Name of the card')).toBeVisible()
    await fillTerms(page, { name: 'Free flat white', total: ['Uses', '10'] })
    await page.getByLabel('Stores').fill('Harbour\nStation')
    await expect(preview.getByText('Free flat white')).toBeVisible()
    await expect(preview.getByText('10 uses · Harbour, Station')).toBeVisible()
    await expect(preview.getByText('Jan 1, 2026 – Dec 31, 2099')).toBeVisible()
    await page.getByText('Technical details').click()
    await page.getByLabel('Contract').selectOption(COFFEE_ADDRESS)
    await checkViews(page, 'card-new')
    await page.getByRole('button', { name: 'Create promo code card' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Free flat white' })).toBeVisible()
    const { list } = await promoCodeCards.search(app.client, { keyword: 'Free flat white' })
    const [card] = list
    expect(card).toMatchObject({ totalIssued: 10, nftAddress: COFFEE_ADDRESS, usedCount: 0 })
    const code = page.getByRole('region', { name: 'QR code' })
    await expect(code.getByRole('img', { name: 'Free flat white' })).toBeVisible()
    await expect(code.getByRole('code')).toHaveText((card && findCardCode(card)) ?? '')
    await checkViews(page, 'card')
  })

  test('creates an event card, a membership card and a commemorative card', async ({ app }) => {
    const page = await open(app, 'cards/event/new')
    await fillTerms(page, { name: 'Opening night', total: ['Supply', '120'] })
    await checkViews(page, 'card-new-event')
    await page.getByRole('button', { name: 'Create event card' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Opening night' })).toBeVisible()
    await expect(page.getByRole('definition').filter({ hasText: 'Not checked in' })).toBeVisible()
    await checkViews(page, 'card-event')

    await page.goto(app.at('cards/membership/new'))
    await fillTerms(page, { name: 'Regulars', total: ['Supply', '1'] })
    await page.getByLabel('Level').fill('Gold')
    await page.getByLabel('Benefits').fill('A free refill\nThe first seat')
    await expect(page.getByRole('complementary').getByText('Gold')).toBeVisible()
    await checkViews(page, 'card-new-membership')
    await page.getByRole('button', { name: 'Create membership card' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Regulars' })).toBeVisible()
    await expect(page.getByText('A free refill, The first seat')).toBeVisible()
    await checkViews(page, 'card-membership')

    await page.goto(app.at('cards/commemorative/new'))
    await fillTerms(page, { name: 'Ten years', total: ['Supply', '500'] })
    await page.getByLabel('Amount').fill('12.5')
    await checkViews(page, 'card-new-commemorative')
    await page.getByRole('button', { name: 'Create commemorative card' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Ten years' })).toBeVisible()
    await checkViews(page, 'card-commemorative')

    const find = { keyword: '' }
    expect((await eventCards.search(app.client, find)).list).toMatchObject([{ totalIssued: 120 }])
    expect((await membershipCards.search(app.client, find)).list).toMatchObject([
      { level: 'Gold', benefits: ['A free refill', 'The first seat'] },
    ])
    expect((await commemorativeCards.search(app.client, find)).list).toMatchObject([{ amount: 12.5 }])
  })

  test('uploads pictures for a card, chosen and dropped, and the customer sees them', async ({ app }) => {
    const page = await open(app, 'cards/promo-code/new')
    await fillTerms(page, { name: 'Latte art', total: ['Uses', '1'] })
    const logo = page.getByLabel('Upload a file for “Logo”')
    await logo.setInputFiles({ name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<script>') })
    await expect(page.getByText('Expected a PNG, JPEG, WebP or GIF picture')).toBeVisible()
    await logo.setInputFiles({ name: 'latte.png', mimeType: 'image/png', buffer: TWO_PIXELS })
    await expect(page.getByText('The picture is uploaded.')).toBeVisible()
    await dropFile(page, 'Upload a file for “Background”', TWO_PIXELS)
    await expect(page.getByText('The picture is uploaded.')).toHaveCount(2)
    const preview = page.getByRole('complementary', { name: 'Preview' })
    await expect.poll(() => countShown(preview)).toBe(2)
    await page.getByRole('button', { name: 'Create promo code card' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Latte art' })).toBeVisible()
    const { list } = await promoCodeCards.search(app.client, { keyword: 'Latte art' })
    const code = list[0] && findCardCode(list[0])
    await page.goto(`${app.url}/c/${app.projectId}/${code}`)
    await expect.poll(() => countShown(page.getByRole('main'))).toBe(2)
  })

  test('saves no card without a picture that is still being uploaded, and keeps an address that is entered meanwhile', async ({
    app,
  }) => {
    const page = await open(app, 'cards/promo-code/new')
    await fillTerms(page, { name: 'Slow picture', total: ['Uses', '1'] })
    let release = Promise.withResolvers<void>()
    await page.route('**/api/v1/media/upload', async (route) => {
      await release.promise
      await route.continue()
    })
    const upload = page.getByLabel('Upload a file for “Logo”')
    const address = page.getByRole('textbox', { name: /^Logo/ })
    const file = { name: 'slow.png', mimeType: 'image/png', buffer: TWO_PIXELS }
    const create = page.getByRole('button', { name: 'Create promo code card' })
    const countCards = async () => (await promoCodeCards.search(app.client, { keyword: 'Slow' })).totalRow

    await upload.setInputFiles(file)
    await expect(page.getByText('The picture is being uploaded…')).toBeVisible()
    await address.fill('https://images.example/typed.png')
    const uploaded = page.waitForResponse('**/api/v1/media/upload')
    release.resolve()
    await (await uploaded).finished()
    await expect(address).toHaveValue('https://images.example/typed.png')

    release = Promise.withResolvers()
    await upload.setInputFiles(file)
    await expect(page.getByText('The picture is being uploaded…')).toBeVisible()
    await create.click()
    await expect(page.getByText('Wait until the picture is uploaded')).toBeVisible()
    expect(await countCards()).toBe(0)
    release.resolve()
    await expect(page.getByText('The picture is uploaded.')).toBeVisible()
    const shown = await address.inputValue()
    expect(shown).not.toBe('https://images.example/typed.png')
    await create.click()
    await expect(page.getByRole('heading', { level: 1, name: 'Slow picture' })).toBeVisible()
    const { list } = await promoCodeCards.search(app.client, { keyword: 'Slow' })
    expect(list).toMatchObject([{ logoUrl: shown }])
  })

  test('sees at each field what is wrong, and where the first such field is', async ({ app }) => {
    const page = await open(app, 'cards/promo-code/new')
    await fillTerms(page, { name: '', total: ['Uses', '0'] })
    await page.getByLabel('Valid until').fill('2025-01-01T00:00')
    await page.getByRole('textbox', { name: 'Logo' }).fill('javascript:alert(1)')
    await page.getByRole('button', { name: 'Create promo code card' }).click()
    await expect.poll(() => isFocused(page, 'Name')).toBe(true)
    await expect(page.getByText('Enter at least 1')).toBeVisible()
    await expect(page.getByText('Choose a time after “Valid from”')).toBeVisible()
    await expect(page.getByText('Enter an address that begins with https://')).toBeVisible()
    const wrong = page.locator('[aria-invalid]')
    expect(await wrong.evaluateAll((inputs) => inputs.map((input) => input.getAttribute('name')))).toEqual([
      ...['name', 'totalIssued', 'endTime', 'logoUrl'],
    ])
    await checkViews(page, 'card-wrong')
    await fillTerms(page, { name: 'A second try', total: ['Uses', '1'] })
    await page.getByRole('textbox', { name: 'Logo' }).fill('')
    await page.getByRole('button', { name: 'Create promo code card' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'A second try' })).toBeVisible()
  })

  test('A manager finds a card by its name, and changes it', { tag: '@manager' }, async ({ app }) => {
    const card = await createCard(app, 'Blueberry muffin')
    await createCard(app, 'Banana bread')
    const page = await open(app, 'cards/promo-code')
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('muffin')
    await expect(page.getByRole('link', { name: 'Banana bread' })).toHaveCount(0)
    await checkViews(page, 'cards-found')
    await page.getByRole('link', { name: 'Blueberry muffin' }).click()
    await page.getByRole('link', { name: 'Edit' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Edit Blueberry muffin' })).toBeVisible()
    await page.getByLabel('Uses').fill('3')
    await page.getByLabel('Instructions').fill('Show it before you order.')
    await checkViews(page, 'card-edit')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('The card is changed')).toBeVisible()
    await expect(page.getByText('0 of 3 used')).toBeVisible()
    await checkViews(page, 'card-edited')
    expect(await promoCodeCards.get(app.client, { id: card.id })).toMatchObject({
      name: 'Blueberry muffin',
      totalIssued: 3,
      endTime: card.endTime,
      qrCodeUrl: card.qrCodeUrl,
      usageInstructions: 'Show it before you order.',
    })
  })

  test('keeps what is typed into a search while the list is searched', async ({ app }) => {
    await createCard(app, 'Cheese cake')
    const page = await open(app, 'cards/promo-code')
    const search = page.getByRole('searchbox', { name: 'Search by name' })
    await search.pressSequentially('Cheese ')
    await page.waitForURL(/[?&]q=Cheese$/)
    await expect(page.getByRole('link', { name: 'Cheese cake' })).toBeVisible()
    await search.pressSequentially('cake')
    await page.waitForURL(/[?&]q=Cheese\+cake$/)
    await expect(search).toHaveValue('Cheese cake')
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect(search).toHaveValue('')
  })

  test('does not take back a check-in at the door by saving a change of the card that was begun before', async ({
    app,
  }) => {
    const card = await eventCards.create(app.client, {
      ...PERIOD,
      name: 'Matinee',
      totalIssued: 1,
      nftAddress: COFFEE_ADDRESS,
    })
    const page = await open(app, `cards/event/${card.id}/edit`)
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    await page.getByLabel('Instructions').fill('The side entrance.')
    const isReadAgain = page.waitForResponse((response) => response.url().endsWith(`/eventCards/${card.id}`))
    const scan = { id: card.id, action: 'CHECK_IN', nonce: 'door', device: 'door' } as const
    expect(await eventCards.createVerification(app.client, scan)).toMatchObject({ result: 'OK' })
    await sequenceEvents(app.gateway)
    await (await isReadAgain).finished()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('The card is changed')).toBeVisible()
    expect(await eventCards.get(app.client, { id: card.id })).toMatchObject({
      usageInstructions: 'The side entrance.',
      isCheckedIn: true,
    })
  })

  test('imports 50 cards of which two rows are wrong, corrects these, and doubles none', async ({ app }) => {
    const page = await open(app, 'cards/promo-code/import')
    await checkViews(page, 'import')
    const rows = Array.from({ length: 50 }, (_, index) => {
      const uses = index === 11 ? 'many' : '2'
      const until = index === 37 ? '31.12.2099' : '2099-12-31'
      return `Loyal ${index + 1},${COFFEE_ADDRESS},2026-01-01,${until},${uses}`
    })
    await chooseFile(page, ['name,nftAddress,Valid from,Valid until,Uses', ...rows].join('\n'))
    await expect(page.getByText('48 rows can be imported')).toBeVisible()
    const problems = page.getByRole('table', { name: 'Rows that were not imported' })
    await expect(
      problems.getByRole('row').filter({ hasText: 'Line 13' }).filter({ hasText: 'Uses' }),
    ).toBeVisible()
    await expect(
      problems.getByRole('row').filter({ hasText: 'Line 39' }).filter({ hasText: 'Valid until' }),
    ).toBeVisible()
    await checkViews(page, 'import-check')
    await page.getByRole('button', { name: 'Import 48 cards' }).click()
    await expect(page.getByText('48 cards are created')).toBeVisible()
    await expect(page.getByText('2 rows were not imported')).toBeVisible()
    await expect(problems.locator('tbody').getByRole('row')).toHaveCount(2)
    await checkViews(page, 'import-report')

    const failed = await download(page, 'Download the rows that failed')
    expect(failed.trim().split('\r\n')).toHaveLength(3)
    await chooseFile(page, failed.replace('many', '2').replace('31.12.2099', '2099-12-31'), 'failed.csv')
    await expect(page.getByText('2 rows can be imported')).toBeVisible()
    await page.getByRole('button', { name: 'Import 2 cards' }).click()
    await expect(page.getByText('2 cards are created')).toBeVisible()
    await chooseFile(page, failed.replace('many', '2').replace('31.12.2099', '2099-12-31'), 'failed.csv')
    await expect(page.getByText(/^This file was imported on/)).toBeVisible()
    await checkViews(page, 'import-repeated')

    const names: string[] = []
    for await (const { name } of promoCodeCards.search.items(app.client, { keyword: 'Loyal' }))
      names.push(name)
    expect(names).toHaveLength(50)
    expect(new Set(names).size).toBe(50)
  })

  test('imports a whole corrected file without doubling its good rows, and equal rows of one file as often as they are there', async ({
    app,
  }) => {
    const page = await open(app, 'cards/promo-code/import')
    const header = 'name,nftAddress,Valid from,Valid until,Uses'
    const row = (name: string, uses: string) => `${name},${COFFEE_ADDRESS},2026-01-01,2099-12-31,${uses}`
    const good = [row('Whole 1', '2'), row('Whole 1', '2'), row('Whole 2', '2')]
    await chooseFile(page, [header, ...good, row('Whole 3', 'many')].join('\n'))
    await page.getByRole('button', { name: 'Import 3 cards' }).click()
    await expect(page.getByText('3 cards are created')).toBeVisible()

    const corrected = [header, ...good, row('Whole 1', '2'), row('Whole 3', '2')].join('\n')
    await chooseFile(page, corrected, 'corrected.csv')
    await page.getByRole('button', { name: 'Import 5 cards' }).click()
    const question = page.getByRole('dialog', { name: '3 rows were imported before' })
    await expect(question.getByText('Lines 2, 3, 4')).toBeVisible()
    await checkViews(page, 'import-sent-before')
    await question.getByRole('button', { name: 'Import the other 2' }).click()
    await expect(page.getByText('2 cards are created')).toBeVisible()
    await expect(page.getByText('3 rows were left out')).toBeVisible()
    await checkViews(page, 'import-skipped')
    const countCards = async () => {
      const names: string[] = []
      for await (const { name } of promoCodeCards.search.items(app.client, { keyword: 'Whole' }))
        names.push(name)
      return names.toSorted()
    }
    expect(await countCards()).toEqual(['Whole 1', 'Whole 1', 'Whole 1', 'Whole 2', 'Whole 3'])

    // Another file with a row that is imported: all of it, because the person wants it.
    await chooseFile(page, [header, row('Whole 2', '2')].join('\n'), 'more.csv')
    await page.getByRole('button', { name: 'Import 1 card' }).click()
    await page.getByRole('button', { name: 'Import all 1' }).click()
    await expect(page.getByText('1 card is created')).toBeVisible()
    expect(await countCards()).toHaveLength(6)
  })

  test('A manager prints the QR codes of a list on sheets', { tag: '@manager' }, async ({ app }) => {
    for (let number = 1; number <= 26; number += 1) await createCard(app, `Sheet ${number}`)
    const page = await open(app, 'cards/promo-code?q=Sheet')
    await page.getByRole('link', { name: 'Print QR codes' }).click()
    await expect(page.getByText('26 QR codes on 2 pages')).toBeVisible()
    await checkViews(page, 'print')
    await expect(page.getByRole('img', { name: /^QR code of Sheet/ })).toHaveCount(26)
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
    await storePicture(page, 'print on paper')
    const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    expect(paper.match(/\/Type \/Page\b/g)).toHaveLength(2)
  })

  test('exports the cards of a list', async ({ app }) => {
    const card = await createCard(app, 'Export; "one", please')
    const page = await open(app, 'cards/promo-code?q=Export')
    await page.getByRole('button', { name: 'Export' }).click()
    const dialog = page.getByRole('dialog', { name: 'Export cards' })
    await expect(dialog.getByText('The file contains the links of the cards')).toBeVisible()
    await checkViews(page, 'export')
    const lines = (await download(page, 'Export', 'dialog')).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(`${card.id},"Export; ""one"", please",${COFFEE_ADDRESS}`)
    expect(lines[1]).toContain(`/c/${app.projectId}/${findCardCode(card)}`)
    await expect(dialog).toHaveCount(0)
  })

  test('sees the scans of a card while staff scan it', async ({ app }) => {
    const card = await createCard(app, 'Espresso for two', 2)
    const page = await open(app, `cards/promo-code/${card.id}`)
    await expect(page.getByText('Nobody has scanned this card yet')).toBeVisible()
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
    const scanner = await app.openAs(Role.STAFF, { width: 390, path: 'scanner' })
    const scans = page.getByRole('table', { name: 'Scans' }).locator('tbody').getByRole('row')
    for (const [answer, count] of [
      ['Redeemed', 1],
      ['Redeemed', 2],
      ['Refused', 3],
    ] as const) {
      await scanner.getByLabel('Code of the card').fill(findCardCode(card) ?? '')
      await scanner.keyboard.press('Enter')
      await expect(scanner.getByRole('alert').getByText(answer, { exact: true })).toBeVisible()
      await scanner.keyboard.press('Escape')
      await sequenceEvents(app.gateway)
      await expect(scans).toHaveCount(count)
    }
    await expect(scans.filter({ hasText: 'Refused' }).getByText('staff@shop.example')).toBeVisible()
    await expect(page.getByText('2 of 2 used')).toBeVisible()
    expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
    await checkViews(page, 'card-scans')
  })

  test('A barista finds a card, but gets no code of it', { tag: '@staff' }, async ({ app }) => {
    const card = await createCard(app, 'Staff only scan')
    const page = await app.openAs(Role.STAFF, { width: 390, path: 'cards/promo-code' })
    await expect(page.getByRole('link', { name: 'Staff only scan' })).toBeVisible()
    for (const name of ['Export', 'Print QR codes', 'Import', 'Create card'])
      expect(await page.getByRole('main').getByText(name, { exact: true }).count(), name).toBe(0)
    await checkViews(page, 'cards-staff')
    await page.getByRole('link', { name: 'Staff only scan' }).click()
    await expect(page.getByText('Only owners and managers see the QR code')).toBeVisible()
    await expect(page.getByText('Nobody has scanned this card yet')).toBeVisible()
    await checkViews(page, 'card-staff')
    const link = findCardCode(card) ?? ''
    expect(link).toMatch(/^[\w-]{27}$/)
    expect(await page.content()).not.toContain(link)
    await page.goto(app.at('cards/promo-code/print'))
    await expect(page.getByText('Your role does not include this page')).toBeVisible()
  })

  test('A manager removes a card, which is refused from then on', { tag: '@manager' }, async ({ app }) => {
    const card = await createCard(app, 'Last summer')
    const page = await open(app, `cards/promo-code/${card.id}`)
    await page.getByRole('button', { name: 'Remove' }).click()
    const question = page.getByRole('dialog', { name: 'Remove Last summer?' })
    await checkViews(page, 'card-remove')
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect((await promoCodeCards.get(app.client, { id: card.id })).name).toBe('Last summer')
    await page.getByRole('button', { name: 'Remove' }).click()
    await question.getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('Last summer is removed')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: 'Promo code cards' })).toBeVisible()
    const scanner = await app.openAs(Role.STAFF, { width: 390, path: 'scanner' })
    await scanner.getByLabel('Code of the card').fill(findCardCode(card) ?? '')
    await scanner.keyboard.press('Enter')
    await expect(scanner.getByRole('alert').getByText('Refused')).toBeVisible()
    await page.getByLabel('Status').selectOption('Removed')
    await expect(page.getByRole('cell', { name: 'Last summer' })).toBeVisible()
    await checkViews(page, 'cards-removed')
  })
})

interface Terms {
  readonly name: string
  /** The label of the field for the number of cards, and the number. */
  readonly total: readonly [string, string]
}

/** Fills the fields that all kinds of cards must have. */
async function fillTerms(page: Page, { name, total: [label, total] }: Terms): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel(label, { exact: true }).fill(total)
  await page.getByLabel('Valid from').fill('2026-01-01T00:00')
  await page.getByLabel('Valid until').fill('2099-12-31T00:00')
}

async function isFocused(page: Page, label: string): Promise<boolean> {
  return await page
    .getByLabel(label, { exact: true })
    .evaluate((element) => element === document.activeElement)
}

async function chooseFile(page: Page, content: string, name = 'cards.csv'): Promise<void> {
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
}

/** Clicks a button that saves a file, and returns the file. */
async function download(page: Page, button: string, within: 'main' | 'dialog' = 'main'): Promise<string> {
  const downloading = page.waitForEvent('download')
  await page.getByRole(within).getByRole('button', { name: button }).click()
  return await readFile(await (await downloading).path(), 'utf8')
}
