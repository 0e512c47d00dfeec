// The scanner on a device that loses its network: it opens, is reloaded, and sends later what it scanned.

import { Role } from '@mintmark/admin'
import { findCardCode, promoCodeCards } from '@mintmark/cards'
import { expect, type Page } from '@playwright/test'
import { storePicture } from './browser.ts'
import type { ConsoleFixture } from './console-fixture.ts'
import { consoleTest } from './console-test.ts'
import { codeField } from './scanning.ts'

/** Whether the page has a worker that has stored who is signed in. */
const isStored = async () =>
  navigator.serviceWorker.controller !== null &&
  (await caches.match('/admin/v1/session', { ignoreVary: true })) !== undefined

const PHONE = { width: 390, hasWorkers: true } as const

const test = consoleTest()

test.describe('the scanner without a network', () => {
  const createCard = (app: ConsoleFixture) =>
    promoCodeCards.create(app.client, {
      name: 'A free coffee',
      totalIssued: 3,
      startTime: '2026-01-01T00:00:00Z',
      endTime: '2099-12-31T00:00:00Z',
    })

  /** Opens the scanner, and waits until its files and the session are stored. */
  async function openScanner(app: ConsoleFixture, page: Page): Promise<void> {
    await page.goto(app.at('scanner'))
    await expect(codeField(page)).toBeVisible()
    await expect.poll(() => page.evaluate(isStored)).toBe(true)
  }

  test('A barista opens the scanner without a network and scans', { tag: '@staff' }, async ({ app }) => {
    const card = await createCard(app)
    const first = await app.openAs(Role.STAFF, PHONE)
    await openScanner(app, first)
    await app.stopServer()
    await first.close()
    const page = await first.context().newPage()
    // The address of the installed app.
    await page.goto(`${app.url}/console/`)
    await codeField(page).fill(findCardCode(card) ?? '')
    await codeField(page).press('Enter')
    await expect(page.getByRole('alert').getByText('Not confirmed yet')).toBeVisible()
    await page.reload()
    await expect(page.getByText('1 scan waits for an answer')).toBeVisible()
    await storePicture(page, 'scanner opened without network')
    await app.restartServer()
    await expect(page.getByRole('list', { name: 'Last scans' }).getByText('Accepted')).toBeVisible()
    expect((await promoCodeCards.get(app.client, { id: card.id })).usedCount).toBe(1)
  })

  test('is what the console opens with for a manager whose device has no connection', async ({ app }) => {
    const page = await app.openAs(Role.MANAGER, PHONE)
    await openScanner(app, page)
    await app.stopServer()
    await page.context().setOffline(true)
    await page.goto(`${app.url}/console/`)
    await expect(codeField(page)).toBeVisible()
    await page.context().close()
    await app.restartServer()
  })

  test('shows nobody as signed in after a sign-out', async ({ app }) => {
    const page = await app.openAs(Role.MANAGER, { hasWorkers: true })
    await openScanner(app, page)
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await app.stopServer()
    await page.goto(app.at('scanner'))
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
    await expect(codeField(page)).toHaveCount(0)
    await app.restartServer()
  })

  test('is the page of the server, not the stored one, while the server answers', async ({ app }) => {
    const page = await app.openAs(Role.STAFF, PHONE)
    await openScanner(app, page)
    await page.evaluate(async () => {
      const [name = ''] = (await caches.keys()).filter((each) => each.startsWith('mintmark-console'))
      const cache = await caches.open(name)
      await cache.put(
        '/console/index.html',
        new Response('stored', { headers: { 'content-type': 'text/html' } }),
      )
    })
    await page.reload()
    await expect(codeField(page)).toBeVisible()
  })
})
