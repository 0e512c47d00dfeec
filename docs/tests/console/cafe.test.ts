// What a café does without any NFT: its first card, its stores, its campaigns, and what it takes back.
import { Role } from '@mintmark/admin'
import { campaigns, cardSettings, findCardCode, promoCodeCards } from '@mintmark/cards'
import { orders } from '@mintmark/orders'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueCampaigns } from '../../../packages/gateway-server/src/domains/cards/campaigns/issue-campaigns.ts'
import { createListing } from '../../../packages/gateway-server/src/testing/create-listing.ts'
import { sequenceEvents } from '../../../packages/gateway-server/src/testing/event-streams.ts'
import { newAddress } from '../../../packages/gateway-server/src/testing/samples/sample.ts'
import { hasBrowser, type Tab } from './browser.ts'
import { waitForPage } from './check-page.ts'
import { checkViews } from './check-views.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'

const period = { startTime: '2026-01-01T00:00:00Z', endTime: '2099-12-31T00:00:00Z' }

describe.skipIf(!hasBrowser)('a café', () => {
  let fixture: ConsoleFixture
  beforeAll(async () => {
    fixture = await startConsole()
  })
  afterAll(() => fixture.close())

  async function open(tab: Tab, path: string): Promise<Page> {
    await tab.page.goto(fixture.at(path))
    await waitForPage(tab)
    return tab.page
  }

  it('an owner of an empty project creates the first card and redeems it, without an address of a contract', async () => {
    const tab = await fixture.openAs(Role.OWNER)
    const page = await open(tab, 'overview')
    const steps = page.getByRole('list', { name: 'First steps' })
    await steps.getByRole('link', { name: 'Invite your staff' }).waitFor()
    await checkViews(tab, 'cafe-overview')
    await steps.getByRole('link', { name: 'Create a card' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Free flat white')
    expect(await page.getByLabel('Contract').isVisible()).toBe(false)
    await checkViews(tab, 'cafe-new-card')
    await page.getByRole('button', { name: 'Create promo code card' }).click()
    await page.getByRole('heading', { level: 1, name: 'Free flat white' }).waitFor()
    const code = await page.getByRole('region', { name: 'QR code' }).getByRole('code').textContent()
    await checkViews(tab, 'cafe-card')

    await open(tab, 'overview')
    await steps.getByRole('img', { name: 'Done' }).waitFor()
    await steps.getByRole('link', { name: 'Scan the card' }).click()
    await scan(page, code ?? '')
    await page.getByRole('alert').getByText('Redeemed', { exact: true }).waitFor()
    await open(tab, 'overview')
    await page.getByRole('heading', { name: 'Last 30 days' }).waitFor()
    await expect.poll(() => steps.count()).toBe(0)
    expect((await promoCodeCards.search(fixture.client, {})).list).toMatchObject([{ usedCount: 1 }])
  })

  it('imports cards from a file that names no contract', async () => {
    const tab = await fixture.openAs(Role.OWNER)
    const page = await open(tab, 'cards/promo-code/import')
    const content = 'Name,Valid from,Valid until,Uses\nFree muffin,2026-01-01,2099-12-31,2'
    const file = { name: 'cards.csv', mimeType: 'text/csv', buffer: Buffer.from(content) }
    await page.getByLabel('CSV file').setInputFiles(file)
    await page.getByText('1 row can be imported').waitFor()
    expect(await page.getByLabel('Source of Contract address').isVisible()).toBe(false)
    await checkViews(tab, 'cafe-import')
    await page.getByRole('button', { name: 'Import 1 card' }).click()
    await page.getByText('1 card is created').waitFor()
  })

  it('staff undo their own scan with a reason, and see when and where a used card was used', async () => {
    const card = await createCard('Free tea')
    const tab = await fixture.openAs(Role.STAFF, { width: 390 })
    const page = await open(tab, 'scanner')
    const result = page.getByRole('alert')
    await scan(page, findCardCode(card) ?? '')
    await result.getByText('Redeemed', { exact: true }).waitFor()
    await checkViews(tab, 'cafe-redeemed')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Undo the scan of Free tea?' })
    await dialog.getByLabel('Reason').selectOption('Wrong card')
    await checkViews(tab, 'cafe-undo')
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The scan is undone').waitFor()
    await page.getByRole('list', { name: 'Last scans' }).getByText('Undone').waitFor()
    expect(await promoCodeCards.get(fixture.client, { id: card.id })).toMatchObject({ usedCount: 0 })

    await scan(page, findCardCode(card) ?? '')
    await result.getByText('Redeemed', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Next scan' }).click()
    await checkViews(tab, 'cafe-last-scans')
    await scan(page, findCardCode(card) ?? '')
    await result.getByText(/^Used before: .*staff@shop\.example$/).waitFor()
    await checkViews(tab, 'cafe-used-before')
  })

  it('staff see no button to undo a scan when the time of the project is over, and the manager undoes it', async () => {
    await cardSettings.update(fixture.client, { reversalMinutes: 0 })
    const card = await createCard('Free cake')
    const staff = await open(await fixture.openAs(Role.STAFF, { width: 390 }), 'scanner')
    await scan(staff, findCardCode(card) ?? '')
    await staff.getByRole('alert').getByText('Redeemed', { exact: true }).waitFor()
    expect(await staff.getByRole('button', { name: /^Undo/ }).count()).toBe(0)

    const tab = await fixture.openAs(Role.MANAGER)
    const page = await open(tab, `cards/promo-code/${card.id}`)
    const scans = page.getByRole('table', { name: 'Scans' }).getByRole('row')
    await scans.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
    await scans.filter({ hasText: 'Scanned by mistake' }).waitFor()
    await scans.filter({ hasText: 'Undone' }).waitFor()
    await page.getByText('0 of 1 used').waitFor()
    expect(await scans.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await checkViews(tab, 'cafe-undone')
  })

  it('a manager adds a store, renames and closes it, and the scanner chooses from the open stores', async () => {
    const tab = await fixture.openAs(Role.MANAGER)
    const page = await open(tab, 'stores')
    for (const name of ['Harbor', 'Station']) {
      await page.getByRole('button', { name: 'Add store' }).click()
      await page.getByLabel('Name', { exact: true }).fill(name)
      await checkViews(tab, 'cafe-store')
      await page.getByRole('dialog').getByRole('button', { name: 'Add store' }).click()
      await page.getByRole('cell', { name, exact: true }).waitFor()
    }
    const staff = await fixture.openAs(Role.STAFF, { width: 390 })
    await open(staff, 'scanner')
    await staff.page.getByRole('button', { name: 'Settings' }).click()
    await staff.page.getByLabel('Store', { exact: true }).selectOption('Harbor')
    await checkViews(staff, 'cafe-scanner-store')
    await staff.page.getByRole('button', { name: 'Save' }).click()
    await staff.page.getByText('Store: Harbor').waitFor()

    await page.getByRole('button', { name: 'Edit Harbor' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Old harbor')
    await page.getByLabel('Status').selectOption('Closed')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'Old harbor', exact: true }).waitFor()
    await checkViews(tab, 'cafe-stores')
    await scan(staff.page, findCardCode(await createCard('Free juice')) ?? '')
    // The scan has the name of before, and the gateway the new one.
    await staff.page.getByRole('alert').getByText('Redeemed', { exact: true }).waitFor()
    await checkViews(staff, 'cafe-renamed-store')
    await staff.page.keyboard.press('Escape')
    await staff.page.getByText('Store: Old harbor').waitFor()
    await staff.page.getByRole('button', { name: 'Settings' }).click()
    const options = staff.page.getByLabel('Store', { exact: true }).getByRole('option')
    expect(await options.allTextContents()).toEqual(['No store set', 'Old harbor', 'Station'])
    await staff.page.goto(fixture.at('stores'))
    await staff.page.getByRole('main').getByText('Your role does not include this page').first().waitFor()
  })

  it('a manager creates a campaign, issues its cards, pauses, resumes and ends it, and sees its totals', async () => {
    const tab = await fixture.openAs(Role.MANAGER)
    await createCard('Of no campaign')
    const page = await open(tab, 'campaigns')
    await page.getByRole('main').getByRole('link', { name: 'Create campaign' }).click()
    await page.getByLabel('Name of the campaign').fill('Opening')
    await page.getByLabel('Maximum number of cards').fill('501')
    await page.getByLabel('Name', { exact: true }).fill('Opening coffee')
    await page.getByLabel('Uses').fill('1')
    await page.getByLabel('Valid from').fill('2026-01-01T00:00')
    await page.getByLabel('Valid until').fill('2025-12-31T00:00')
    await page.getByRole('button', { name: 'Create campaign' }).click()
    await page.locator('[aria-invalid][name=endTime]').waitFor()
    await page.getByLabel('Valid until').fill('2099-12-31T00:00')
    await checkViews(tab, 'cafe-new-campaign')
    await page.getByRole('button', { name: 'Create campaign' }).click()
    await page.getByText('No cards are issued yet').waitFor()
    await checkViews(tab, 'cafe-campaign-empty')

    await page.getByRole('button', { name: 'Issue cards' }).click()
    await checkViews(tab, 'cafe-campaign-issue')
    await page.getByRole('dialog').getByRole('button', { name: 'Issue cards' }).click()
    await page.getByText('500 of 501 cards are issued').waitFor()
    await checkViews(tab, 'cafe-campaign-issuing')
    await issueCampaigns(fixture.gateway.owner.system)
    await sequenceEvents(fixture.gateway)
    await page.getByText('501 of 501').waitFor()

    const { list } = await promoCodeCards.search(fixture.client, { keyword: 'Opening coffee', pageSize: 2 })
    const [first = '', second = ''] = list.map((card) => findCardCode(card))
    const scanner = await open(await fixture.openAs(Role.OWNER, { width: 390 }), 'scanner')
    await scan(scanner, first)
    await scanner.getByRole('alert').getByText('Redeemed', { exact: true }).waitFor()
    await scanner.keyboard.press('Escape')
    await choose(page, 'Pause')
    await page.getByText('Paused', { exact: true }).waitFor()
    await scan(scanner, second)
    await scanner.getByRole('alert').getByText('Campaign paused').waitFor()
    await sequenceEvents(fixture.gateway)
    const days = page.getByRole('table', { name: 'Stores and days' }).locator('tbody').getByRole('row')
    await days.getByRole('cell', { name: '1', exact: true }).nth(1).waitFor()
    await page.getByText('Campaign paused: 1').waitFor()
    await checkViews(tab, 'cafe-campaign')
    await choose(page, 'Resume')
    await page.getByText('Active', { exact: true }).waitFor()

    await page.getByRole('link', { name: 'Show its cards' }).click()
    await page.getByText(/^1–20 of 501$/).waitFor()
    await checkViews(tab, 'cafe-campaign-cards')
    await page.getByRole('link', { name: 'Print QR codes' }).click()
    await page.getByText('480 QR codes on 20 pages').waitFor()
    const others = page.getByRole('img', { name: /^QR code of (?!Opening coffee)/ })
    expect(await others.count()).toBe(0)
    await page.getByRole('button', { name: 'Next part' }).click()
    await page.getByText('21 QR codes on 1 page').waitFor()
    await checkViews(tab, 'cafe-print')
    await page.goBack()
    await page.getByRole('link', { name: 'Campaign', exact: true }).click()
    await choose(page, 'End')
    await page.getByText('Ended', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: /^(Pause|Resume|End|Issue)/ }).count()).toBe(0)
    await open(tab, 'campaigns')
    await checkViews(tab, 'cafe-campaigns')
  })

  it('a manager issues cards to people, each one, and prints them with their names', async () => {
    const { id } = await campaigns.create(fixture.client, {
      name: 'Regulars',
      program: 'promoCodeCards',
      cards: 3,
      card: { ...period, name: 'A free cake', totalIssued: 1 },
    })
    const tab = await fixture.openAs(Role.MANAGER)
    const page = await open(tab, `campaigns/${id}`)
    for (const people of ['Ana\nBen\n\nAna', 'Ben\nCem']) {
      await page.getByRole('button', { name: 'Issue to people' }).click()
      await page.getByLabel('Recipients').fill(people)
      await checkViews(tab, 'cafe-campaign-people')
      await page.getByRole('dialog').getByRole('button', { name: 'Issue cards' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await page.getByText('3 of 3', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Show its cards' }).click()
    await page.getByRole('link', { name: 'Print QR codes' }).click()
    await page.getByText('3 QR codes on 1 page').waitFor()
    for (const name of ['Ana', 'Ben', 'Cem']) await page.getByText(name, { exact: true }).waitFor()
    await checkViews(tab, 'cafe-print-people')
  })

  it('a manager finds an order and a card by what a customer says, with the search of the project', async () => {
    const { client, gateway, projectId } = fixture
    const { marketType, id: listingId } = await createListing({ gateway, projectId, client })
    const order = { marketType, listingId, quantity: 1, recipient: newAddress(), reference: 'Table 7' }
    const { orderNo } = await orders.preOrder(client, order)
    const card = await createCard('Free scone')
    const tab = await fixture.openAs(Role.OWNER)
    const page = await open(tab, 'people')
    await page.keyboard.press('/')
    await page.keyboard.type(`${orderNo}\n`)
    const results = page.getByRole('table', { name: 'Search' })
    await results.getByRole('cell', { name: 'Order Waits for payment' }).waitFor()
    await page.getByRole('main').getByRole('searchbox').fill('scone')
    await results.getByRole('link', { name: 'Free scone' }).waitFor()
    await checkViews(tab, 'cafe-search')
    await page.getByRole('main').getByRole('searchbox').fill('Nothing like it')
    await page.getByText('Nothing found').waitFor()
    await page
      .getByRole('main')
      .getByRole('searchbox')
      .fill(findCardCode(card) ?? '')
    await results.getByRole('link', { name: 'Free scone' }).click()
    await page.getByRole('heading', { level: 1, name: 'Free scone' }).waitFor()
    const { page: staff } = await fixture.openAs(Role.STAFF)
    await staff.goto(fixture.at('cards'))
    await staff.getByRole('searchbox').waitFor()
    expect(await staff.getByRole('searchbox').count()).toBe(1)
  })

  it('a manager gives the pages of cards the name, logo and color of the shop, and sees one', async () => {
    const card = await createCard('Free cocoa')
    const tab = await fixture.openAs(Role.MANAGER)
    const page = await open(tab, 'cards/promo-code')
    await page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByLabel('Name of the shop').fill('Corner Coffee')
    await page.getByLabel('Color').fill('red;}body{')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter a color such as #7a1f3d').waitFor()
    await page.getByLabel('Color').fill('#7A1F3D')
    const [, png = ''] = (await drawPicture(page)).split(',')
    const file = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') }
    await page.getByLabel('Upload a file for “Logo of the shop”').setInputFiles(file)
    await page.getByText('The picture is uploaded.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The settings are saved').waitFor()
    const settings = await cardSettings.get(fixture.client)
    expect(settings).toMatchObject({ shopName: 'Corner Coffee', accentColor: '#7a1f3d', reversalsPerDay: 20 })
    await checkViews(tab, 'cafe-card-settings')

    const opening = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Promo code card', exact: true }).click()
    const preview = await opening
    await preview.waitForURL(`**/c/${fixture.projectId}/${findCardCode(card)}`)
    expect(await preview.title()).toBe('Free cocoa · Corner Coffee')
    expect(await preview.locator('.brand img').getAttribute('src')).toBe(settings.logoUrl)
  })

  /** Draws a picture in the browser, as a data URL. */
  const drawPicture = (page: Page): Promise<string> =>
    page.evaluate(() => {
      const canvas = document.createElement('canvas')
      canvas.getContext('2d')?.fillRect(0, 0, 90, 40)
      return canvas.toDataURL('image/png')
    })

  const createCard = (name: string) =>
    promoCodeCards.create(fixture.client, { ...period, name, totalIssued: 1 })
})

/** Presses a button of the page, and the same one of the question. */
async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: action, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()
}

/** Enters the code of a card at the scanner. */
async function scan(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code of the card').fill(code)
  await page.keyboard.press('Enter')
}
