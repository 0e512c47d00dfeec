// What a café does without any NFT: its first card, its stores, its campaigns, and what it takes back.
import { readFile } from 'node:fs/promises'
import { Role } from '@mintmark/admin'
import {
  campaigns,
  cardSettings,
  findCardCode,
  parseApplicableStores,
  promoCodeCards,
  verifications,
} from '@mintmark/cards'
import { orders } from '@mintmark/orders'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueCampaigns } from '../../../packages/gateway-server/src/domains/cards/campaigns/issue-campaigns.ts'
import { createListing } from '../../../packages/gateway-server/src/testing/create-listing.ts'
import { sequenceEvents } from '../../../packages/gateway-server/src/testing/event-streams.ts'
import { FAKE_TOKEN } from '../../../packages/gateway-server/src/testing/fake-payment-chain.ts'
import { newAddress } from '../../../packages/gateway-server/src/testing/samples/sample.ts'
import { hasBrowser, storePicture, type Tab } from './browser.ts'
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

  it('a manager adds a store, renames and closes it, and cards and the scanner choose from the open stores', async () => {
    const tab = await fixture.openAs(Role.MANAGER)
    const page = await open(tab, 'stores')
    for (const name of ['Harbor', 'Station']) {
      await page.getByRole('button', { name: 'Add store' }).click()
      await page.getByLabel('Name', { exact: true }).fill(name)
      await checkViews(tab, 'cafe-store')
      await page.getByRole('dialog').getByRole('button', { name: 'Add store' }).click()
      await page.getByRole('cell', { name, exact: true }).waitFor()
    }
    await open(tab, 'cards/promo-code/new')
    await page.getByLabel('Name', { exact: true }).fill('Free lemonade')
    await page.getByRole('checkbox', { name: 'Station' }).check()
    await checkViews(tab, 'cafe-card-stores')
    await page.getByRole('button', { name: 'Create promo code card' }).click()
    await page.getByRole('heading', { level: 1, name: 'Free lemonade' }).waitFor()
    const { list } = await promoCodeCards.search(fixture.client, { keyword: 'Free lemonade' })
    expect(list.map(parseApplicableStores)).toEqual([['Station']])
    await open(tab, 'stores')

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

  it('a manager reads what was sold and redeemed in a month, prints it and saves it as a file', async () => {
    const { client, gateway, projectId } = fixture
    const { pool } = gateway.owner
    const listing = { payTokenAddress: FAKE_TOKEN, payPrice: '1250000' }
    // Two months with two and three orders of two items at 1.25, of which 0.5 is refunded.
    for (const [month, count] of [
      ['2025-02', 2],
      ['2025-03', 3],
    ] as const) {
      const { marketType, id } = await createListing({ gateway, projectId, client }, listing)
      for (let number = 1; number <= count; number += 1) {
        const order = { marketType, listingId: id, quantity: 2, recipient: newAddress() }
        const { orderNo } = await orders.preOrder(client, order)
        await pool.query(
          'update gateway.orders set status = 2, refunded_amount = $1, created_at = $2 where order_no = $3',
          [number === 1 ? '500000' : '0', `${month}-0${number}T12:00:00Z`, orderNo],
        )
      }
    }
    const card = await createCard('Free mocha')
    const scanAt = async (time: string) => {
      const request = { action: 'REDEEM', nonce: time, store: '', verifier: 'Kim' } as const
      const { id } = await promoCodeCards.createVerification(client, {
        ...request,
        qrCode: findCardCode(card) ?? '',
      })
      await pool.query('update gateway.card_verifications set created_at = $1 where id = $2', [time, id])
      return id
    }
    const undone = await scanAt('2025-03-04T08:00:00Z')
    await verifications.reverse(client, { id: undone, nonce: 'undo', reason: 'Wrong card' })
    await scanAt('2025-03-04T09:00:00Z')
    await scanAt('2025-03-05T09:00:00Z')

    const march = 'period=own&from=2025-03-01&to=2025-03-31'
    const tab = await fixture.openAs(Role.MANAGER)
    const page = await open(tab, 'overview')
    await page.getByRole('link', { name: 'Reports' }).first().click()
    await page.getByText('Nothing was sold in this period').waitFor()
    await checkViews(tab, 'cafe-report-empty')
    await page.getByLabel('Period').selectOption('Other days')
    await page.getByLabel('First day').fill('2025-03-01')
    await page.getByLabel('Last day').fill('2025-03-31')
    const table = page.getByRole('table', { name: 'USDC, Base Sepolia' })
    const readRows = async () => {
      const rows = await page.getByRole('table').getByRole('row').all()
      return await Promise.all(rows.map((row) => row.getByRole('cell').allTextContents()))
    }
    await table.getByRole('cell', { name: 'Mar 3, 2025' }).waitFor()
    expect((await readRows()).slice(1)).toEqual([
      ['Mar 1, 2025', '1', '2', '2.5', '0.5', '2'],
      ['Mar 2, 2025', '1', '2', '2.5', '0', '2.5'],
      ['Mar 3, 2025', '1', '2', '2.5', '0', '2.5'],
      ['Total', '3', '6', '7.5', '0.5', '7'],
    ])
    await page.getByText('+50% against the period before').first().waitFor()
    await checkViews(tab, 'cafe-report-sales')
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const file = await saving
    expect(file.suggestedFilename()).toBe('sales-by-day-2025-03-01-2025-03-31.csv')
    expect((await readFile(await file.path(), 'utf8')).split('\r\n').slice(0, 2)).toEqual([
      'Day,Chain,Token,Token address,Orders,Items sold,Paid,Refunded,Kept',
      `2025-03-01,84532,USDC,${FAKE_TOKEN},1,2,2.5,0.5,2`,
    ])
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    for (const text of ['demo', 'Sales by day', 'Mar 1, 2025 – Mar 31, 2025'])
      await page.getByText(text).filter({ visible: true }).first().waitFor()
    for (const text of ['Download CSV', 'Period', 'Campaigns', 'Reports'])
      expect(await page.getByText(text, { exact: true }).filter({ visible: true }).count()).toBe(0)
    await storePicture(page, 'cafe-report printed')
    await page.emulateMedia({ media: null, colorScheme: null })

    await open(tab, `reports?report=redemptions&by=person&${march}`)
    await page.getByRole('cell', { name: /^Kim, API key/ }).waitFor()
    expect((await readRows()).map((cells) => cells.slice(1)).slice(1)).toEqual([
      ['2', '1', '1', '1', 'Already redeemed: 1'],
      ['2', '1', '1', '1', 'Already redeemed: 1'],
    ])
    await checkViews(tab, 'cafe-report-redemptions')
    const staff = await open(await fixture.openAs(Role.STAFF), 'reports')
    await staff.getByText('Your role does not include this page').first().waitFor()
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
