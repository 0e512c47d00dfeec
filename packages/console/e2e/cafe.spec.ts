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
import { expect, type Page } from '@playwright/test'
import { issueCampaigns } from '../../gateway-server/src/domains/cards/campaigns/issue-campaigns.ts'
import { createListing } from '../../gateway-server/src/testing/create-listing.ts'
import { sequenceEvents } from '../../gateway-server/src/testing/event-streams.ts'
import { FAKE_TOKEN } from '../../gateway-server/src/testing/fake-payment-chain.ts'
import { newAddress } from '../../gateway-server/src/testing/samples/sample.ts'
import { storePicture } from './browser.ts'
import { checkViews } from './check-views.ts'
import type { ConsoleFixture } from './console-fixture.ts'
import { consoleTest } from './console-test.ts'
import { codeOf, keepResults, scan } from './scanning.ts'

const period = { startTime: '2026-01-01T00:00:00Z', endTime: '2099-12-31T00:00:00Z' }

const test = consoleTest()

test.describe('a café', () => {
  /** Opens the scanner of a phone. */
  async function openScanner(app: ConsoleFixture, role: Role): Promise<Page> {
    const page = await app.openAs(role, { width: 390 })
    await keepResults(page)
    await page.goto(app.at('scanner'))
    return page
  }

  test('An owner of an empty project creates a card and redeems it', { tag: '@manager' }, async ({ app }) => {
    const page = await app.openAs(Role.OWNER, { path: 'overview' })
    const steps = page.getByRole('list', { name: 'First steps' })
    await expect(steps.getByRole('link', { name: 'Invite your staff' })).toBeVisible()
    await checkViews(page, 'cafe-overview')
    await steps.getByRole('link', { name: 'Create a card' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Free flat white')
    await expect(page.getByLabel('Contract')).toBeHidden()
    await checkViews(page, 'cafe-new-card')
    await page.getByRole('button', { name: 'Create promo code card' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Free flat white' })).toBeVisible()
    const code = await page.getByRole('region', { name: 'QR code' }).getByRole('code').textContent()
    await checkViews(page, 'cafe-card')

    await page.goto(app.at('overview'))
    await expect(steps.getByRole('img', { name: 'Done' })).toBeVisible()
    await steps.getByRole('link', { name: 'Scan the card' }).click()
    await scan(page, code ?? '')
    await expect(page.getByRole('alert').getByText('Redeemed', { exact: true })).toBeVisible()
    await page.goto(app.at('overview'))
    await expect(page.getByRole('heading', { name: 'Last 30 days' })).toBeVisible()
    await expect(steps).toHaveCount(0)
    expect((await promoCodeCards.search(app.client, {})).list).toMatchObject([{ usedCount: 1 }])
  })

  test('An owner imports cards from a file', { tag: '@manager' }, async ({ app }) => {
    const page = await app.openAs(Role.OWNER, { path: 'cards/promo-code/import' })
    const content = 'Name,Valid from,Valid until,Uses\nFree muffin,2026-01-01,2099-12-31,2'
    const file = { name: 'cards.csv', mimeType: 'text/csv', buffer: Buffer.from(content) }
    await page.getByLabel('CSV file').setInputFiles(file)
    await expect(page.getByText('1 row can be imported')).toBeVisible()
    await expect(page.getByLabel('Source of Contract address')).toBeHidden()
    await checkViews(page, 'cafe-import')
    await page.getByRole('button', { name: 'Import 1 card' }).click()
    await expect(page.getByText('1 card is created')).toBeVisible()
  })

  test('A barista undoes the scan of a wrong card', { tag: '@staff' }, async ({ app }) => {
    const card = await createCard(app, 'Free tea')
    const page = await openScanner(app, Role.STAFF)
    const result = page.getByRole('alert')
    await scan(page, codeOf(card))
    await expect(result.getByText('Redeemed', { exact: true })).toBeVisible()
    await checkViews(page, 'cafe-redeemed')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Undo the scan of Free tea?' })
    await dialog.getByLabel('Reason').selectOption('Wrong card')
    await checkViews(page, 'cafe-undo')
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('The scan is undone')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Last scans' }).getByText('Undone')).toBeVisible()
    expect(await promoCodeCards.get(app.client, { id: card.id })).toMatchObject({ usedCount: 0 })

    await scan(page, codeOf(card))
    await expect(result.getByText('Redeemed', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Next scan' }).click()
    await checkViews(page, 'cafe-last-scans')
    await scan(page, codeOf(card))
    await expect(result.getByText(/^Used before: .*staff@shop\.example$/)).toBeVisible()
    await checkViews(page, 'cafe-used-before')
  })

  test('A barista lets the manager undo an old scan', { tag: '@staff' }, async ({ app }) => {
    await cardSettings.update(app.client, { reversalMinutes: 0 })
    const card = await createCard(app, 'Free cake')
    const staff = await openScanner(app, Role.STAFF)
    await scan(staff, codeOf(card))
    await expect(staff.getByRole('alert').getByText('Redeemed', { exact: true })).toBeVisible()
    await expect(staff.getByRole('button', { name: /^Undo/ })).toHaveCount(0)

    const page = await app.openAs(Role.MANAGER, { path: `cards/promo-code/${card.id}` })
    const scans = page.getByRole('table', { name: 'Scans' }).getByRole('row')
    await scans.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
    await expect(scans.filter({ hasText: 'Scanned by mistake' })).toBeVisible()
    await expect(scans.filter({ hasText: 'Undone' })).toBeVisible()
    await expect(page.getByText('0 of 1 used')).toBeVisible()
    await expect(scans.getByRole('button', { name: 'Undo' })).toHaveCount(0)
    await checkViews(page, 'cafe-undone')
  })

  test('A manager adds, renames and closes a store', { tag: '@manager' }, async ({ app }) => {
    const page = await app.openAs(Role.MANAGER, { path: 'stores' })
    for (const name of ['Harbor', 'Station']) {
      await page.getByRole('button', { name: 'Add store' }).click()
      await page.getByLabel('Name', { exact: true }).fill(name)
      await checkViews(page, 'cafe-store')
      await page.getByRole('dialog').getByRole('button', { name: 'Add store' }).click()
      await expect(page.getByRole('cell', { name, exact: true })).toBeVisible()
    }
    await page.goto(app.at('cards/promo-code/new'))
    await page.getByLabel('Name', { exact: true }).fill('Free lemonade')
    await page.getByRole('checkbox', { name: 'Station' }).check()
    await checkViews(page, 'cafe-card-stores')
    await page.getByRole('button', { name: 'Create promo code card' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Free lemonade' })).toBeVisible()
    const { list } = await promoCodeCards.search(app.client, { keyword: 'Free lemonade' })
    expect(list.map(parseApplicableStores)).toEqual([['Station']])
    await page.goto(app.at('stores'))

    const staff = await app.openAs(Role.STAFF, { width: 390 })
    await staff.goto(app.at('scanner'))
    await staff.getByRole('button', { name: 'Settings' }).click()
    await staff.getByLabel('Store', { exact: true }).selectOption('Harbor')
    await checkViews(staff, 'cafe-scanner-store')
    await staff.getByRole('button', { name: 'Save' }).click()
    await expect(staff.getByText('Store: Harbor')).toBeVisible()

    await page.getByRole('button', { name: 'Edit Harbor' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Old harbor')
    await page.getByLabel('Status').selectOption('Closed')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('cell', { name: 'Old harbor', exact: true })).toBeVisible()
    await checkViews(page, 'cafe-stores')
    await scan(staff, codeOf(await createCard(app, 'Free juice')))
    // The scan has the name of before, and the gateway the new one.
    await expect(staff.getByRole('alert').getByText('Redeemed', { exact: true })).toBeVisible()
    await checkViews(staff, 'cafe-renamed-store')
    await staff.keyboard.press('Escape')
    await expect(staff.getByText('Store: Old harbor')).toBeVisible()
    await staff.getByRole('button', { name: 'Settings' }).click()
    const options = staff.getByLabel('Store', { exact: true }).getByRole('option')
    await expect(options).toHaveText(['No store set', 'Old harbor', 'Station'])
    await staff.goto(app.at('stores'))
    await expect(
      staff.getByRole('main').getByText('Your role does not include this page').first(),
    ).toBeVisible()
  })

  test('A manager runs a campaign from its first card to its end', { tag: '@manager' }, async ({ app }) => {
    const page = await app.openAs(Role.MANAGER)
    await createCard(app, 'Of no campaign')
    await page.goto(app.at('campaigns'))
    await page.getByRole('main').getByRole('link', { name: 'Create campaign' }).click()
    await page.getByLabel('Name of the campaign').fill('Opening')
    await page.getByLabel('Maximum number of cards').fill('501')
    await page.getByLabel('Name', { exact: true }).fill('Opening coffee')
    await page.getByLabel('Uses').fill('1')
    await page.getByLabel('Valid from').fill('2026-01-01T00:00')
    await page.getByLabel('Valid until').fill('2025-12-31T00:00')
    await page.getByRole('button', { name: 'Create campaign' }).click()
    await expect(page.locator('[aria-invalid][name=endTime]')).toBeVisible()
    await page.getByLabel('Valid until').fill('2099-12-31T00:00')
    await checkViews(page, 'cafe-new-campaign')
    await page.getByRole('button', { name: 'Create campaign' }).click()
    await expect(page.getByText('No cards are issued yet')).toBeVisible()
    await checkViews(page, 'cafe-campaign-empty')

    await page.getByRole('button', { name: 'Issue cards' }).click()
    await checkViews(page, 'cafe-campaign-issue')
    await page.getByRole('dialog').getByRole('button', { name: 'Issue cards' }).click()
    await expect(page.getByText('500 of 501 cards are issued')).toBeVisible()
    await checkViews(page, 'cafe-campaign-issuing')
    await issueCampaigns(app.gateway.owner.system)
    await sequenceEvents(app.gateway)
    await expect(page.getByText('501 of 501')).toBeVisible()

    const { list } = await promoCodeCards.search(app.client, { keyword: 'Opening coffee', pageSize: 2 })
    const [first = '', second = ''] = list.map((card) => findCardCode(card))
    const scanner = await openScanner(app, Role.OWNER)
    await scan(scanner, first)
    await expect(scanner.getByRole('alert').getByText('Redeemed', { exact: true })).toBeVisible()
    await scanner.keyboard.press('Escape')
    await choose(page, 'Pause')
    await expect(page.getByText('Paused', { exact: true })).toBeVisible()
    await scan(scanner, second)
    await expect(scanner.getByRole('alert').getByText('Campaign paused')).toBeVisible()
    await sequenceEvents(app.gateway)
    const days = page.getByRole('table', { name: 'Stores and days' }).locator('tbody').getByRole('row')
    await expect(days.getByRole('cell', { name: '1', exact: true }).nth(1)).toBeVisible()
    await expect(page.getByText('Campaign paused: 1')).toBeVisible()
    await checkViews(page, 'cafe-campaign')
    await choose(page, 'Resume')
    await expect(page.getByText('Active', { exact: true })).toBeVisible()

    await page.getByRole('link', { name: 'Show its cards' }).click()
    await expect(page.getByText(/^1–20 of 501$/)).toBeVisible()
    await checkViews(page, 'cafe-campaign-cards')
    await page.getByRole('link', { name: 'Print QR codes' }).click()
    await expect(page.getByText('480 QR codes on 20 pages')).toBeVisible()
    const others = page.getByRole('img', { name: /^QR code of (?!Opening coffee)/ })
    await expect(others).toHaveCount(0)
    await page.getByRole('button', { name: 'Next part' }).click()
    await expect(page.getByText('21 QR codes on 1 page')).toBeVisible()
    await checkViews(page, 'cafe-print')
    await page.goBack()
    await page.getByRole('link', { name: 'Campaign', exact: true }).click()
    await choose(page, 'End')
    await expect(page.getByText('Ended', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: /^(Pause|Resume|End|Issue)/ })).toHaveCount(0)
    await page.goto(app.at('campaigns'))
    await checkViews(page, 'cafe-campaigns')
  })

  test('A manager issues a card to each person, and prints them', { tag: '@manager' }, async ({ app }) => {
    const { id } = await campaigns.create(app.client, {
      name: 'Regulars',
      program: 'promoCodeCards',
      cards: 3,
      card: { ...period, name: 'A free cake', totalIssued: 1 },
    })
    const page = await app.openAs(Role.MANAGER, { path: `campaigns/${id}` })
    for (const people of ['Ana\nBen\n\nAna', 'Ben\nCem']) {
      await page.getByRole('button', { name: 'Issue to people' }).click()
      await page.getByLabel('Recipients').fill(people)
      await checkViews(page, 'cafe-campaign-people')
      await page.getByRole('dialog').getByRole('button', { name: 'Issue cards' }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    await expect(page.getByText('3 of 3', { exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'Show its cards' }).click()
    await page.getByRole('link', { name: 'Print QR codes' }).click()
    await expect(page.getByText('3 QR codes on 1 page')).toBeVisible()
    for (const name of ['Ana', 'Ben', 'Cem'])
      await expect(page.getByText(name, { exact: true })).toBeVisible()
    await checkViews(page, 'cafe-print-people')
  })

  test('A manager finds an order and a card by what a customer says', { tag: '@manager' }, async ({
    app,
  }) => {
    const { client, gateway, projectId } = app
    const { marketType, id: listingId } = await createListing({ gateway, projectId, client })
    const order = { marketType, listingId, quantity: 1, recipient: newAddress(), reference: 'Table 7' }
    const { orderNo } = await orders.preOrder(client, order)
    const card = await createCard(app, 'Free scone')
    const page = await app.openAs(Role.OWNER, { path: 'people' })
    await page.keyboard.press('/')
    await page.keyboard.type(`${orderNo}\n`)
    const results = page.getByRole('table', { name: 'Search' })
    await expect(results.getByRole('cell', { name: 'Order Waits for payment' })).toBeVisible()
    await page.getByRole('main').getByRole('searchbox').fill('scone')
    await expect(results.getByRole('link', { name: 'Free scone' })).toBeVisible()
    await checkViews(page, 'cafe-search')
    await page.getByRole('main').getByRole('searchbox').fill('Nothing like it')
    await expect(page.getByText('Nothing found')).toBeVisible()
    await page.getByRole('main').getByRole('searchbox').fill(codeOf(card))
    await results.getByRole('link', { name: 'Free scone' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Free scone' })).toBeVisible()
    const staff = await app.openAs(Role.STAFF, { path: 'cards' })
    await expect(staff.getByRole('searchbox')).toBeVisible()
    await expect(staff.getByRole('searchbox')).toHaveCount(1)
  })

  test('A manager gives the pages of cards the look of the shop', { tag: '@manager' }, async ({ app }) => {
    const card = await createCard(app, 'Free cocoa')
    const page = await app.openAs(Role.MANAGER, { path: 'cards/promo-code' })
    await page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByLabel('Name of the shop').fill('Corner Coffee')
    await page.getByLabel('Color').fill('red;}body{')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Enter a color such as #7a1f3d')).toBeVisible()
    await page.getByLabel('Color').fill('#7A1F3D')
    const [, png = ''] = (await drawPicture(page)).split(',')
    const file = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') }
    await page.getByLabel('Upload a file for “Logo of the shop”').setInputFiles(file)
    await expect(page.getByText('The picture is uploaded.')).toBeVisible()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('The settings are saved')).toBeVisible()
    const settings = await cardSettings.get(app.client)
    expect(settings).toMatchObject({ shopName: 'Corner Coffee', accentColor: '#7a1f3d', reversalsPerDay: 20 })
    await checkViews(page, 'cafe-card-settings')

    const opening = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Promo code card', exact: true }).click()
    const preview = await opening
    await preview.waitForURL(`**/c/${app.projectId}/${findCardCode(card)}`)
    expect(await preview.title()).toBe('Free cocoa · Corner Coffee')
    await expect(preview.locator('.brand img')).toHaveAttribute('src', settings.logoUrl)
  })

  test('A manager reads, prints and saves the sales of a month', { tag: '@manager' }, async ({ app }) => {
    const { client, gateway, projectId } = app
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
    const card = await createCard(app, 'Free mocha')
    const scanAt = async (time: string) => {
      const request = { action: 'REDEEM', nonce: time, store: '', verifier: 'Kim' } as const
      const { id } = await promoCodeCards.createVerification(client, {
        ...request,
        qrCode: codeOf(card),
      })
      await pool.query('update gateway.card_verifications set created_at = $1 where id = $2', [time, id])
      return id
    }
    const undone = await scanAt('2025-03-04T08:00:00Z')
    await verifications.reverse(client, { id: undone, nonce: 'undo', reason: 'Wrong card' })
    await scanAt('2025-03-04T09:00:00Z')
    await scanAt('2025-03-05T09:00:00Z')

    const march = 'period=own&from=2025-03-01&to=2025-03-31'
    const page = await app.openAs(Role.MANAGER, { path: 'overview' })
    await page.getByRole('link', { name: 'Reports' }).first().click()
    await expect(page.getByText('Nothing was sold in this period')).toBeVisible()
    await checkViews(page, 'cafe-report-empty')
    await page.getByLabel('Period').selectOption('Other days')
    await page.getByLabel('First day').fill('2025-03-01')
    await page.getByLabel('Last day').fill('2025-03-31')
    const table = page.getByRole('table', { name: 'USDC, Base Sepolia' })
    const readRows = async () => {
      const rows = await page.getByRole('table').getByRole('row').all()
      return await Promise.all(rows.map((row) => row.getByRole('cell').allTextContents()))
    }
    await expect(table.getByRole('cell', { name: 'Mar 3, 2025' })).toBeVisible()
    expect((await readRows()).slice(1)).toEqual([
      ['Mar 1, 2025', '1', '2', '2.5', '0.5', '2'],
      ['Mar 2, 2025', '1', '2', '2.5', '0', '2.5'],
      ['Mar 3, 2025', '1', '2', '2.5', '0', '2.5'],
      ['Total', '3', '6', '7.5', '0.5', '7'],
    ])
    await expect(page.getByText('+50% against the period before').first()).toBeVisible()
    await checkViews(page, 'cafe-report-sales')
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
      await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible()
    for (const text of ['Download CSV', 'Period', 'Campaigns', 'Reports'])
      await expect(page.getByText(text, { exact: true }).filter({ visible: true })).toHaveCount(0)
    await storePicture(page, 'cafe-report printed')
    await page.emulateMedia({ media: null, colorScheme: null })

    await page.goto(app.at(`reports?report=redemptions&by=person&${march}`))
    await expect(page.getByRole('cell', { name: /^Kim, API key/ })).toBeVisible()
    expect((await readRows()).map((cells) => cells.slice(1)).slice(1)).toEqual([
      ['2', '1', '1', '1', 'Already redeemed: 1'],
      ['2', '1', '1', '1', 'Already redeemed: 1'],
    ])
    await checkViews(page, 'cafe-report-redemptions')
    const staff = await app.openAs(Role.STAFF, { path: 'reports' })
    await expect(staff.getByText('Your role does not include this page').first()).toBeVisible()
  })

  /** Draws a picture in the browser, as a data URL. */
  const drawPicture = (page: Page): Promise<string> =>
    page.evaluate(() => {
      const canvas = document.createElement('canvas')
      canvas.getContext('2d')?.fillRect(0, 0, 90, 40)
      return canvas.toDataURL('image/png')
    })

  const createCard = (app: ConsoleFixture, name: string) =>
    promoCodeCards.create(app.client, { ...period, name, totalIssued: 1 })
})

/** Presses a button of the page, and the same one of the question. */
async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: action, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()
}
