// How people work with the console: what their roles show, the keyboard, lists, live changes and errors.
import { Role } from '@mintmark/admin'
import type { Listing } from '@mintmark/market'
import { type Order, orders } from '@mintmark/orders'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createListing } from '../../../packages/gateway-server/src/testing/create-listing.ts'
import { sequenceEvents } from '../../../packages/gateway-server/src/testing/event-streams.ts'
import { newAddress } from '../../../packages/gateway-server/src/testing/samples/sample.ts'
import { hasBrowser, storePicture, type Tab } from './browser.ts'
import { waitForPage } from './check-page.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'

describe.skipIf(!hasBrowser)('working with the console', () => {
  let fixture: ConsoleFixture
  let listing: Listing
  beforeAll(async () => {
    fixture = await startConsole()
    const { client, gateway, projectId } = fixture
    listing = await createListing({ gateway, projectId, client }, { quantity: 60 }, { quantity: 60 })
  })
  afterAll(() => fixture.close())

  let tab: Tab
  beforeEach(async () => {
    tab = await fixture.openAs(Role.OWNER)
  })

  function placeOrder(): Promise<Order> {
    const { marketType, id } = listing
    const place = { marketType, listingId: id, quantity: 1, recipient: newAddress() }
    return orders.preOrder(fixture.client, place)
  }

  describe('a role', () => {
    const read = (page: Tab['page']) => page.locator('.sidebar-navigation .navigation-link').allTextContents()

    it('shows the pages that it includes, and explains those that it does not', async () => {
      const { page } = await fixture.openAs(Role.MANAGER)
      await page.goto(fixture.at('overview'))
      await page.getByRole('heading', { name: 'Home' }).waitFor()
      const names = await read(page)
      expect(names).toContain('Orders')
      expect(names).not.toContain('API keys')
      expect(names).not.toContain('People')
      await page.goto(fixture.at('keys'))
      await page.getByText('Your role is Manager').waitFor()
    })

    it('lets auditors see everything and change nothing', async () => {
      const reader = await fixture.openAs(Role.AUDITOR)
      const { page } = reader
      const order = await placeOrder()
      for (const [path, title] of [
        ['keys', 'API keys'],
        ['people', 'People'],
        [`orders/${order.orderNo}`, order.nftName],
      ] as const) {
        await page.goto(fixture.at(path))
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
        await waitForPage(reader)
        const change = /create|invite|cancel|revoke|remove|actions/i
        expect(await page.getByRole('main').getByRole('button', { name: change }).count()).toBe(0)
      }
    })

    it('takes effect at once when an owner changes it', async () => {
      const token = await fixture.invite('promoted@shop.example', Role.STAFF)
      const { page: other } = await fixture.open()
      await other.request.post(`${fixture.url}/console/invitations/${token}`, {
        headers: { origin: fixture.url },
        data: { name: 'Pat Promoted', password: 'correct horse battery staple' },
      })
      const { page } = tab
      await page.goto(fixture.at('people'))
      await page.getByRole('button', { name: 'Actions for Pat Promoted' }).click()
      await page.getByRole('menuitem', { name: 'Change role or wallet' }).click()
      await page.getByRole('dialog').getByLabel('Manager').check()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Pat Promoted is changed').waitFor()
      await expect
        .poll(async () => {
          await other.goto(fixture.at(''))
          await other.getByRole('heading', { level: 1 }).waitFor()
          return other.url()
        })
        .toBe(fixture.at('overview'))
    })

    it('a role cannot be taken from the last owner', async () => {
      const { page } = tab
      await page.goto(fixture.at('people'))
      await page.getByRole('button', { name: 'Actions for Person OWNER' }).click()
      await page.getByRole('menuitem', { name: 'Remove from the project' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      const alert = page.getByRole('dialog').getByRole('alert')
      await alert.waitFor()
      expect(await alert.textContent()).toContain('Make another person an owner first.')
    })
  })

  describe('the keyboard', () => {
    it('reaches every page, the search and the help', async () => {
      const { page } = tab
      await page.goto(fixture.at('overview'))
      await page.getByRole('heading', { name: 'Home' }).waitFor()
      await page.keyboard.press('g')
      await page.keyboard.press('r')
      await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
      await page.keyboard.press('/')
      const search = page.getByRole('main').getByRole('searchbox')
      expect(await search.evaluate((element) => element === document.activeElement)).toBe(true)
      await page.keyboard.type('g?')
      expect(await search.inputValue()).toBe('g?')
      await page.getByRole('main').focus()
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      await page.keyboard.press('Escape')
      expect(await page.getByRole('dialog').count()).toBe(0)
    })

    it('opens the search of the project from any field, and finds a page by its title', async () => {
      const { page } = tab
      await page.goto(fixture.at('orders'))
      await page.getByRole('main').getByRole('searchbox').focus()
      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor()
      const search = page.getByRole('main').getByRole('searchbox')
      const isFocused = () => search.evaluate((element) => element === document.activeElement)
      await expect.poll(isFocused).toBe(true)
      await page.keyboard.type('webh')
      const pages = page.getByRole('navigation', { name: 'Pages of the console' }).getByRole('link')
      await expect.poll(() => pages.allTextContents()).toEqual(['Webhooks'])
      await page.keyboard.press('Tab')
      await page.keyboard.press('ControlOrMeta+k')
      await expect.poll(isFocused).toBe(true)
      expect(await search.inputValue()).toBe('webh')
      await pages.click()
      await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    })

    it('skips the navigation', async () => {
      const { page } = tab
      await page.goto(fixture.at('orders'))
      await page.getByRole('heading', { name: 'Orders' }).waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      const focused = await page.evaluate(() => document.activeElement?.id)
      expect(focused).toBe('content')
    })

    it('opens a menu, chooses from it, and returns to its button', async () => {
      const { page } = tab
      await page.goto(fixture.at('keys'))
      const button = page.getByRole('button', { name: 'Actions for test' })
      await button.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: 'Revoke' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
      await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true)
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: 'Revoke' }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('End')
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Revoke test?' })
      await dialog.waitFor()
      const cancel = dialog.getByRole('button', { name: 'Cancel' })
      await expect.poll(() => cancel.evaluate((element) => element === document.activeElement)).toBe(true)
    })
  })

  describe('a list', () => {
    it('a list has its search, filters and page in the address, and the browser goes back to them', async () => {
      const placed: Order[] = []
      for (let count = 0; count < 45; count += 1) placed.push(await placeOrder())
      const { page } = tab
      await page.goto(fixture.at('orders'))
      const rows = page.getByRole('table').locator('tbody tr')
      const range = page.getByRole('navigation', { name: 'Pages' }).getByRole('status')
      await range.filter({ hasText: /^1–20 of / }).waitFor()
      const [first = ''] = await rows.allTextContents()
      await page.getByRole('button', { name: 'Next' }).click()
      await range.filter({ hasText: /^21–40 of / }).waitFor()
      expect(await rows.allTextContents()).not.toContain(first)
      expect(new URL(page.url()).search).toBe('?page=2')
      await page.reload()
      await range.filter({ hasText: /^21–40 of / }).waitFor()
      await page.goBack()
      await range.filter({ hasText: /^1–20 of / }).waitFor()

      await page
        .getByRole('main')
        .getByRole('searchbox')
        .fill(placed[7]?.orderNo ?? '')
      await range.filter({ hasText: '1–1 of 1' }).waitFor()
      await page.getByRole('table').getByRole('link').click()
      await page.getByRole('heading', { level: 1, name: placed[7]?.nftName ?? '' }).waitFor()
      expect(page.url()).toContain(placed[7]?.orderNo)
      await page.goBack()
      await range.filter({ hasText: '1–1 of 1' }).waitFor()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await range.filter({ hasText: /^1–20 of / }).waitFor()
      await page.getByLabel('Status').selectOption('Paid')
      await page.getByText('Nothing found').waitFor()
    })
  })

  describe('a page', () => {
    it('shows an order as soon as it is placed, and its new status without a reload', async () => {
      const { page } = tab
      await page.goto(fixture.at('orders?status=0'))
      await page.getByText('Live', { exact: true }).waitFor()
      const order = await placeOrder()
      await sequenceEvents(fixture.gateway)
      await page.getByRole('link', { name: order.nftName }).first().waitFor()
      await page.goto(fixture.at(`orders/${order.orderNo}`))
      await page.getByText('Waits for payment').first().waitFor()
      await page.getByText('Live', { exact: true }).waitFor()
      await orders.cancel(fixture.client, { orderNo: order.orderNo })
      await sequenceEvents(fixture.gateway)
      await page.getByText('Cancelled').first().waitFor()
      const history = page.getByRole('list', { name: 'History of the order' })
      await history.getByText('Cancelled').waitFor()
      expect(await history.textContent()).toContain('by API key')
    })

    it('a page is live as soon as the connection is good, also if it was bad when the page was opened', async () => {
      const { page } = await fixture.openAs(Role.MANAGER)
      let isBad = true
      let failures = 0
      await page.route(/\/api\/v1\/events\?/, async (route) => {
        if (!isBad) return await route.continue()
        failures += 1
        await route.abort('connectionreset')
      })
      await page.goto(fixture.at('orders'))
      // The client sends a read three times.
      await expect.poll(() => failures).toBe(3)
      isBad = false
      await page.getByText('Live', { exact: true }).waitFor()
    })

    it('says that the connection is lost, and continues when it is back', async () => {
      const { page } = tab
      await page.goto(fixture.at('orders'))
      await page.getByText('Live', { exact: true }).waitFor()
      await page.context().setOffline(true)
      await page.getByText('You are offline.').waitFor()
      await page.getByLabel('Status').selectOption('Failed')
      await page.getByRole('alert').getByText('You are offline').waitFor()
      await page.context().setOffline(false)
      await page.getByText('Nothing found').waitFor()
      expect(await page.getByText('You are offline.').count()).toBe(0)
    })

    it('cancels an order after a question', async () => {
      const { orderNo } = await placeOrder()
      const { page } = tab
      await page.goto(fixture.at(`orders/${orderNo}`))
      await page.getByRole('button', { name: 'Cancel order' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Keep the order' }).click()
      expect((await orders.get(fixture.client, { orderNo })).orderStatus).toBe(0)
      await page.getByRole('button', { name: 'Cancel order' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click()
      await page.getByText('The order is cancelled').waitFor()
      expect((await orders.get(fixture.client, { orderNo })).orderStatus).toBe(4)
    })

    it('prints an order as a receipt: what was bought, by whom and for how much', async () => {
      const order = await placeOrder()
      const { page } = tab
      await page.goto(fixture.at(`orders/${order.orderNo}`))
      await page.getByText('Waits for payment').waitFor()
      await page.emulateMedia({ media: 'print' })
      for (const text of [order.nftName, `Order ${order.orderNo}`, 'Amount', 'Buyer'])
        await page.getByText(text).filter({ visible: true }).first().waitFor()
      for (const text of ['Home', 'History', 'Technical details', 'Cancel order', 'All orders'])
        expect(await page.getByText(text, { exact: true }).filter({ visible: true }).count()).toBe(0)
      await storePicture(page, 'receipt')
      await page.emulateMedia({ media: null })
    })

    it('shows at each field why the server refuses it', async () => {
      const { page } = tab
      await page.goto(fixture.at('keys'))
      await page.getByRole('button', { name: 'Create key' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Create key' }).click()
      const name = dialog.getByLabel('Name')
      expect(await name.getAttribute('aria-invalid')).toBe('true')
      await expect.poll(() => name.evaluate((element) => element === document.activeElement)).toBe(true)
      await name.fill('x'.repeat(500))
      await dialog.getByRole('button', { name: 'Create key' }).click()
      await dialog.getByText(/characters/i).waitFor()
      expect(await name.getAttribute('aria-invalid')).toBe('true')
    })

    it('explains what does not exist, with a request id for operators', async () => {
      const { page } = tab
      await page.goto(fixture.at('orders/4711'))
      const alert = page.getByRole('alert')
      await alert.waitFor()
      expect(await alert.textContent()).toContain('This does not exist')
      expect(await alert.getByRole('button', { name: 'Copy the request id' }).count()).toBe(1)
      await page.goto(`${fixture.url}/console/nowhere`)
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
      await page.goto(`${fixture.url}/console/p/999999/orders`)
      await page.getByText('This project is not one of yours').waitFor()
    })

    it('leads to the sign-in when the session ends elsewhere', async () => {
      const headers = { 'x-mintmark-session': 'none' }
      const token = await fixture.invite('ended@shop.example', Role.MANAGER)
      const { page } = await fixture.open()
      await page.request.post(`${fixture.url}/console/invitations/${token}`, {
        headers: { origin: fixture.url },
        data: { name: 'Eve Ended', password: 'correct horse battery staple' },
      })
      await page.goto(fixture.at('orders'))
      await page.getByRole('heading', { name: 'Orders' }).waitFor()
      await fixture.gateway.owner.pool.query(
        'delete from gateway.people_sessions s using gateway.people p where p.id = s.person_id and p.email = $1',
        ['ended@shop.example'],
      )
      // Gateways remember a session for a second.
      await expect
        .poll(async () => (await page.request.get(`${fixture.url}/admin/v1/session`, { headers })).status())
        .toBe(401)
      await page.getByRole('link', { name: 'Home' }).first().dispatchEvent('click')
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    })
  })
})
