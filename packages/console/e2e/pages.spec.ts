// Every page of the console, at the widths and in the themes that people use.

import { Role } from '@mintmark/admin'
import { orders } from '@mintmark/orders'
import { expect, type Page } from '@playwright/test'
import { createListing } from '../../gateway-server/src/testing/create-listing.ts'
import { sequenceEvents } from '../../gateway-server/src/testing/event-streams.ts'
import { newAddress } from '../../gateway-server/src/testing/samples/sample.ts'
import { storePicture } from './browser.ts'
import { checkPage, listProblems } from './check-page.ts'
import { checkViews } from './check-views.ts'
import { consoleTest } from './console-test.ts'

/**
 * The beginning of a document, a button and an element of an image: text of tenants must appear as it was
 * written.
 */
const EVIL = `"'><img src=x onerror=document.title='hacked'><script>alert(1)</script>`

const test = consoleTest().extend<object, { orderNo: string }>({
  orderNo: [
    async ({ app }, use) => {
      const { client, gateway, projectId } = app
      const { marketType, id: listingId } = await createListing({ gateway, projectId, client })
      const place = { marketType, listingId, quantity: 2, recipient: newAddress() }
      const { orderNo } = await orders.preOrder(client, place)
      await orders.cancel(client, { orderNo: (await orders.preOrder(client, place)).orderNo })
      // The totals contain what the feed of events has.
      await sequenceEvents(gateway)
      await app.invite('new@shop.example', Role.STAFF)
      await use(orderNo)
    },
    { scope: 'worker', auto: true },
  ],
})

test.describe('the pages of the console', () => {
  test('have one title each, are accessible, and fit', async ({ app, orderNo }) => {
    const page = await app.openAs(Role.OWNER)
    const paths = ['overview', 'orders', `orders/${orderNo}`, 'keys', 'people', '../../account']
    const titles = new Set<string>()
    for (const path of paths) {
      await page.goto(new URL(path, app.at('')).href)
      await checkViews(page, `page ${path}`)
      titles.add(await page.title())
    }
    expect(titles.size).toBe(paths.length)
  })

  test('include the sign-in and the invitation', async ({ app }) => {
    const page = await app.open()
    await page.goto(`${app.url}/console/sign-in`)
    await checkViews(page, 'sign-in')
    const token = await app.invite('manager.to.be@shop.example', Role.MANAGER)
    await page.goto(`${app.url}/console/invitation/${token}`)
    await expect(page.getByLabel('Your name')).toBeVisible()
    await checkViews(page, 'invitation')
  })

  test('open dialogs that are accessible and fit', async ({ app }) => {
    const page = await app.openAs(Role.OWNER, { path: 'keys' })
    await page.getByRole('button', { name: 'Create key' }).click()
    await expect(page.getByRole('dialog', { name: 'Create key' })).toBeVisible()
    await checkViews(page, 'create key')
    // The place of the scrollbar is as dark as what is beside the dialog. Colors are rounded.
    const difference = (await readBrightness(page, 3)) - (await readBrightness(page, 30))
    expect(Math.abs(difference)).toBeLessThan(3)
    await page.goto(app.at('people'))
    await page.getByRole('button', { name: 'Invite' }).click()
    await expect(page.getByRole('dialog', { name: 'Invite' })).toBeVisible()
    await checkViews(page, 'invite')
  })

  test('show charts with their newest values, and a table if the script of charts cannot be loaded', async ({
    app,
  }) => {
    const page = await app.openAs(Role.OWNER)
    const scripts = /\/line-chart-[^/]*\.js$/
    await page.route(scripts, (route) => route.abort())
    await page.goto(app.at('overview'))
    await expect(page.getByText('The chart could not be loaded').first()).toBeVisible()
    const figures = page.getByRole('table', { name: 'Orders', exact: true })
    await expect(figures.locator('tbody').getByRole('row')).toHaveCount(30)
    await checkPage(page)
    await storePicture(page, 'charts without their script')
    await page.unroute(scripts)
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await expect(page.getByRole('img', { name: 'Orders' }).locator('canvas')).toBeVisible()
    const legend = page.getByRole('img', { name: 'Orders' }).locator('.u-legend')
    await expect(legend).toHaveText(/^Period\w+ \d+Placed/)
    await expect(legend).not.toContainText('—')
    await page.mouse.move(700, 500)
    await page.mouse.move(0, 0)
    await expect(legend).not.toContainText('—')
    await storePicture(page, 'charts after another attempt')
  })

  test('show every text of a tenant as it was written', async ({ app }) => {
    const page = await app.openAs(Role.OWNER, { path: 'keys' })
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Name').fill(EVIL)
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByText(EVIL).first()).toBeVisible()
    expect(await page.title()).not.toContain('hacked')
    await expect(page.locator('main img')).toHaveCount(0)
    expect(await listProblems(page)).toEqual([])
  })

  test('store nothing in the browser but the theme', async ({ app }) => {
    const page = await app.openAs(Role.OWNER, { path: 'overview' })
    await page.getByText('Dark', { exact: true }).click()
    const stored = await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))
    // The router remembers how far each page was scrolled.
    const { 'tsr-scroll-restoration-v1_3': _scroll, ...others } = stored
    expect(others).toEqual({ 'mintmark.theme': 'dark' })
    expect(await page.evaluate(() => document.cookie)).toBe('')
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  })
})

/**
 * Reads the brightness of red in a pixel near the bottom of the window, at a distance in pixels from the
 * right.
 */
async function readBrightness(page: Page, distance: number): Promise<number> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const png = await page.screenshot({ clip: { x: width - distance, y: height - 10, width: 1, height: 1 } })
  return await page.evaluate(async (picture) => {
    const image = new Image()
    image.src = `data:image/png;base64,${picture}`
    await image.decode()
    const context = document.createElement('canvas').getContext('2d')
    context?.drawImage(image, 0, 0)
    return context?.getImageData(0, 0, 1, 1).data[0] ?? Number.NaN
  }, png.toString('base64'))
}
