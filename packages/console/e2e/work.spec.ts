// How people work with the console: what their roles show, the keyboard, lists, live changes and errors.

import { Role } from '@mintmark/admin'
import type { Listing } from '@mintmark/market'
import { type Order, orders } from '@mintmark/orders'
import { expect, type Page } from '@playwright/test'
import { createListing } from '../../gateway-server/src/testing/create-listing.ts'
import { sequenceEvents } from '../../gateway-server/src/testing/event-streams.ts'
import { newAddress } from '../../gateway-server/src/testing/samples/sample.ts'
import { storePicture } from './browser.ts'
import { waitForPage } from './check-page.ts'
import type { ConsoleFixture } from './console-fixture.ts'
import { consoleTest } from './console-test.ts'
import { endSession, openAs } from './covered-page.ts'

const test = consoleTest().extend<object, { listing: Listing }>({
  listing: [
    async ({ app: { client, gateway, projectId } }, use) => {
      await use(await createListing({ gateway, projectId, client }, { quantity: 60 }, { quantity: 60 }))
    },
    { scope: 'worker' },
  ],
  page: async ({ app }, use) => use(await app.openAs(Role.OWNER)),
})

test.describe('working with the console', () => {
  function placeOrder(app: ConsoleFixture, listing: Listing): Promise<Order> {
    const { marketType, id } = listing
    const place = { marketType, listingId: id, quantity: 1, recipient: newAddress() }
    return orders.preOrder(app.client, place)
  }

  test.describe('a role', () => {
    const read = (page: Page) => page.locator('.sidebar-navigation .navigation-link').allTextContents()

    test('shows the pages that it includes, and explains those that it does not', async ({ app }) => {
      const page = await app.openAs(Role.MANAGER, { path: 'overview' })
      await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible()
      const names = await read(page)
      expect(names).toContain('Orders')
      expect(names).not.toContain('API keys')
      expect(names).not.toContain('People')
      await page.goto(app.at('keys'))
      await expect(page.getByText('Your role is Manager')).toBeVisible()
    })

    test('lets auditors see everything and change nothing', async ({ app, listing }) => {
      const page = await app.openAs(Role.AUDITOR)
      const order = await placeOrder(app, listing)
      for (const [path, title] of [
        ['keys', 'API keys'],
        ['people', 'People'],
        [`orders/${order.orderNo}`, order.nftName],
      ] as const) {
        await page.goto(app.at(path))
        await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
        await waitForPage(page)
        const change = /create|invite|cancel|revoke|remove|actions/i
        await expect(page.getByRole('main').getByRole('button', { name: change })).toHaveCount(0)
      }
    })

    test('takes effect at once when an owner changes it', async ({ app, page }) => {
      const promoted = { email: 'promoted@shop.example', name: 'Pat Promoted', role: Role.STAFF }
      const other = await app.open()
      await app.createPerson(other, promoted)
      await page.goto(app.at('people'))
      await page.getByRole('button', { name: 'Actions for Pat Promoted' }).click()
      await page.getByRole('menuitem', { name: 'Change role or wallet' }).click()
      await page.getByRole('dialog').getByLabel('Manager').check()
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('Pat Promoted is changed')).toBeVisible()
      await expect
        .poll(async () => {
          await other.goto(app.at(''))
          await expect(other.getByRole('heading', { level: 1 })).toBeVisible()
          return other.url()
        })
        .toBe(app.at('overview'))
    })

    test('cannot be taken from the last owner', async ({ app, page }) => {
      await page.goto(app.at('people'))
      await page.getByRole('button', { name: 'Actions for Person OWNER' }).click()
      await page.getByRole('menuitem', { name: 'Remove from the project' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      const alert = page.getByRole('dialog').getByRole('alert')
      await expect(alert).toBeVisible()
      await expect(alert).toContainText('Make another person an owner first.')
    })
  })

  test.describe('the keyboard', () => {
    test('reaches every page, the search and the help', async ({ app, page }) => {
      await page.goto(app.at('overview'))
      await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible()
      await page.keyboard.press('g')
      await page.keyboard.press('r')
      await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible()
      await page.keyboard.press('/')
      const search = page.getByRole('main').getByRole('searchbox')
      await expect(search).toBeFocused()
      await page.keyboard.type('g?')
      await expect(search).toHaveValue('g?')
      await page.getByRole('main').focus()
      await page.keyboard.press('?')
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    })

    test('opens the search of the project from any field, and finds a page by its title', async ({
      app,
      page,
    }) => {
      await page.goto(app.at('orders'))
      await page.getByRole('main').getByRole('searchbox').focus()
      await page.keyboard.press('ControlOrMeta+k')
      await expect(page.getByRole('heading', { level: 1, name: 'Search' })).toBeVisible()
      const search = page.getByRole('main').getByRole('searchbox')
      const isFocused = () => search.evaluate((element) => element === document.activeElement)
      await expect.poll(isFocused).toBe(true)
      await page.keyboard.type('webh')
      const pages = page.getByRole('navigation', { name: 'Pages of the console' }).getByRole('link')
      await expect(pages).toHaveText(['Webhooks'])
      await page.keyboard.press('Tab')
      await page.keyboard.press('ControlOrMeta+k')
      await expect.poll(isFocused).toBe(true)
      await expect(search).toHaveValue('webh')
      await pages.click()
      await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible()
    })

    test('skips the navigation', async ({ app, page }) => {
      await page.goto(app.at('orders'))
      await expect(page.getByRole('heading', { name: 'Orders' })).toBeVisible()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      const focused = await page.evaluate(() => document.activeElement?.id)
      expect(focused).toBe('content')
    })

    test('opens a menu, chooses from it, and returns to its button', async ({ app, page }) => {
      await page.goto(app.at('keys'))
      const button = page.getByRole('button', { name: 'Actions for test' })
      await button.focus()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('menuitem', { name: 'Revoke' })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menu')).toHaveCount(0)
      await expect(button).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('menuitem', { name: 'Revoke' })).toBeVisible()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('End')
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Revoke test?' })
      await expect(dialog).toBeVisible()
      const cancel = dialog.getByRole('button', { name: 'Cancel' })
      await expect(cancel).toBeFocused()
    })
  })

  test.describe('a list', () => {
    test('has its search, filters and page in the address, and the browser goes back to them', async ({
      app,
      listing,
      page,
    }) => {
      const placed: Order[] = []
      for (let count = 0; count < 45; count += 1) placed.push(await placeOrder(app, listing))
      await page.goto(app.at('orders'))
      const rows = page.getByRole('table').locator('tbody tr')
      const range = page.getByRole('navigation', { name: 'Pages' }).getByRole('status')
      await expect(range.filter({ hasText: /^1–20 of / })).toBeVisible()
      const [first = ''] = await rows.allTextContents()
      await page.getByRole('button', { name: 'Next' }).click()
      await expect(range.filter({ hasText: /^21–40 of / })).toBeVisible()
      expect(await rows.allTextContents()).not.toContain(first)
      expect(new URL(page.url()).search).toBe('?page=2')
      await page.reload()
      await expect(range.filter({ hasText: /^21–40 of / })).toBeVisible()
      await page.goBack()
      await expect(range.filter({ hasText: /^1–20 of / })).toBeVisible()

      await page
        .getByRole('main')
        .getByRole('searchbox')
        .fill(placed[7]?.orderNo ?? '')
      await expect(range.filter({ hasText: '1–1 of 1' })).toBeVisible()
      await page.getByRole('table').getByRole('link').click()
      await expect(page.getByRole('heading', { level: 1, name: placed[7]?.nftName ?? '' })).toBeVisible()
      expect(page.url()).toContain(placed[7]?.orderNo)
      await page.goBack()
      await expect(range.filter({ hasText: '1–1 of 1' })).toBeVisible()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await expect(range.filter({ hasText: /^1–20 of / })).toBeVisible()
      await page.getByLabel('Status').selectOption('Paid')
      await expect(page.getByText('Nothing found')).toBeVisible()
    })
  })

  test.describe('a page', () => {
    test('shows an order as soon as it is placed, and its new status without a reload', async ({
      app,
      listing,
      page,
    }) => {
      await page.goto(app.at('orders?status=0'))
      await expect(page.getByText('Live', { exact: true })).toBeVisible()
      const order = await placeOrder(app, listing)
      await sequenceEvents(app.gateway)
      await expect(page.getByRole('link', { name: order.nftName }).first()).toBeVisible()
      await page.goto(app.at(`orders/${order.orderNo}`))
      await expect(page.getByText('Waits for payment').first()).toBeVisible()
      await expect(page.getByText('Live', { exact: true })).toBeVisible()
      await orders.cancel(app.client, { orderNo: order.orderNo })
      await sequenceEvents(app.gateway)
      await expect(page.getByText('Cancelled').first()).toBeVisible()
      const history = page.getByRole('list', { name: 'History of the order' })
      await expect(history.getByText('Cancelled')).toBeVisible()
      await expect(history).toContainText('by API key')
    })

    test('is live as soon as the connection is good, also if it was bad when the page was opened', async ({
      app,
    }) => {
      const page = await app.openAs(Role.MANAGER)
      let isBad = true
      let failures = 0
      await page.route(/\/api\/v1\/events\?/, async (route) => {
        if (!isBad) return await route.continue()
        failures += 1
        await route.abort('connectionreset')
      })
      await page.goto(app.at('orders'))
      // The client sends a read three times.
      await expect.poll(() => failures).toBe(3)
      isBad = false
      await expect(page.getByText('Live', { exact: true })).toBeVisible()
    })

    test('says that the connection is lost, and continues when it is back', async ({ app, page }) => {
      await page.goto(app.at('orders'))
      await expect(page.getByText('Live', { exact: true })).toBeVisible()
      await page.context().setOffline(true)
      await expect(page.getByText('You are offline.')).toBeVisible()
      await page.getByLabel('Status').selectOption('Failed')
      await expect(page.getByRole('alert').getByText('You are offline')).toBeVisible()
      await page.context().setOffline(false)
      await expect(page.getByText('Nothing found')).toBeVisible()
      await expect(page.getByText('You are offline.')).toHaveCount(0)
    })

    test('A manager cancels an order', { tag: '@manager' }, async ({ app, listing, page }) => {
      const { orderNo } = await placeOrder(app, listing)
      await page.goto(app.at(`orders/${orderNo}`))
      await page.getByRole('button', { name: 'Cancel order' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Keep the order' }).click()
      expect((await orders.get(app.client, { orderNo })).orderStatus).toBe(0)
      await page.getByRole('button', { name: 'Cancel order' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click()
      await expect(page.getByText('The order is cancelled')).toBeVisible()
      expect((await orders.get(app.client, { orderNo })).orderStatus).toBe(4)
    })

    test('A manager prints the receipt of an order', { tag: '@manager' }, async ({ app, listing, page }) => {
      const order = await placeOrder(app, listing)
      await page.goto(app.at(`orders/${order.orderNo}`))
      await expect(page.getByText('Waits for payment')).toBeVisible()
      await page.emulateMedia({ media: 'print' })
      for (const text of [order.nftName, `Order ${order.orderNo}`, 'Amount', 'Buyer'])
        await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible()
      for (const text of ['Home', 'History', 'Technical details', 'Cancel order', 'All orders'])
        await expect(page.getByText(text, { exact: true }).filter({ visible: true })).toHaveCount(0)
      await storePicture(page, 'receipt')
      await page.emulateMedia({ media: null })
    })

    test('shows at each field why the server refuses it', async ({ app, page }) => {
      await page.goto(app.at('keys'))
      await page.getByRole('button', { name: 'Create key' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Create key' }).click()
      const name = dialog.getByLabel('Name')
      await expect(name).toHaveAttribute('aria-invalid', 'true')
      await expect(name).toBeFocused()
      await name.fill('x'.repeat(500))
      await dialog.getByRole('button', { name: 'Create key' }).click()
      await expect(dialog.getByText(/characters/i)).toBeVisible()
      await expect(name).toHaveAttribute('aria-invalid', 'true')
    })

    test('explains what does not exist, with a request id for operators', async ({ app, page }) => {
      await page.goto(app.at('orders/4711'))
      const alert = page.getByRole('alert')
      await expect(alert).toBeVisible()
      await expect(alert).toContainText('This does not exist')
      await expect(alert.getByRole('button', { name: 'Copy the request id' })).toHaveCount(1)
      await page.goto(`${app.url}/console/nowhere`)
      await expect(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible()
      await page.goto(`${app.url}/console/p/999999/orders`)
      await expect(page.getByText('This project is not one of yours')).toBeVisible()
    })

    test('leads to the sign-in when the session ends elsewhere', async ({ app }) => {
      const page = await openAs(app, 'ended', Role.MANAGER, 'orders')
      await endSession(app, page, 'ended')
      await page.getByRole('link', { name: 'Home' }).first().dispatchEvent('click')
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    })
  })
})
