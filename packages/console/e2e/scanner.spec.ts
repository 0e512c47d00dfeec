// What staff do at the counter: by camera, by hand, with and without a network.

import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Role } from '@mintmark/admin'
import {
  type CreatePromoCodeCardInput,
  commemorativeCards,
  eventCards,
  type PromoCodeCard,
  promoCodeCards,
  type VerificationRecord,
} from '@mintmark/cards'
import { expect, type Page, type Route } from '@playwright/test'
import { storePicture } from './browser.ts'
import { checkPage } from './check-page.ts'
import { checkViews } from './check-views.ts'
import { type ConsoleFixture, PASSWORD } from './console-fixture.ts'
import { CAMERA, consoleTest } from './console-test.ts'
import { createVideo, drawPicture, encodePng } from './qr-pictures.ts'
import { codeField, codeOf, keepResults, scan } from './scanning.ts'

const NFT_ADDRESS = '0x00000000000000000000000000000000000000c3'
const PHONE = { width: 390 } as const
/** How many cards are scanned while the network drops. */
const SCANS = Number(process.env.SCANS ?? 60)

/** What the camera of the browser shows. It is read when a page starts the camera. */
const video = join(tmpdir(), `mintmark-camera-${process.ppid}.y4m`)
const test = consoleTest({ browserArguments: [...CAMERA, `--use-file-for-fake-video-capture=${video}`] })

