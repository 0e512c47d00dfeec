// What staff do at the counter: by camera, by hand, with and without a network.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Role } from '@mintmark/admin'
import {
  type CreatePromoCodeCardInput,
  commemorativeCards,
  eventCards,
  findCardCode,
  type PromoCodeCard,
  promoCodeCards,
  type VerificationRecord,
} from '@mintmark/cards'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, storePicture, type Tab } from './browser.ts'
import { checkPage } from './check-page.ts'
import { checkViews } from './check-views.ts'
import { type ConsoleFixture, PASSWORD, startConsole } from './console-fixture.ts'
import { createVideo, drawPicture, encodePng } from './qr-pictures.ts'

const NFT_ADDRESS = '0x00000000000000000000000000000000000000c3'
const PHONE = { width: 390 } as const
/** How many cards are scanned while the network drops. */
const SCANS = Number(process.env.SCANS ?? 60)

describe.skipIf(!hasBrowser)('the scanner', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-scanner-'))
  /** What the camera of the browser shows. It is read when a page starts the camera. */
  const video = join(folder, 'camera.y4m')
  let fixture: ConsoleFixture
  beforeAll(async () => {
    writeFileSync(video, createVideo([drawPicture(undefined)], 1))
    fixture = await startConsole({
      browserArguments: [
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
        `--use-file-for-fake-video-capture=${video}`,
      ],
    })
  })
  afterAll(async () => {
    await fixture.close()
    rmSync(folder, { recursive: true })
  })

  const terms = { name: 'A free coffee', nftAddress: NFT_ADDRESS, totalIssued: 3 }
  const createCard = (changes: Partial<CreatePromoCodeCardInput> = {}): Promise<PromoCodeCard> =>
    promoCodeCards.create(fixture.client, {
      ...terms,
      startTime: '2026-01-01T00:00:00Z',
      endTime: '2099-12-31T00:00:00Z',
      ...changes,
    })

  async function openScanner(tab: Tab): Promise<Page> {
    await tab.page.goto(fixture.at('scanner'))
    await codeField(tab.page).waitFor()
    return tab.page
  }

  it('redeems a promo code card by the camera of a phone, after staff have signed in', async () => {
    // Creates the person.
    await fixture.openAs(Role.STAFF)
    const card = await createCard()
    const address = `${fixture.url}/c/${fixture.projectId}/${codeOf(card)}`
    writeFileSync(video, createVideo([drawPicture(address)], 2))
    const tab = await fixture.open(PHONE)
    const { page } = tab
    await keepResults(page)
    // The person has allowed it before, so that the camera starts by itself.
    await page.context().grantPermissions(['camera'])
    await page.goto(`${fixture.url}/console/sign-in`)
    await page.getByLabel('Email address').fill('staff@shop.example')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Scanner' }).waitFor()
    const result = page.getByRole('alert')
    await result.getByText('Redeemed', { exact: true }).waitFor()
    expect(await result.textContent()).toContain('A free coffee')
    expect(await result.textContent()).toContain('2 of 3 uses left')
    await checkViews(tab, 'scanner redeemed by camera')
    // The card stays in front of the camera, and is redeemed once.
    await page.getByRole('button', { name: 'Next scan' }).click()
    await page.getByText('Hold the QR code of the card into the frame').waitFor()
    expect(await readUses(card)).toBe(1)
    writeFileSync(video, createVideo([drawPicture(undefined)], 1))
  })

  it('says why the camera does not start, and how to go on', async () => {
    const { page } = await fixture.openAs(Role.STAFF, PHONE)
    await page.addInitScript(() => {
      MediaDevices.prototype.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'))
    })
    await page.goto(fixture.at('scanner'))
    await page.getByRole('button', { name: 'Start the camera' }).click()
    await page.getByRole('alert').getByText('The camera is not allowed').waitFor()
    await page.getByText('Allow the camera for this page').waitFor()
  })

  it('starts its camera also after the connection was lost', async () => {
    const page = await openScanner(await fixture.openAs(Role.STAFF, PHONE))
    await page.getByRole('button', { name: 'Start the camera' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Start the camera' }).click()
    await page.getByText('Hold the QR code of the card into the frame').waitFor()
  })

  it.each([
    [
      'expired',
      { startTime: '2020-01-01T00:00:00Z', endTime: '2021-03-05T12:00:00Z' },
      'Expired',
      'Mar 5, 2021',
    ],
    ['not yet valid', { startTime: '2098-01-05T12:00:00Z' }, 'Not valid yet', 'Jan 5, 2098'],
    ['of another store', { applicableStores: ['Köln Dom'] }, 'Not valid in this store', 'Köln Dom'],
  ])('says why a card that is %s is refused', async (state, changes, reason, detail) => {
    const card = await createCard(changes)
    const tab = await fixture.openAs(Role.STAFF, PHONE)
    await keepResults(tab.page)
    const page = await openScanner(tab)
    await enter(page, codeOf(card))
    const result = page.getByRole('alert')
    await result.getByText('Refused').waitFor()
    expect(await result.textContent()).toContain(reason)
    expect(await result.textContent()).toContain(detail)
    await checkViews(tab, `scanner ${state}`)
    expect(await readUses(card)).toBe(0)
  })

  it('says that a card is used up, and what a code is that no card has', async () => {
    const card = await createCard({ totalIssued: 2 })
    const tab = await fixture.openAs(Role.STAFF, PHONE)
    const page = await openScanner(tab)
    for (const answer of ['1 of 2 uses left', 'That was the last of 2 uses', 'All 2 uses are redeemed.']) {
      await enter(page, codeOf(card))
      await page.getByRole('alert').getByText(answer).waitFor()
      await page.keyboard.press('Escape')
    }
    await enter(page, 'https://shop.example/menu')
    await page.getByRole('alert').getByText('Unknown code').waitFor()
    await page.keyboard.press('Escape')
    await checkViews(tab, 'scanner list')
  })

  it('takes a typed code, and names what is wrong with an empty one', async () => {
    const event = await eventCards.create(fixture.client, { ...terms, ...PERIOD, name: 'Opening night' })
    const tab = await fixture.openAs(Role.STAFF, PHONE)
    await keepResults(tab.page)
    const page = await openScanner(tab)
    await page.getByRole('button', { name: 'Check the code' }).click()
    await page.getByText('Enter the code of a card').waitFor()
    await checkPage(tab)
    await enter(page, codeOf(event))
    await page.getByRole('alert').getByText('Checked in').waitFor()
    await storePicture(page, 'scanner typed')
    await page.getByRole('button', { name: 'Next scan' }).click()
    expect((await eventCards.get(fixture.client, { id: event.id })).isCheckedIn).toBe(true)
  })

  it('reads the picture of a code, and says that a picture has none', async () => {
    const card = await commemorativeCards.create(fixture.client, { ...terms, ...PERIOD, name: 'Ten years' })
    const tab = await fixture.openAs(Role.STAFF)
    const page = await openScanner(tab)
    const choose = (content: string | undefined) =>
      page.getByLabel('Picture with a QR code').setInputFiles({
        name: 'card.png',
        mimeType: 'image/png',
        buffer: encodePng(drawPicture(content, { width: 1600, height: 1200 })),
      })
    await choose(undefined)
    await page.getByText('The picture has no readable QR code').waitFor()
    await page.getByLabel('Picture with a QR code').setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('no picture'),
    })
    await page.getByText('The file is no picture').waitFor()
    await choose(`${fixture.url}/c/${fixture.projectId}/${codeOf(card)}`)
    await page.getByRole('alert').getByText('Nothing to redeem').waitFor()
    await checkPage(tab)
  })

  it('says without a network that this device has redeemed a card before, also after the page was reloaded', async () => {
    const card = await createCard({ totalIssued: 1 })
    const tab = await fixture.openAs(Role.STAFF, PHONE)
    const page = await openScanner(tab)
    await enter(page, codeOf(card))
    await page.getByRole('alert').getByText('That was its only use').waitFor()
    await openScanner(tab)
    await page.context().setOffline(true)
    await enter(page, codeOf(card))
    const result = page.locator('.result-refused').getByRole('alert')
    await result.getByText('Already redeemed').waitFor()
    await result.getByText(/^Redeemed with this device at \d+:\d\d/).waitFor()
    await checkViews(tab, 'scanner redeemed before')
    await page.keyboard.press('Escape')
    await page.context().setOffline(false)
    await page.locator('.scan-item.tone-danger').getByText('Already redeemed').waitFor()
    expect(await readUses(card)).toBe(1)
  })

  it('redeems a card that was scanned without a network when the network is back', async () => {
    const card = await createCard()
    const tab = await fixture.openAs(Role.STAFF, PHONE)
    const page = await openScanner(tab)
    await page.context().setOffline(true)
    await enter(page, codeOf(card))
    await page.getByRole('alert').getByText('Not confirmed yet').waitFor()
    // Amber: neither green nor red.
    expect(await page.locator('.result-accepted, .result-refused').count()).toBe(0)
    await storePicture(page, 'scanner without network')
    await page.keyboard.press('Escape')
    await page.getByText('1 scan waits for an answer').waitFor()
    await checkPage(tab)
    expect(await readUses(card)).toBe(0)
    await page.context().setOffline(false)
    const scans = page.getByRole('list', { name: 'Last scans' })
    await scans.getByText('Accepted').waitFor()
    expect(await scans.getByText('Waiting', { exact: true }).count()).toBe(0)
    expect(await readUses(card)).toBe(1)
  })

  it('shows auditors where cards are, and lets them redeem none', async () => {
    const tab = await fixture.openAs(Role.AUDITOR, PHONE)
    await tab.page.goto(fixture.at('scanner'))
    await tab.page.getByText('Your role does not redeem cards').waitFor()
    expect(await codeField(tab.page).count()).toBe(0)
    await checkViews(tab, 'scanner for auditors')
  })

  it(`loses and doubles none of ${SCANS} scans in two tabs although the network drops and pages are reloaded`, {
    timeout: 180_000 + SCANS * 5000,
  }, async () => {
    const cards = await Promise.all(
      [2, 5, SCANS].map((totalIssued) => createCard({ totalIssued, name: `Card of ${totalIssued}` })),
    )
    const random = createRandom(20_261_123)
    const { page: first } = await fixture.openAs(Role.STAFF, PHONE)
    const context = first.context()
    await context.route('**/api/v1/card/**', async (route) => {
      // A request also ends when its page is reloaded or the server closes its connection. For the page, that
      // is a lost answer as well.
      await disturb(route, random()).catch(() => route.abort('connectionreset').catch(() => {}))
    })
    const tabs = [first, await context.newPage()]
    for (const page of tabs) {
      await page.goto(fixture.at('scanner'))
      await codeField(page).waitFor()
    }
    /** All scans of the browser by their nonces. It keeps the newest 200. */
    const scans = new Map<string, StoredScan>()
    async function collectScans(): Promise<void> {
      for (const scan of await readScans(first)) scans.set(scan.nonce, scan)
    }
    for (let index = 0; index < SCANS; index += 1) {
      const page = tabs[index % 2] ?? first
      await enter(page, codeOf(cards[index % 3]))
      await page.locator('.result').waitFor()
      await page.keyboard.press('Escape')
      if (random() < 0.15) {
        await page.reload()
        await codeField(page).waitFor()
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
    const records = new Map((await readRecords(cards)).map((record) => [record.nonce, record]))
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
    expect(await Promise.all(cards.map(readUses))).toEqual([2, 5, Math.floor(SCANS / 3)])
    await storePicture(first, 'scanner after a bad network')
  })

  const PERIOD = { startTime: '2026-01-01T00:00:00Z', endTime: '2099-12-31T00:00:00Z' }

  async function readUses({ id }: PromoCodeCard): Promise<number> {
    const { usedCount } = await promoCodeCards.get(fixture.client, { id })
    return usedCount
  }

  async function readRecords(cards: readonly PromoCodeCard[]): Promise<readonly VerificationRecord[]> {
    const records: VerificationRecord[] = []
    for (const { id } of cards) {
      const query = { cardId: id, pageSize: 100 }
      for await (const record of promoCodeCards.verifications.items(fixture.client, query))
        records.push(record)
    }
    return records
  }
})

/**
 * Lets results stay, which close by themselves after five seconds or more: a loaded machine takes longer to
 * check them. Call it before a page opens.
 */
async function keepResults(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const start = globalThis.setTimeout
    const keep = (work: () => void, delay = 0) => start(work, delay >= 5000 ? 2 ** 31 - 1 : delay)
    Object.assign(globalThis, { setTimeout: keep })
  })
}

const codeField = (page: Page) => page.getByLabel('Code of the card')

async function enter(page: Page, code: string): Promise<void> {
  await codeField(page).fill(code)
  await codeField(page).press('Enter')
}

function codeOf(card: { readonly qrCodeUrl: string } | undefined): string {
  const code = card === undefined ? undefined : findCardCode(card)
  if (code === undefined) throw new Error('The card has no code')
  return code
}

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
