// The scanner on a device that loses its network: it opens, is reloaded, and sends later what it scanned.
import { Role } from '@mintmark/admin'
import { findCardCode, promoCodeCards } from '@mintmark/cards'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, storePicture, type Tab } from './browser.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'

/** Whether the page has a worker that has stored who is signed in. */
const isStored = async () =>
  navigator.serviceWorker.controller !== null &&
  (await caches.match('/admin/v1/session', { ignoreVary: true })) !== undefined

const PHONE = { width: 390, hasWorkers: true } as const

describe.skipIf(!hasBrowser)('the scanner without a network', () => {
  let fixture: ConsoleFixture
  beforeAll(async () => {
    fixture = await startConsole()
  })
  afterAll(() => fixture.close())

  const createCard = () =>
    promoCodeCards.create(fixture.client, {
      name: 'A free coffee',
      totalIssued: 3,
      startTime: '2026-01-01T00:00:00Z',
      endTime: '2099-12-31T00:00:00Z',
    })

  const codeField = (page: Page) => page.getByLabel('Code of the card')

  /** Opens the scanner, and waits until its files and the session are stored. */
  async function openScanner({ page }: Tab): Promise<Page> {
    await page.goto(fixture.at('scanner'))
    await codeField(page).waitFor()
    await expect.poll(() => page.evaluate(isStored)).toBe(true)
    return page
  }

  it('opens, keeps a scan although it is closed, and redeems the card when the network is back', async () => {
    const card = await createCard()
    const tab = await fixture.openAs(Role.STAFF, PHONE)
    await openScanner(tab)
    await fixture.stopServer()
    await tab.page.close()
    const page = await tab.page.context().newPage()
    // The address of the installed app.
    await page.goto(`${fixture.url}/console/`)
    await codeField(page).fill(findCardCode(card) ?? '')
    await codeField(page).press('Enter')
    await page.getByRole('alert').getByText('Not confirmed yet').waitFor()
    await page.reload()
    await page.getByText('1 scan waits for an answer').waitFor()
    await storePicture(page, 'scanner opened without network')
    await fixture.restartServer()
    await page.getByRole('list', { name: 'Last scans' }).getByText('Accepted').waitFor()
    expect((await promoCodeCards.get(fixture.client, { id: card.id })).usedCount).toBe(1)
  })

  it('is what the console opens with for a manager whose device has no connection', async () => {
    const tab = await fixture.openAs(Role.MANAGER, PHONE)
    await openScanner(tab)
    await fixture.stopServer()
    await tab.page.context().setOffline(true)
    await tab.page.goto(`${fixture.url}/console/`)
    await codeField(tab.page).waitFor()
    await tab.page.context().close()
    await fixture.restartServer()
  })

  it('shows nobody as signed in after a sign-out', async () => {
    const tab = await fixture.openAs(Role.MANAGER, { hasWorkers: true })
    const page = await openScanner(tab)
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await fixture.stopServer()
    await page.goto(fixture.at('scanner'))
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    expect(await codeField(page).count()).toBe(0)
    await fixture.restartServer()
  })

  it('is the page of the server, not the stored one, while the server answers', async () => {
    const tab = await fixture.openAs(Role.STAFF, PHONE)
    const page = await openScanner(tab)
    await page.evaluate(async () => {
      const [name = ''] = (await caches.keys()).filter((each) => each.startsWith('mintmark-console'))
      const cache = await caches.open(name)
      await cache.put(
        '/console/index.html',
        new Response('stored', { headers: { 'content-type': 'text/html' } }),
      )
    })
    await page.reload()
    await codeField(page).waitFor()
  })
})