test.describe('the scanner', () => {
  test.beforeAll(() => writeFileSync(video, createVideo([drawPicture(undefined)], 1)))
  test.afterAll(() => rmSync(video))

  const terms = { name: 'A free coffee', nftAddress: NFT_ADDRESS, totalIssued: 3 }
  const createCard = (
    app: ConsoleFixture,
    changes: Partial<CreatePromoCodeCardInput> = {},
  ): Promise<PromoCodeCard> =>
    promoCodeCards.create(app.client, {
      ...terms,
      startTime: '2026-01-01T00:00:00Z',
      endTime: '2099-12-31T00:00:00Z',
      ...changes,
    })

  async function openScanner(app: ConsoleFixture, page: Page): Promise<void> {
    await page.goto(app.at('scanner'))
    await expect(codeField(page)).toBeVisible()
  }

  test('A barista signs in and redeems a card by the camera', { tag: '@staff' }, async ({ app }) => {
    // Creates the person.
    await app.openAs(Role.STAFF)
    const card = await createCard(app)
    const address = `${app.url}/c/${app.projectId}/${codeOf(card)}`
    writeFileSync(video, createVideo([drawPicture(address)], 2))
    const page = await app.open(PHONE)
    await keepResults(page)
    // The person has allowed it before, so that the camera starts by itself.
    await page.context().grantPermissions(['camera'])
    await page.goto(`${app.url}/console/sign-in`)
    await page.getByLabel('Email address').fill('staff@shop.example')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Scanner' })).toBeVisible()
    const result = page.getByRole('alert')
    await expect(result.getByText('Redeemed', { exact: true })).toBeVisible()
    await expect(result).toContainText('A free coffee')
    await expect(result).toContainText('2 of 3 uses left')
    await checkViews(page, 'scanner redeemed by camera')
    // The card stays in front of the camera, and is redeemed once.
    await page.getByRole('button', { name: 'Next scan' }).click()
    await expect(page.getByText('Hold the QR code of the card into the frame')).toBeVisible()
    expect(await readUses(app, card)).toBe(1)
    writeFileSync(video, createVideo([drawPicture(undefined)], 1))
  })

  test('A barista learns why the camera does not start', { tag: '@staff' }, async ({ app }) => {
    const page = await app.openAs(Role.STAFF, PHONE)
    await page.addInitScript(() => {
      MediaDevices.prototype.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'))
    })
    await page.goto(app.at('scanner'))
    await page.getByRole('button', { name: 'Start the camera' }).click()
    await expect(page.getByRole('alert').getByText('The camera is not allowed')).toBeVisible()
    await expect(page.getByText('Allow the camera for this page')).toBeVisible()
  })

  test('starts its camera also after the connection was lost', async ({ app }) => {
    const page = await app.openAs(Role.STAFF, { ...PHONE, path: 'scanner' })
    await expect(page.getByRole('button', { name: 'Start the camera' })).toBeVisible()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Start the camera' }).click()
    await expect(page.getByText('Hold the QR code of the card into the frame')).toBeVisible()
  })

  for (const [state, changes, reason, detail] of [
    [
      'expired',
      { startTime: '2020-01-01T00:00:00Z', endTime: '2021-03-05T12:00:00Z' },
      'Expired',
      'Mar 5, 2021',
    ],
    ['not yet valid', { startTime: '2098-01-05T12:00:00Z' }, 'Not valid yet', 'Jan 5, 2098'],
    [
      'of another store',
      { applicableStores: ['Köln Dom'] as string[] },
      'Not valid in this store',
      'Köln Dom',
    ],
  ] as const) {
    test(`A barista learns why a card that is ${state} is refused`, { tag: '@staff' }, async ({ app }) => {
      const card = await createCard(app, changes)
      const page = await app.openAs(Role.STAFF, PHONE)
      await keepResults(page)
      await openScanner(app, page)
      await scan(page, codeOf(card))
      const result = page.getByRole('alert')
      await expect(result.getByText('Refused')).toBeVisible()
      await expect(result).toContainText(reason)
      await expect(result).toContainText(detail)
      await checkViews(page, `scanner ${state}`)
      expect(await readUses(app, card)).toBe(0)
    })
  }

  test('A barista learns that a card is used up or unknown', { tag: '@staff' }, async ({ app }) => {
    const card = await createCard(app, { totalIssued: 2 })
    const page = await app.openAs(Role.STAFF, PHONE)
    await openScanner(app, page)
    for (const answer of ['1 of 2 uses left', 'That was the last of 2 uses', 'All 2 uses are redeemed.']) {
      await scan(page, codeOf(card))
      await expect(page.getByRole('alert').getByText(answer)).toBeVisible()
      await page.keyboard.press('Escape')
    }
    await scan(page, 'https://shop.example/menu')
    await expect(page.getByRole('alert').getByText('Unknown code')).toBeVisible()
    await page.keyboard.press('Escape')
    await checkViews(page, 'scanner list')
  })

  test('A doorman checks a guest in by a typed code', { tag: '@staff' }, async ({ app }) => {
    const event = await eventCards.create(app.client, { ...terms, ...PERIOD, name: 'Opening night' })
    const page = await app.openAs(Role.STAFF, PHONE)
    await keepResults(page)
    await openScanner(app, page)
    await page.getByRole('button', { name: 'Check the code' }).click()
    await expect(page.getByText('Enter the code of a card')).toBeVisible()
    await checkPage(page)
    await scan(page, codeOf(event))
    await expect(page.getByRole('alert').getByText('Checked in')).toBeVisible()
    await storePicture(page, 'scanner typed')
    await page.getByRole('button', { name: 'Next scan' }).click()
    expect((await eventCards.get(app.client, { id: event.id })).isCheckedIn).toBe(true)
  })

  test('A barista scans the code in a picture', { tag: '@staff' }, async ({ app }) => {
    const card = await commemorativeCards.create(app.client, { ...terms, ...PERIOD, name: 'Ten years' })
    const page = await app.openAs(Role.STAFF)
    await openScanner(app, page)
    const choose = (content: string | undefined) =>
      page.getByLabel('Picture with a QR code').setInputFiles({
        name: 'card.png',
        mimeType: 'image/png',
        buffer: encodePng(drawPicture(content, { width: 1600, height: 1200 })),
      })
    await choose(undefined)
    await expect(page.getByText('The picture has no readable QR code')).toBeVisible()
    await page.getByLabel('Picture with a QR code').setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('no picture'),
    })
    await expect(page.getByText('The file is no picture')).toBeVisible()
    await choose(`${app.url}/c/${app.projectId}/${codeOf(card)}`)
    await expect(page.getByRole('alert').getByText('Nothing to redeem')).toBeVisible()
    await checkPage(page)
  })

  test('A barista learns without a network that a card was used', { tag: '@staff' }, async ({ app }) => {
    const card = await createCard(app, { totalIssued: 1 })
    const page = await app.openAs(Role.STAFF, PHONE)
    await openScanner(app, page)
    await scan(page, codeOf(card))
    await expect(page.getByRole('alert').getByText('That was its only use')).toBeVisible()
    await openScanner(app, page)
    await page.context().setOffline(true)
    await scan(page, codeOf(card))
    const result = page.locator('.result-refused').getByRole('alert')
    await expect(result.getByText('Already redeemed')).toBeVisible()
    await expect(result.getByText(/^Redeemed with this device at \d+:\d\d/)).toBeVisible()
    await checkViews(page, 'scanner redeemed before')
    await page.keyboard.press('Escape')
    await page.context().setOffline(false)
    await expect(page.locator('.scan-item.tone-danger').getByText('Already redeemed')).toBeVisible()
    expect(await readUses(app, card)).toBe(1)
  })

  test('A barista scans without a network, and it is sent later', { tag: '@staff' }, async ({ app }) => {
    const card = await createCard(app)
    const page = await app.openAs(Role.STAFF, PHONE)
    await openScanner(app, page)
    await page.context().setOffline(true)
    await scan(page, codeOf(card))
    await expect(page.getByRole('alert').getByText('Not confirmed yet')).toBeVisible()
    // Amber: neither green nor red.
    await expect(page.locator('.result-accepted, .result-refused')).toHaveCount(0)
    await storePicture(page, 'scanner without network')
    await page.keyboard.press('Escape')
    await expect(page.getByText('1 scan waits for an answer')).toBeVisible()
    await checkPage(page)
    expect(await readUses(app, card)).toBe(0)
    await page.context().setOffline(false)
    const scans = page.getByRole('list', { name: 'Last scans' })
    await expect(scans.getByText('Accepted')).toBeVisible()
    await expect(scans.getByText('Waiting', { exact: true })).toHaveCount(0)
    expect(await readUses(app, card)).toBe(1)
  })

  test('shows auditors where cards are, and lets them redeem none', async ({ app }) => {
    const page = await app.openAs(Role.AUDITOR, { ...PHONE, path: 'scanner' })
    await expect(page.getByText('Your role does not redeem cards')).toBeVisible()
    await expect(codeField(page)).toHaveCount(0)
    await checkViews(page, 'scanner for auditors')
  })

  test(`loses and doubles none of ${SCANS} scans in two tabs although the network drops and pages are reloaded`, async ({
    app,
  }) => {
    test.setTimeout(180_000 + SCANS * 5000)
    const cards = await Promise.all(
      [2, 5, SCANS].map((totalIssued) => createCard(app, { totalIssued, name: `Card of ${totalIssued}` })),
    )
    const random = createRandom(20_261_123)
    const first = await app.openAs(Role.STAFF, PHONE)
    const context = first.context()
    await context.route('**/api/v1/card/**', async (route) => {
      // A request also ends when its page is reloaded or the server closes its connection. For the page, that
      // is a lost answer as well.
      await disturb(route, random()).catch(() => route.abort('connectionreset').catch(() => {}))
    })
    const tabs = [first, await context.newPage()]
    for (const page of tabs) {
      await page.goto(app.at('scanner'))
      await expect(codeField(page)).toBeVisible()
    }
    /** All scans of the browser by their nonces. It keeps the newest 200. */
    const scans = new Map<string, StoredScan>()
    async function collectScans(): Promise<void> {
      for (const each of await readScans(first)) scans.set(each.nonce, each)
    }
    for (let index = 0; index < SCANS; index += 1) {
      const page = tabs[index % 2] ?? first
      await scan(page, codeOf(cards[index % 3]))
      await expect(page.locator('.result')).toBeVisible()
      await page.keyboard.press('Escape')
      if (random() < 0.15) {
        await page.reload()
        await expect(codeField(page)).toBeVisible()
      }
      if (index % 50 === 0) await collectScans()
    }
    const waiting = first.getByText(/wait for an answer|waits for an answer/)
    await expect
      .poll(async () => {
        const button = first.getByRole('button', { name: 'Send now' })
        if (await button.isVisible()) await button.click({ timeout: 1000 }).catch(() => {})
        return await waiting.count()
      })
      .toBe(0)
    await collectScans()
    expect(scans.size).toBe(SCANS)
    const records = new Map((await readRecords(app, cards)).map((record) => [record.nonce, record]))
    expect(records.size).toBe(SCANS)
    for (const [nonce, scan] of scans) {
      const record = records.get(nonce)
      expect(record, nonce).toBeDefined()
      // It was answered after it was collected, and is not among the newest anymore.
      if (scan.state === 'waiting') continue
      expect({ state: scan.state, reason: scan.reason, usedCount: scan.usedCount }).toEqual({
        state: record?.result === 'OK' ? 'accepted' : 'refused',
        reason: record?.reason,
        usedCount: record?.usedCount,
      })
    }
    expect(await Promise.all(cards.map((card) => readUses(app, card)))).toEqual([2, 5, Math.floor(SCANS / 3)])
    await storePicture(first, 'scanner after a bad network')
  })

  const PERIOD = { startTime: '2026-01-01T00:00:00Z', endTime: '2099-12-31T00:00:00Z' }

  async function readUses(app: ConsoleFixture, { id }: PromoCodeCard): Promise<number> {
    const { usedCount } = await promoCodeCards.get(app.client, { id })
    return usedCount
  }

  async function readRecords(
    app: ConsoleFixture,
    cards: readonly PromoCodeCard[],
  ): Promise<readonly VerificationRecord[]> {
    const records: VerificationRecord[] = []
    for (const { id } of cards) {
      const query = { cardId: id, pageSize: 100 }
      for await (const record of promoCodeCards.verifications.items(app.client, query)) records.push(record)
    }
    return records
  }
})

/** Loses requests and answers, and delivers some requests twice. */
async function disturb(route: Route, chance: number): Promise<void> {
  if (chance < 0.12) return await route.abort('connectionreset')
  if (chance < 0.24) {
    // The server has done it, and the answer is lost.
    await route.fetch()
    return await route.abort('connectionreset')
  }
  if (chance < 0.3) await route.fetch()
  await route.continue()
}

interface StoredScan {
  readonly nonce: string
  readonly state: string
  readonly reason: string
  readonly usedCount: number
}

/** Reads all scans that the browser stores. */
async function readScans(page: Page): Promise<readonly StoredScan[]> {
  return await page.evaluate(
    () =>
      new Promise<StoredScan[]>((resolve, reject) => {
        const opened = indexedDB.open('mintmark-scanner')
        opened.onerror = () => reject(opened.error)
        opened.onsuccess = () => {
          const request = opened.result.transaction('scans').objectStore('scans').getAll()
          request.onsuccess = () => resolve(request.result)
          request.onerror = () => reject(request.error)
        }
      }),
  )
}

/** Numbers that look random and are the same in each run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
